// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Waiting.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>

using namespace invar;
using namespace invar::python;
using namespace nb::literals;

// Global, because there is one interpreter in a process.
static std::atomic<bool> isExiting = false;
/// The number of threads that have released Python's lock and will take it back.
static std::atomic<int> numOutside = 0;

static bool isMainThread() { return gettid() == getpid(); }

/// Never returns; the thread ends with the process.
[[noreturn]] static void park() {
  for (;;)
    pause();
}

namespace {
/// Releases Python's lock for its lifetime.
class Unlocked {
public:
  Unlocked() {
    ++numOutside;
    state = PyEval_SaveThread();
    parkIfOver();
  }
  ~Unlocked() {
    parkIfOver();
    PyEval_RestoreThread(state);
    --numOutside;
  }
  Unlocked(const Unlocked &) = delete;
  Unlocked &operator=(const Unlocked &) = delete;

  /// Whether Python requests the work to end: because a signal handler raised, which
  /// leaves the exception to be thrown, or because the interpreter exits.
  bool isOver() {
    if (!isMainThread())
      return isExiting;
    PyEval_RestoreThread(state);
    bool isRaised = PyErr_CheckSignals() != 0;
    state = PyEval_SaveThread();
    return isRaised;
  }

private:
  static void parkIfOver() {
    if (!isExiting || isMainThread())
      return;
    --numOutside;
    park();
  }

  PyThreadState *state;
};

/// A thread with a stack that is large enough for deeply nested models. If no thread
/// can be started, the work runs in the constructor.
class BigThread {
public:
  explicit BigThread(std::function<void()> given) : work(std::move(given)) {
    constexpr size_t stackSize = size_t(64) << 20;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stackSize);
    auto main = [](void *self) -> void * {
      static_cast<BigThread *>(self)->work();
      return nullptr;
    };
    isRunning = pthread_create(&thread, &attributes, main, this) == 0;
    pthread_attr_destroy(&attributes);
    if (!isRunning)
      work();
  }
  ~BigThread() {
    if (isRunning)
      pthread_join(thread, nullptr);
  }
  BigThread(const BigThread &) = delete;
  BigThread &operator=(const BigThread &) = delete;

private:
  std::function<void()> work;
  pthread_t thread;
  bool isRunning;
};
} // namespace

/// Prevents threads from returning to an interpreter that has ended. Threads that
/// remain keep their objects, which is not a leak.
static void leave(bool areOthers) {
  isExiting = true;
  if (areOthers)
    nb::set_leak_warnings(false);
  nb::gil_scoped_release released;
  while (numOutside > 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Limits::Limits(const rt::Cancel *cancel, std::optional<double> timeout)
    : cancel(cancel), timeout(timeout) {
  if (!timeout)
    return;
  if (!(*timeout >= 0))
    reject("a timeout of at least 0 seconds", std::to_string(*timeout));
  // A hundred years of nanoseconds; more is no limit.
  if (double nanoseconds = *timeout * 1e9; nanoseconds < 3.2e18)
    deadline = Clock::now() + std::chrono::nanoseconds(int64_t(nanoseconds));
}

int64_t Limits::getTimeout() const {
  if (!deadline)
    return 0;
  int64_t left = std::chrono::nanoseconds(*deadline - Clock::now()).count();
  return left > 0 ? left : -1;
}

void Limits::check() const {
  if (isMainThread() && PyErr_CheckSignals() != 0)
    throw nb::python_error();
  if (cancel && cancel->isTriggered())
    throw Failure(INVAR_CANCELLED,
                  "expected to reach the end, but was cancelled");
  if (getTimeout() < 0)
    throw explainLate("");
}

Failure Limits::explainLate(std::string text) const {
  text.resize(std::min(text.size(), text.find("expected to end within")));
  char number[32];
  snprintf(number, sizeof number, "%.3f", *timeout * 1e3);
  return {INVAR_DEADLINE_EXCEEDED, text + "expected to end within " + number +
                                       " ms, but there was more to do"};
}

/// Throws the exception of a signal handler, or otherwise the failure.
static void finish(InvarStatus *status, const Limits &limits) {
  rt::Error error(status);
  if (PyErr_Occurred())
    throw nb::python_error();
  if (error && error.code() == INVAR_DEADLINE_EXCEEDED)
    throw limits.explainLate(error.text());
  if (error)
    throw Failure(error);
}

void python::waitForRun(
    const Limits &limits, uint64_t memory,
    const std::function<InvarStatus *(const InvarRunOptions &)> &run) {
  InvarRunOptions options = INVAR_RUN_OPTIONS;
  options.cancel = limits.getCancel() ? limits.getCancel()->get() : nullptr;
  options.timeout_ns = limits.getTimeout();
  options.memory_limit = memory;
  options.poll = [](void *unlocked) -> int32_t {
    return static_cast<Unlocked *>(unlocked)->isOver();
  };
  InvarStatus *status;
  {
    Unlocked unlocked;
    options.poll_context = &unlocked;
    status = run(options);
  }
  finish(status, limits);
}

void python::waitForWork(
    const Limits &limits,
    const std::function<InvarStatus *(InvarCancel *)> &work) {
  InvarStatus *status = nullptr;
  {
    Unlocked unlocked;
    rt::Cancel cancel;
    const rt::Cancel *given = limits.getCancel();
    if (given && given->isTriggered())
      cancel.trigger();
    std::mutex lock;
    std::condition_variable ended;
    bool isDone = false;
    BigThread worker([&] {
      status = work(cancel.get());
      std::lock_guard guard(lock);
      isDone = true;
      ended.notify_all();
    });
    std::unique_lock guard(lock);
    constexpr std::chrono::milliseconds interval(2);
    while (!ended.wait_for(guard, interval, [&] { return isDone; })) {
      guard.unlock();
      if (!cancel.isTriggered() &&
          ((given && given->isTriggered()) || unlocked.isOver()))
        cancel.trigger();
      guard.lock();
    }
  }
  finish(status, limits);
}

void python::bindWaiting(nb::module_ &module) {
  pthread_atfork(nullptr, nullptr, [] { numOutside = 0; });
  module.def("leave", leave, "are_others"_a);
  nb::class_<rt::Cancel>(
      module, "Cancel",
      "A token that ends what it was handed to: runs, compilations and "
      "optimizations. One may be for any\nnumber of calls, and any thread may "
      "use it.")
      .def(nb::init<>())
      .def("cancel", &rt::Cancel::trigger,
           "Ends the calls that have the token, which raise invar.Cancelled, "
           "and those that get it before\nit is reset.")
      .def("reset", &rt::Cancel::reset, "Makes it as it was when new.")
      .def_prop_ro("cancelled", &rt::Cancel::isTriggered);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one session for a long time: by one thread, and by many at once.
//
//   invar-endurance MODEL.so RUNS THREADS SECONDS [SIZE [FOLDS]]
//
// Every run must compute the same bytes, and memory must not grow. Open sizes are SIZE,
// or 1. In the first runs all threads run at once, so that they compute run-once
// constants concurrently; these are stored in the folder FOLDS. Built with the thread
// sanitizer, it also detects races.
#include "invar-c/Invar.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <latch>
#include <thread>
#include <unistd.h>

namespace rt = invar::rt;
using Values = std::vector<rt::Value>;

[[noreturn]] static void die(const char *why) {
  std::fprintf(stderr, "invar-endurance: %s\n", why);
  std::exit(1);
}

/// Returns the private memory of this process in bytes.
static int64_t getMemory() {
  int64_t total = 0, resident = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> total >> resident >> shared;
  return (resident - shared) * sysconf(_SC_PAGESIZE);
}

/// Makes an input with small, varying numbers; integers are 0 or 1.
static rt::Value makeInput(const InvarType *type, int64_t openSize) {
  std::vector<int64_t> sizes;
  for (int64_t axis = 0; axis < invar_type_rank(type); ++axis) {
    int64_t size = invar_type_size(type, size_t(axis));
    sizes.push_back(size < 0 ? openSize : size);
  }
  rt::Value value;
  if (rt::Error error =
          rt::Value::create(invar_type_data_type(type), sizes).moveInto(value))
    die(error.text());
  size_t bytes = invar_tensor_bytes(value.get());
  std::memset(value.data<void>(), 0, bytes);
  if (value.dataType() == rt::DataTypeOf<float>::value)
    for (int64_t i = 0; i < value.count(); ++i)
      value.data<float>()[i] = std::sin(float(i));
  return value;
}

static Values mustRun(const rt::Session &session, const Values &inputs) {
  Values outputs;
  if (rt::Error error = session.run(inputs).moveInto(outputs))
    die(error.text());
  return outputs;
}

static bool areSame(const Values &a, const Values &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].sizes() != b[i].sizes() ||
        std::memcmp(a[i].data<void>(), b[i].data<void>(),
                    invar_tensor_bytes(a[i].get())))
      return false;
  return true;
}

/// Runs the session by many threads at once. Returns their common outputs.
static Values mustRunTogether(const rt::Session &session, const Values &inputs,
                              int threads) {
  std::vector<Values> outputs(size_t(std::max(threads, 1)));
  std::latch begin(std::ptrdiff_t(outputs.size()));
  std::vector<std::thread> workers;
  for (Values &own : outputs)
    workers.emplace_back([&] {
      begin.arrive_and_wait();
      own = mustRun(session, inputs);
    });
  for (std::thread &worker : workers)
    worker.join();
  for (const Values &own : outputs)
    if (!areSame(own, outputs.front()))
      die("expected the same outputs from all first runs");
  return outputs.front();
}

int main(int count, char **arguments) {
  if (count < 5)
    die("expected MODEL.so RUNS THREADS SECONDS [SIZE [FOLDS]]");
  int64_t runs = std::atoll(arguments[2]);
  int threads = std::atoi(arguments[3]);
  std::chrono::duration<double> length(std::atof(arguments[4]));
  int64_t openSize = count > 5 ? std::atoll(arguments[5]) : 1;
  InvarSessionOptions options = INVAR_SESSION_OPTIONS;
  options.fold_cache = count > 6 ? arguments[6] : nullptr;
  rt::Session session;
  if (rt::Error error =
          rt::Session::load(arguments[1], &options).moveInto(session))
    die(error.text());
  Values inputs;
  for (size_t i = 0; i < session.numInputs(); ++i)
    inputs.push_back(makeInput(session.inputType(i), openSize));
  Values expected = mustRunTogether(session, inputs, threads);
  uint64_t folds = session.foldsRun();

  int64_t before = 0;
  for (int64_t run = 0; run < runs; ++run) {
    if (!areSame(mustRun(session, inputs), expected))
      die("expected the same outputs at every run");
    if (run == runs / 100)
      before = getMemory();
  }
  int64_t grown = getMemory() - before;

  std::atomic<int64_t> together = 0;
  std::atomic<bool> isDifferent = false;
  auto end = std::chrono::steady_clock::now() + length;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([&] {
      while (std::chrono::steady_clock::now() < end) {
        if (!areSame(mustRun(session, inputs), expected))
          isDifferent = true;
        together.fetch_add(1, std::memory_order_relaxed);
      }
    });
  for (std::thread &worker : workers)
    worker.join();
  std::printf("%llu folds; %lld runs grew memory by %lld bytes; %d threads ran "
              "%lld times in %g s\n",
              (unsigned long long)folds, (long long)runs, (long long)grown,
              threads, (long long)together.load(), length.count());
  if (session.foldsRun() != folds)
    die("expected constants to be computed by the first runs alone");
  if (isDifferent)
    die("expected the same outputs from all threads");
  // The sanitizer keeps records.
  constexpr int64_t noise =
      __has_feature(thread_sanitizer) ? 64 << 20 : 1 << 20;
  if (grown > noise)
    die("expected memory not to grow");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime takes besides the kernels: how long threads take to begin and end a
// piece of work together, and what runs of kernels that do next to nothing cost. Not a
// test: `ninja InvarRuntimeOverhead` builds it, best in the release build.
#include "../../runtime/ThreadPool.h"
#include "Testing.h"

#include <chrono>
#include <cstdio>

using namespace invar;
using namespace invar::testing;
using Clock = std::chrono::steady_clock;

namespace {
/// Microseconds, of the best of many rounds.
template <typename Body> double measure(int repeats, Body body) {
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    Clock::time_point begin = Clock::now();
    for (int i = 0; i < repeats; ++i)
      body();
    std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    best = std::min(best, time.count() / repeats);
  }
  return best;
}

/// Each piece waits until the other one has begun, so that two threads take part.
struct Meeting {
  std::atomic<int> present = 0;
  static void work(void *context, int64_t, unsigned) {
    auto &meeting = *static_cast<Meeting *>(context);
    ++meeting.present;
    while (meeting.present.load(std::memory_order_relaxed) < 2)
      ;
  }
};

/// A chain of kernels on tensors of 8 elements, each with a constant beside its input.
ProgramBuilder makeChain(int length) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {1, 1, 1, 8});
  uint32_t last = b.input("x", type);
  b.output("y", type);
  uint32_t kernel = addTwiceKernel(b);
  uint32_t weights = b.constant<float>(type, std::vector<float>(8, 1));
  uint32_t one = b.immediate(int64_t(1)), eight = b.immediate(int64_t(8));
  for (int i = 0; i < length; ++i) {
    uint32_t constant = b.object(), next = b.object();
    b.emit(INVAR_OP_CONSTANT, constant, weights);
    b.emit(INVAR_OP_ALLOCATE, next, INVAR_FLOAT32, List{one, one, one, eight});
    b.emit(INVAR_OP_KERNEL, kernel, List{last, next, constant}, List{eight});
    b.emit(INVAR_OP_DROP, last);
    b.emit(INVAR_OP_DROP, constant);
    last = next;
  }
  b.emit(INVAR_OP_RETURN, List{last});
  return b;
}

/// A loop of a million times three instructions on numbers.
ProgramBuilder makeLoop() {
  ProgramBuilder b;
  uint32_t y = b.object();
  b.output("y", b.tensor(INVAR_INT64, {}));
  uint32_t left = b.immediate(int64_t(1'000'000)),
           one = b.immediate(int64_t(1)), sum = b.immediate(int64_t(0));
  Label again = b.label();
  b.place(again);
  b.emit(INVAR_OP_ADD, sum, sum, left);
  b.emit(INVAR_OP_SUB, left, left, one);
  b.emit(INVAR_OP_JUMP_IF, left, again);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_INT64, List{});
  b.emit(INVAR_OP_RETURN, List{y});
  return b;
}

double measureRun(const rt::Session &session, const rt::Value &x) {
  InvarValue *input = x.get();
  return measure(2000, [&] {
    InvarValue *output = nullptr;
    invar_status_free(
        invar_session_run(session.get(), nullptr, &input, 1, &output, 1));
    invar_value_release(output);
  });
}
} // namespace

int main() {
  runtime::ThreadPool pool(2, runtime::ThreadPool::usualSpin);
  double meeting = measure(10'000, [&] {
    Meeting together;
    if (!pool.tryRun(2, &Meeting::work, &together))
      std::abort();
  });
  std::printf("%8.3f us  two threads, to begin and end together\n", meeting);

  rt::Value x = tensor<float>({1, 1, 1, 8}, std::vector<float>(8, 1));
  for (int length : {0, 60}) {
    Model model(makeChain(length));
    std::printf("%8.3f us  a run of %d kernels\n",
                measureRun(model.mustLoad(), x), length);
  }
  Model loop(makeLoop());
  rt::Session session = loop.mustLoad();
  double million = measure(1, [&] { mustRun(session, {}); });
  std::printf("%8.2f ns  an instruction on numbers\n", million * 1000 / 3e6);
  return 0;
}

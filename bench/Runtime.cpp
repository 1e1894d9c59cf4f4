// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times the overhead that the runtime adds to kernels.
//
//   invar-bench-runtime MODEL.so
//
// prints JSON objects, one per line, with times in microseconds: a call of the model,
// which should have one input, one output and almost no work; running empty pieces on two
// threads; and running two pieces that wait for each other, so that each thread must take
// one.
#include "../runtime/ThreadPool.h"
#include "invar-c/Session.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <vector>

using namespace invar::runtime;
using Clock = std::chrono::steady_clock;

/// Returns the median over batches of calls: one call is too short for the clock.
template <typename Call> static double measureMicroseconds(Call &&call) {
  constexpr int batches = 301, calls = 200;
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    Clock::time_point begin = Clock::now();
    for (int index = 0; index < calls; ++index)
      call();
    std::chrono::duration<double, std::micro> taken = Clock::now() - begin;
    times.push_back(taken.count() / calls);
  }
  std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
  return times[batches / 2];
}

static void print(const char *name, double microseconds) {
  std::printf("{\"name\": \"%s\", \"us\": %.3f}\n", name, microseconds);
}

//===----------------------------------------------------------------------===//
// A call
//===----------------------------------------------------------------------===//

/// Returns false and prints the text if `status` is an error.
static bool check(InvarStatus *status) {
  if (!status)
    return true;
  std::fprintf(stderr, "error: %s\n", invar_status_text(status));
  invar_status_free(status);
  return false;
}

static bool measureCall(const char *path) {
  InvarSessionOptions options = INVAR_SESSION_OPTIONS;
  options.num_threads = 1;
  InvarSession *session = nullptr;
  if (!check(invar_session_load(path, &options, &session)))
    return false;

  const int64_t one = 1;
  InvarValue *input = nullptr, *output = nullptr;
  bool isGood = check(invar_tensor_create(INVAR_FLOAT32, &one, 1, &input));
  if (isGood)
    *static_cast<float *>(invar_tensor_data(input)) = 1;
  double made = 0, given = 0;
  if (isGood) {
    made = measureMicroseconds([&] {
      InvarValue *result = nullptr;
      isGood = isGood && check(invar_session_run(session, nullptr, &input, 1,
                                                 &result, 1));
      invar_value_release(result);
    });
  }
  isGood =
      isGood && check(invar_tensor_create(INVAR_FLOAT32, &one, 1, &output));
  if (isGood) {
    given = measureMicroseconds([&] {
      isGood = isGood && check(invar_session_run(session, nullptr, &input, 1,
                                                 &output, 1));
    });
  }
  if (isGood) {
    print("call, output made by the session", made);
    print("call, output given by the caller", given);
  }
  invar_value_release(output);
  invar_value_release(input);
  invar_session_free(session);
  return isGood;
}

//===----------------------------------------------------------------------===//
// Fork and join
//===----------------------------------------------------------------------===//

static void measureThreads() {
  ThreadPool pool(2, ThreadPool::usualSpin);
  print("fork and join, empty pieces", measureMicroseconds([&] {
          pool.tryRun(2, [](void *, int64_t, unsigned) {}, nullptr);
        }));

  std::atomic<int> present = 0;
  auto meet = [](void *context, int64_t, unsigned) {
    auto &count = *static_cast<std::atomic<int> *>(context);
    ++count;
    while (count < 2)
      ;
  };
  print("fork and join, a piece on each thread", measureMicroseconds([&] {
          present = 0;
          pool.tryRun(2, meet, &present);
        }));
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: invar-bench-runtime MODEL.so\n");
    return 2;
  }
  if (!measureCall(argv[1]))
    return 1;
  measureThreads();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One session for a long time: by one thread, and by many at once.
//
//   invar-endurance MODEL.so RUNS THREADS SECONDS [SIZE]
//
// Every run must give the same bytes, and memory must not grow. Open sizes are SIZE, or 1.
// Built with the thread sanitizer, it finds races besides.
#include "invar-c/Invar.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace rt = invar::rt;
using Values = std::vector<rt::Value>;

[[noreturn]] static void die(const char *why) {
  std::fprintf(stderr, "invar-endurance: %s\n", why);
  std::exit(1);
}

/// Bytes of memory that this process has for itself.
static int64_t getMemory() {
  int64_t total = 0, resident = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> total >> resident >> shared;
  return (resident - shared) * sysconf(_SC_PAGESIZE);
}

/// Numbers that are neither all alike nor large; integers are 0 or 1.
static rt::Value makeInput(const InvarType *type, int64_t openSize) {
  std::vector<int64_t> sizes;
  for (size_t axis = 0; axis < invar_type_rank(type); ++axis) {
    int64_t size = invar_type_size(type, axis);
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

int main(int count, char **arguments) {
  if (count < 5)
    die("expected MODEL.so RUNS THREADS SECONDS [SIZE]");
  int64_t runs = std::atoll(arguments[2]);
  int threads = std::atoi(arguments[3]);
  std::chrono::duration<double> length(std::atof(arguments[4]));
  int64_t openSize = count > 5 ? std::atoll(arguments[5]) : 1;
  rt::Session session;
  if (rt::Error error = rt::Session::load(arguments[1]).moveInto(session))
    die(error.text());
  Values inputs;
  for (size_t i = 0; i < session.numInputs(); ++i)
    inputs.push_back(makeInput(session.inputType(i), openSize));
  Values expected = mustRun(session, inputs);

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
  std::printf("%lld runs grew memory by %lld bytes; %d threads ran %lld times "
              "in %g s\n",
              (long long)runs, (long long)grown, threads,
              (long long)together.load(), length.count());
  if (isDifferent)
    die("expected the same outputs from all threads");
  // A sanitizer keeps records.
  constexpr int64_t noise =
      __has_feature(thread_sanitizer) ? 64 << 20 : 1 << 20;
  if (grown > noise)
    die("expected memory not to grow");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that share the pieces of one kernel. Kernels follow each other within
// microseconds, so the way in and out must be short:
//
//   caller   | open | piece … piece | close | wait for those inside | next kernel
//   worker            | enter | piece … | leave | looks for the next, and sleeps if none comes
//
// One word, the gate, counts openings and who is inside. A worker enters by one compare and
// exchange while it is open; once it is closed nobody does, so the caller waits only for
// pieces that were begun: a worker that sleeps, or that the system has stopped, delays
// nobody. The caller always works too, so all is done even if no worker ever comes.
//
// Invariant: the pool has one user at a time. Who finds it taken computes alone. So
// concurrent runs, and work inside of work, can never wait for each other.
#ifndef INVAR_RUNTIME_THREADPOOL_H
#define INVAR_RUNTIME_THREADPOOL_H

#include "Status.h"
#include "invar-c/Session.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <vector>

struct InvarThreads {
public:
  using Work = void (*)(void *context, int64_t piece, unsigned thread);

  static constexpr std::chrono::microseconds usualSpin{100};
  /// Of so many threads, the caller being one; 0 stands for all that the process may use.
  InvarThreads(unsigned threads, std::chrono::microseconds spin);
  ~InvarThreads();
  InvarThreads(const InvarThreads &) = delete;
  InvarThreads &operator=(const InvarThreads &) = delete;

  std::atomic<int32_t> references{1};

  /// How many threads there may be at most; they have the numbers below.
  unsigned getSize() const { return size; }

  /// Calls `work` for the pieces [0, count), the caller as thread 0. Returns when all is
  /// done; or false, with nothing done, where the pool is taken or has no workers.
  bool tryRun(int64_t count, Work work, void *context);

private:
  struct Worker {
    InvarThreads *pool;
    unsigned number;
    pthread_t thread;
  };

  bool start();
  void work(unsigned number);
  void doPieces(unsigned number);
  bool waitForOpening(uint32_t seen);

  static constexpr uint64_t opening = uint64_t(1) << 32;
  static uint32_t openingsOf(uint64_t gate) { return uint32_t(gate >> 32); }
  static bool isOpen(uint64_t gate) { return openingsOf(gate) & 1; }
  static uint32_t insideOf(uint64_t gate) { return uint32_t(gate); }

  unsigned size;
  std::chrono::microseconds spin;
  std::atomic<bool> isTaken = false;
  bool isStarted = false; ///< seen only by who has taken the pool
  std::vector<Worker> workers;

  /// Openings and closings in the high half, so that it is odd while open; who is inside in
  /// the low half. What follows is written while it is closed and nobody is inside.
  alignas(64) std::atomic<uint64_t> gate = 0;
  Work currentWork = nullptr;
  void *currentContext = nullptr;
  int64_t currentCount = 0;
  alignas(64) std::atomic<int64_t> nextPiece = 0;

  /// Sleepers wait for this to change.
  alignas(64) std::atomic<uint32_t> wakings = 0;
  std::atomic<uint32_t> sleepers = 0;
  std::atomic<bool> isEnding = false;
};

namespace invar::runtime {

using ThreadPool = ::InvarThreads;

/// Shares a pool with all who hold one.
struct ReleaseThreads {
  void operator()(ThreadPool *pool) const { invar_threads_release(pool); }
};
using ThreadPoolRef = std::unique_ptr<ThreadPool, ReleaseThreads>;

/// A range cut into pieces of nearly one size.
struct Pieces {
  int64_t units, count;

  /// So that no piece is smaller than the grain, and there are a few for each thread: one
  /// that is slow or comes late leaves the rest to others. There are more where it may be
  /// stopped: who waits for the last pieces of others asks nobody meanwhile.
  Pieces(int64_t units, int64_t grain, unsigned threads,
         bool canBeStopped = false);

  int64_t begin(int64_t piece) const {
    return units / count * piece + std::min(piece, units % count);
  }
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_THREADPOOL_H

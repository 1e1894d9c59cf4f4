// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that share the pieces of one kernel. Kernels follow each other within
// microseconds, so entering and leaving a kernel must be fast:
//
//   caller   | open | piece … piece | close | wait for those inside | next kernel
//   worker            | enter | piece … | leave | looks for the next, and sleeps if none comes
//
// One word, the gate, counts openings and the workers inside. A worker enters with one
// compare-and-exchange while the gate is open. Once it is closed no worker can enter,
// so the caller waits only for pieces that were begun: a worker that sleeps, or that
// the system has suspended outside, delays no one. The caller works too, so all pieces
// are done even if no worker enters.
//
// Invariant: the pool has one user at a time. A caller that finds the pool taken
// computes alone. So concurrent runs and nested work never wait for each other.
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
  /// A pool of `threads` threads, including the caller; 0 means all cores that the
  /// process may use.
  InvarThreads(unsigned threads, std::chrono::microseconds spin);
  ~InvarThreads();
  InvarThreads(const InvarThreads &) = delete;
  InvarThreads &operator=(const InvarThreads &) = delete;

  std::atomic<int32_t> references{1};

  /// The maximum number of threads. Thread numbers are below it.
  unsigned getSize() const { return size; }

  /// Calls `work` for the pieces [0, count), with the caller as thread 0. Returns true
  /// when all pieces are done. Returns false, with nothing done, if the pool is taken
  /// or has no workers.
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
  bool isStarted = false; ///< used only while the pool is taken
  std::vector<Worker> workers;

  /// High half: the count of openings and closings, so it is odd while the gate is
  /// open. Low half: the number of workers inside. The members below are written only
  /// while the gate is closed and no worker is inside.
  alignas(64) std::atomic<uint64_t> gate = 0;
  Work currentWork = nullptr;
  void *currentContext = nullptr;
  int64_t currentCount = 0;
  alignas(64) std::atomic<int64_t> nextPiece = 0;

  /// Sleeping workers wait for this to change.
  alignas(64) std::atomic<uint32_t> wakings = 0;
  std::atomic<uint32_t> sleepers = 0;
  std::atomic<bool> isEnding = false;
};

namespace invar::runtime {

using ThreadPool = ::InvarThreads;

/// Releases a reference to a shared pool.
struct ReleaseThreads {
  void operator()(ThreadPool *pool) const { invar_threads_release(pool); }
};
using ThreadPoolRef = std::unique_ptr<ThreadPool, ReleaseThreads>;

/// A range cut into pieces of nearly equal size.
struct Pieces {
  int64_t units, count;

  /// Chooses the number of pieces so that none is smaller than the grain and each
  /// thread gets a few: if a thread is slow or late, others take its pieces. If the
  /// work can be stopped, there are more pieces, because a caller that waits for the
  /// last pieces of others does not poll for a stop.
  Pieces(int64_t units, int64_t grain, unsigned threads,
         bool canBeStopped = false);

  int64_t begin(int64_t piece) const {
    return units / count * piece + std::min(piece, units % count);
  }
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_THREADPOOL_H

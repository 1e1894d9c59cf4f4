// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ThreadPool.h"

#include <algorithm>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace invar::runtime;
using Clock = std::chrono::steady_clock;

/// Hints to the processor that this is a spin loop.
static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

static void sleepWhile(std::atomic<uint32_t> &word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

static void wake(std::atomic<uint32_t> &word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

/// The number of cores that the process may use.
static unsigned countCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return unsigned(std::max(CPU_COUNT(&set), 1));
  // There are more cores than fit the set.
  return unsigned(std::max<long>(sysconf(_SC_NPROCESSORS_ONLN), 1));
}

InvarThreads::InvarThreads(unsigned threads, std::chrono::microseconds spin)
    : size(threads ? threads : countCores()), spin(spin) {}

InvarThreads::~InvarThreads() {
  isEnding.store(true);
  wakings.fetch_add(1);
  wake(wakings, INT32_MAX);
  for (Worker &worker : workers)
    pthread_join(worker.thread, nullptr);
}

/// Starts the workers, or as many as the system allows, once. The caller must have
/// taken the pool.
bool InvarThreads::start() {
  if (isStarted)
    return !workers.empty();
  isStarted = true;
  auto main = [](void *argument) -> void * {
    auto *worker = static_cast<Worker *>(argument);
    worker->pool->work(worker->number);
    return nullptr;
  };
  workers.reserve(size - 1);
  for (unsigned number = 1; number < size; ++number) {
    Worker &worker = workers.emplace_back(Worker{this, number, {}});
    if (pthread_create(&worker.thread, nullptr, main, &worker) != 0) {
      workers.pop_back();
      break;
    }
    pthread_setname_np(worker.thread, "invar");
  }
  return !workers.empty();
}

bool InvarThreads::tryRun(int64_t count, Work work, void *context) {
  if (size < 2 || isTaken.exchange(true, std::memory_order_acquire))
    return false;
  if (!start()) {
    isTaken.store(false, std::memory_order_release);
    return false;
  }
  currentWork = work;
  currentContext = context;
  currentCount = count;
  nextPiece.store(0, std::memory_order_relaxed);
  // Sequentially consistent with a worker that is about to sleep: either the worker
  // sees the open gate, or this thread sees the sleeping worker.
  gate.fetch_add(opening, std::memory_order_seq_cst);
  if (uint32_t asleep = sleepers.load(std::memory_order_seq_cst)) {
    wakings.fetch_add(1, std::memory_order_seq_cst);
    wake(wakings, int(std::min<int64_t>(asleep, count - 1)));
  }

  doPieces(0);
  gate.fetch_add(opening, std::memory_order_acq_rel);
  for (unsigned looks = 0; insideOf(gate.load(std::memory_order_acquire)) != 0;
       ++looks) {
    // A worker may need this core to finish.
    if (looks < 1000)
      relax();
    else
      sched_yield();
  }
  isTaken.store(false, std::memory_order_release);
  return true;
}

void InvarThreads::doPieces(unsigned number) {
  int64_t count = currentCount;
  for (int64_t piece = nextPiece.fetch_add(1, std::memory_order_relaxed);
       piece < count; piece = nextPiece.fetch_add(1, std::memory_order_relaxed))
    currentWork(currentContext, piece, number);
}

void InvarThreads::work(unsigned number) {
  uint32_t seen = 0;
  while (waitForOpening(seen)) {
    uint64_t now = gate.load(std::memory_order_relaxed);
    if (!isOpen(now) || openingsOf(now) == seen ||
        !gate.compare_exchange_strong(now, now + 1, std::memory_order_acquire))
      continue;
    seen = openingsOf(now);
    doPieces(number);
    gate.fetch_sub(1, std::memory_order_release);
  }
}

/// Waits until the gate opens again; false when the pool ends.
bool InvarThreads::waitForOpening(uint32_t seen) {
  auto isNew = [&](uint64_t now) {
    return isOpen(now) && openingsOf(now) != seen;
  };
  while (!isEnding.load(std::memory_order_relaxed)) {
    Clock::time_point end = Clock::now() + spin;
    do {
      for (int looks = 0; looks < 32; ++looks) {
        if (isNew(gate.load(std::memory_order_relaxed)))
          return true;
        relax();
      }
    } while (Clock::now() < end && !isEnding.load(std::memory_order_relaxed));

    uint32_t before = wakings.load(std::memory_order_seq_cst);
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    if (!isNew(gate.load(std::memory_order_seq_cst)) && !isEnding.load())
      sleepWhile(wakings, before);
    sleepers.fetch_sub(1, std::memory_order_relaxed);
  }
  return false;
}

Pieces::Pieces(int64_t units, int64_t grain, unsigned threads,
               bool canBeStopped)
    : units(units) {
  int64_t piecesPerThread = canBeStopped ? 64 : 4;
  int64_t least = std::max<int64_t>(grain, 1);
  count = std::clamp<int64_t>(units / least, 1, threads * piecesPerThread);
}

InvarStatus *invar_threads_create(int32_t count, int32_t spin_us,
                                  InvarThreads **threads) {
  constexpr int32_t most = 4096;
  if (count < 0 || count > most)
    return fail(INVAR_BAD_ARGUMENT, "expected 0 to ", most,
                " threads, but got ", count)
        .release();
  *threads = new ThreadPool(unsigned(count),
                            spin_us < 0 ? ThreadPool::usualSpin
                                        : std::chrono::microseconds(spin_us));
  return nullptr;
}

void invar_threads_retain(InvarThreads *threads) {
  if (threads)
    threads->references.fetch_add(1, std::memory_order_relaxed);
}

void invar_threads_release(InvarThreads *threads) {
  if (threads &&
      threads->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete threads;
}

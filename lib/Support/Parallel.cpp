// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/Parallel.h"

#include "invar/Stop/Scope.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <atomic>
#include <cassert>
#include <pthread.h>

using namespace invar;

unsigned invar::resolveThreads(unsigned requested) {
  return requested ? requested
                   : llvm::hardware_concurrency().compute_thread_count();
}

namespace {
struct Loop {
  uint64_t size;
  uint64_t grain;
  llvm::function_ref<void(uint64_t, uint64_t)> body;
  Stop *stop = StopScope::get();
  std::atomic<uint64_t> nextPiece{0};

  uint64_t numPieces() const { return size / grain + (size % grain != 0); }

  void work() {
    uint64_t pieces = numPieces();
    for (uint64_t i = nextPiece++; i < pieces; i = nextPiece++) {
      if (stop && stop->isDue())
        return;
      uint64_t begin = i * grain;
      body(begin, begin + std::min(grain, size - begin));
    }
  }
};
} // namespace

void invar::parallelFor(uint64_t size, uint64_t grain, unsigned threads,
                        llvm::function_ref<void(uint64_t, uint64_t)> body) {
  assert(grain > 0);
  Loop loop{size, grain, body};
  uint64_t useful =
      std::min<uint64_t>(resolveThreads(threads), loop.numPieces());

  // Not std::thread: without exceptions, a refused thread would end the process.
  llvm::SmallVector<pthread_t, 16> helpers;
  for (uint64_t i = 1; i < useful; ++i) {
    pthread_t helper;
    auto run = [](void *argument) -> void * {
      auto *loop = static_cast<Loop *>(argument);
      StopScope scope(loop->stop);
      loop->work();
      return nullptr;
    };
    if (pthread_create(&helper, nullptr, run, &loop) != 0)
      break;
    helpers.push_back(helper);
  }
  loop.work();
  for (pthread_t helper : helpers)
    pthread_join(helper, nullptr);
}

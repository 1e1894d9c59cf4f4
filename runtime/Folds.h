// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that are computed when a model first runs, and kept.
//
// All folds of a program run at once, on the threads of the session; who comes to the first
// run meanwhile waits. Each writes right where its results are to lie, in one range of
// memory, and lets go of the pages that it has read: so at no time is there much more in
// memory than what is kept. Where there is a folder for it, that range is a file, which
// others find, and need not compute anything.
#ifndef INVAR_RUNTIME_FOLDS_H
#define INVAR_RUNTIME_FOLDS_H

#include "Constants.h"
#include "FoldFile.h"
#include "ThreadPool.h"

#include <atomic>
#include <deque>
#include <mutex>

namespace invar::runtime {

struct FoldOptions {
  /// Where to keep results for others; empty for nowhere.
  std::string cache;
  void (*warn)(void *context, const char *text) = nullptr;
  void *context = nullptr;
};

class Folds {
public:
  /// `program` must outlive it.
  Status load(const Program &program, const InvarModule &module, Store &store,
              const FoldOptions &options);

  /// Where results lie; null where there are none.
  Store *getFolded() const { return folded.get(); }

  bool areDone() const { return isDone.load(std::memory_order_acquire); }
  /// Runs all folds, unless somebody has. `inputs` are those of the model.
  Status run(ThreadPool &threads, std::span<Value *const> inputs);

  /// How many folds have been run.
  uint64_t count() const { return numRun.load(std::memory_order_relaxed); }

private:
  struct Job;

  Status runOne(size_t number, ThreadPool &threads,
                std::span<Value *const> inputs);

  const Program *program = nullptr;
  const InvarKernel *kernels = nullptr;
  Store::Ref store, folded;
  /// Of each fold.
  std::deque<Constants> constants;

  FoldOptions options;
  std::unique_ptr<FoldFile> file;

  std::mutex lock; ///< of running
  std::atomic<bool> isDone = true;
  std::atomic<uint64_t> numRun = 0;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_FOLDS_H

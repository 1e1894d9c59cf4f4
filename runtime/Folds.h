// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that are computed when a model first runs, and kept.
//
// All folds of a program run at the same time, on the threads of the session. The
// session makes other runs wait until they are done. Each fold writes its results
// directly to their final place, in one range of memory, and releases the pages that
// it has read. So memory never holds much more than the results. If there is a cache
// folder, that range becomes a file, which other processes map instead of computing
// it.
//
// When a parameter is replaced, the folds that read it run again, into new memory.
// Runs that have begun continue with the old results.
//
// Constants from a file are verified before a run reads them (Store.h). If the file
// is damaged, the folds run after all, and the file is written again.
#ifndef INVAR_RUNTIME_FOLDS_H
#define INVAR_RUNTIME_FOLDS_H

#include "Bounds.h"
#include "Constants.h"
#include "FoldFile.h"
#include "KernelCheck.h"
#include "ThreadPool.h"

#include <atomic>

namespace invar::runtime {

struct FoldOptions {
  /// The folder in which results are kept for other processes; empty for none.
  std::string cache;
  void (*warn)(void *context, const char *text) = nullptr;
  void *context = nullptr;
};

class Folds {
public:
  /// `program` and `checks`, which may be null, must outlive it. Adds the places of
  /// the results, present or future, to `places`.
  Status load(const Program &program, const InvarModule &module,
              KernelChecks *checks, ConstantPlaces &places,
              const FoldOptions &options);

  bool areDone() const { return isDone.load(std::memory_order_acquire); }
  /// Runs all folds, for the first run. `inputs` are those of the model. One thread
  /// at a time. If it is stopped or fails, it must be called again; finished results
  /// are kept.
  Status run(const ConstantPlaces &places, ThreadPool &threads,
             std::span<Value *const> inputs, const Bounds &bounds);

  /// To be called after parameters were replaced in `places`. Computes the results
  /// that depend on them, if the folds have run before, and puts their new places
  /// into `places`. One thread at a time, and not during run().
  Status replace(std::span<const bool> isReplaced, ConstantPlaces &places,
                 ThreadPool &threads, const Bounds &bounds);

  /// Whether constants from a file have failed verification.
  static bool areDamaged(const ConstantPlaces &places);
  /// Restarts the folds after areDamaged(). First makeRoom() gives `places` new
  /// memory for the results. When new runs use that memory, restart() requests the
  /// next run() to fill it. One thread at a time, like replace().
  Status makeRoom(ConstantPlaces &places, Store::Ref &room) const;
  void restart(Store::Ref room, const Status &why);

  /// The number of folds that have been run.
  uint64_t count() const { return numRun.load(std::memory_order_relaxed); }

private:
  struct Job;

  void warn(const Status &status, const char *consequence) const;

  Status runOne(const Fold &fold, const ConstantPlaces &places,
                ThreadPool &threads, std::span<Value *const> inputs,
                const Bounds &bounds);
  Status runAll(std::span<const Fold *const> folds,
                const ConstantPlaces &places, ThreadPool &threads,
                std::span<Value *const> inputs, const Bounds &bounds);

  const Program *program = nullptr;
  const InvarKernel *kernels = nullptr;
  KernelChecks *checks = nullptr;
  /// The memory of the first results.
  Store::Ref folded;
  /// The folds whose results are complete, while others are not. Folds that depend on
  /// inputs are not reused: all of them must see the inputs of the same run.
  std::vector<const Fold *> finished;

  FoldOptions options;
  std::unique_ptr<FoldFile> file;

  std::atomic<bool> isDone = true;
  std::atomic<uint64_t> numRun = 0;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_FOLDS_H

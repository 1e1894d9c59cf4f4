// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that are computed when a model first runs, and kept.
//
// All folds of a program run at once, on the threads of the session; who comes to the first
// run meanwhile waits, which is up to the session. Each writes right where its results are
// to lie, in one range of memory, and lets go of the pages that it has read: so at no time
// is there much more in memory than what is kept. Where there is a folder for it, that range
// becomes a file, which others find, and need not compute anything.
//
// When a parameter is replaced, the folds that read it run again, into memory of their own:
// runs that have begun go on with what they have.
//
// What a file has kept is verified before a run reads it (Store.h). If it is damaged the
// folds run after all, and the file is written anew.
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
  /// Where to keep results for others; empty for nowhere.
  std::string cache;
  void (*warn)(void *context, const char *text) = nullptr;
  void *context = nullptr;
};

class Folds {
public:
  /// `program` and `checks`, which may be null, must outlive it. Adds to `places` where
  /// results lie, or are going to.
  Status load(const Program &program, const InvarModule &module,
              KernelChecks *checks, ConstantPlaces &places,
              const FoldOptions &options);

  bool areDone() const { return isDone.load(std::memory_order_acquire); }
  /// Runs all folds, the first time. `inputs` are those of the model. One thread at a time.
  /// Where it is stopped or fails, it is to run again; what has been computed stays.
  Status run(const ConstantPlaces &places, ThreadPool &threads,
             std::span<Value *const> inputs, const Bounds &bounds);

  /// Parameters have been replaced by others, which `places` has already. Computes what
  /// depends on them, if that has been done before, and then has `places` say where it lies.
  /// One thread at a time, and not while run() runs.
  Status replace(std::span<const bool> isReplaced, ConstantPlaces &places,
                 ThreadPool &threads, const Bounds &bounds);

  /// Whether what was kept in a file has turned out not to be what was written.
  static bool areDamaged(const ConstantPlaces &places);
  /// Then all are to run again. First `places` gets memory for results, and when runs read
  /// that, run() is to fill it. One thread at a time, as replace().
  Status makeRoom(ConstantPlaces &places, Store::Ref &room) const;
  void restart(Store::Ref room, const Status &why);

  /// How many folds have been run.
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
  /// Where the first results lie.
  Store::Ref folded;
  /// Those of the folds whose results lie there, while not all do. What depends on inputs is
  /// computed with one run's, all of it.
  std::vector<const Fold *> finished;

  FoldOptions options;
  std::unique_ptr<FoldFile> file;

  std::atomic<bool> isDone = true;
  std::atomic<uint64_t> numRun = 0;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_FOLDS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a Stop available to all work of a thread. The compiler computes constants,
// rewrites graphs and writes files deep below the function that can be cancelled,
// behind MLIR interfaces that have no parameter for a Stop. So that function sets a
// Stop for its thread:
//
//   Stop stop({.cancel = token});
//   StopScope scope(&stop);
//   compile(…);             // and below: if (StopScope::isDue()) return failure();
//
// parallelFor (Support/Parallel.h) passes it on to its threads, and so do the calls of
// the runtime (CallContext.h): kernels that both share poll in the same way. After a
// stop, no output file appears (Support/OutputFile.h), so skipped work has no visible
// effect.
#ifndef INVAR_STOP_SCOPE_H
#define INVAR_STOP_SCOPE_H

#include "invar/Stop/Stop.h"

namespace invar {

class StopScope {
public:
  /// With null, nothing stops the work.
  explicit StopScope(Stop *stop);
  ~StopScope();
  StopScope(const StopScope &) = delete;
  StopScope &operator=(const StopScope &) = delete;

  /// The Stop of this thread; null if nothing can stop it.
  static Stop *get();
  static bool isDue() {
    Stop *stop = get();
    return stop && stop->isDue();
  }

private:
  Stop *outer;
};

/// For a loop of small steps on one thread: polls in every `period`-th step.
class StopPoll {
public:
  explicit StopPoll(uint32_t period) : stop(StopScope::get()), period(period) {}

  /// Must be called once in each step.
  bool isDue() { return stop && ++steps % period == 0 && stop->isDue(); }

private:
  Stop *stop;
  uint32_t period, steps = 0;
};

} // namespace invar

#endif // INVAR_STOP_SCOPE_H

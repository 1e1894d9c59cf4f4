// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may stop the work of a thread. The compiler computes constants, rewrites graphs and
// writes files far below whoever may cancel it, behind interfaces of MLIR that hand nothing
// down. So who can be stopped says so for the thread that it works on:
//
//   Stop stop({.cancel = token});
//   StopScope scope(&stop);
//   compile(…);                        // and below: if (StopScope::isDue()) return failure();
//
// parallelFor (Support/Parallel.h) hands it on to its threads, and so do the calls of the
// runtime (CallContext.h): kernels that both share ask in the same way. Files do not appear any more
// once it is stopped (Support/OutputFile.h), so whatever was left out meanwhile is not seen.
#ifndef INVAR_STOP_SCOPE_H
#define INVAR_STOP_SCOPE_H

#include "invar/Stop/Stop.h"

namespace invar {

class StopScope {
public:
  /// Null lets nothing stop it.
  explicit StopScope(Stop *stop);
  ~StopScope();
  StopScope(const StopScope &) = delete;
  StopScope &operator=(const StopScope &) = delete;

  /// Of this thread; null where nothing can stop it.
  static Stop *get();
  static bool isDue() {
    Stop *stop = get();
    return stop && stop->isDue();
  }

private:
  Stop *outer;
};

/// For a loop of small steps on one thread: asks every `period` of them.
class StopPoll {
public:
  explicit StopPoll(uint32_t period) : stop(StopScope::get()), period(period) {}

  /// To be called once for each step.
  bool isDue() { return stop && ++steps % period == 0 && stop->isDue(); }

private:
  Stop *stop;
  uint32_t period, steps = 0;
};

} // namespace invar

#endif // INVAR_STOP_SCOPE_H

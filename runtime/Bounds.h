// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of a run: time and memory.
#ifndef INVAR_RUNTIME_BOUNDS_H
#define INVAR_RUNTIME_BOUNDS_H

#include "Status.h"
#include "invar/Stop/Stop.h"

#include <cstddef>
#include <cstdint>

namespace invar::runtime {

using invar::Stop;

struct Bounds {
  /// Null if nothing can stop the run.
  Stop *stop = nullptr;
  size_t memory = SIZE_MAX;

  bool limitsMemory() const { return memory != SIZE_MAX; }
};

/// The failure to return after work was stopped.
inline Status explainStop(const Stop &stop) {
  return {stop.getReason() == Stop::Reason::DeadlineExceeded
              ? INVAR_DEADLINE_EXCEEDED
              : INVAR_CANCELLED,
          stop.explain()};
}

/// Fails if the work must end. It may have to end before it begins.
inline Status checkStop(Stop *stop) {
  return stop && stop->isDue() ? explainStop(*stop) : Status::success();
}

} // namespace invar::runtime

#endif // INVAR_RUNTIME_BOUNDS_H

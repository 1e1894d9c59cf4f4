// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_INTERPRETER_H
#define INVAR_RUNTIME_INTERPRETER_H

#include "Constants.h"
#include "Frame.h"
#include "KernelCheck.h"
#include "ThreadPool.h"

#include <span>

namespace invar::runtime {

/// State that all runs of a program share.
struct Machine {
  const Program &program;
  const InvarKernel *kernels;
  /// Null unless the library checks its kernels.
  KernelChecks *checks;
  const Constants &constants;
  ThreadPool &threads;
};

/// Runs the program in a frame whose first object registers hold the inputs, up to
/// its RETURN. Returns the registers that RETURN names and leaves them unchanged.
/// With `profile`, the times of kernels and calls are in the frame's events.
///
/// The text of a failure begins with the node.
Status interpret(const Machine &machine, Frame &frame, bool profile,
                 std::span<const uint32_t> &returned);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_INTERPRETER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What takes a while: it runs without Python's lock, and can be stopped by a token, by the
// clock, and by Python itself.
//
//   - A signal that comes meanwhile is handed to Python's handlers within some milliseconds,
//     on the main thread, where they run. What they raise (KeyboardInterrupt) stops the work
//     and is what the call raises; if they raise nothing, the work goes on.
//   - When the interpreter exits, threads that it does not wait for (daemons) are stopped,
//     and never come back: Python 3.11 would unwind them through frames of C++, which ends
//     the process.
#ifndef INVAR_PYTHON_WAITING_H
#define INVAR_PYTHON_WAITING_H

#include "invar-c/Invar.hpp"

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>

namespace invar::python {

namespace nb = nanobind;

/// As Python says them: a token or null, and seconds.
struct Limits {
  const rt::Cancel *cancel = nullptr;
  std::optional<double> timeout;

  /// As the C API takes it: 0 for no deadline. Rejects what is no time.
  int64_t getTimeout() const;
};

/// Calls what takes bounds itself, on this thread. Memory is limited unless it is 0. Throws
/// what Python raises meanwhile, and a Failure.
void waitForRun(
    const Limits &limits, uint64_t memory,
    const std::function<InvarStatus *(const InvarRunOptions &)> &run);

/// The same of what takes a token, on a thread of its own.
void waitForWork(const Limits &limits,
                 const std::function<InvarStatus *(InvarCancel *)> &work);

void bindWaiting(nb::module_ &module);

} // namespace invar::python

#endif // INVAR_PYTHON_WAITING_H

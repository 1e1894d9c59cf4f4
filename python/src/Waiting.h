// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs long calls without Python's lock. They can be stopped by a token, by a timeout
// and by Python itself.
//
//   - A signal is passed to Python's handlers within some milliseconds, on the main thread.
//     If a handler raises (KeyboardInterrupt), the work stops and the call raises that
//     exception. If it raises nothing, the work goes on.
//   - When the interpreter exits, daemon threads, which it does not wait for, are stopped
//     and never return: Python 3.11 would unwind them through C++ frames, which ends the
//     process.
#ifndef INVAR_PYTHON_WAITING_H
#define INVAR_PYTHON_WAITING_H

#include "invar-c/Invar.hpp"

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>

namespace invar::python {

namespace nb = nanobind;

/// Limits from Python: a token or null, and seconds.
struct Limits {
  const rt::Cancel *cancel = nullptr;
  std::optional<double> timeout;

  /// In the form of the C API: 0 for no timeout. Rejects invalid numbers.
  int64_t getTimeout() const;
};

/// Calls a function that takes run options, on this thread. `memory` is a limit in
/// bytes, or 0 for none. Throws the exception that Python raises meanwhile, or a
/// Failure.
void waitForRun(
    const Limits &limits, uint64_t memory,
    const std::function<InvarStatus *(const InvarRunOptions &)> &run);

/// The same for a function that takes a token, on a separate thread.
void waitForWork(const Limits &limits,
                 const std::function<InvarStatus *(InvarCancel *)> &work);

void bindWaiting(nb::module_ &module);

} // namespace invar::python

#endif // INVAR_PYTHON_WAITING_H

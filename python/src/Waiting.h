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

#include "Failure.h"
#include "invar-c/Invar.hpp"

#include <nanobind/nanobind.h>

#include <chrono>
#include <functional>
#include <optional>

namespace invar::python {

namespace nb = nanobind;

/// The limits of a call from Python: a token or null, and seconds from now. They also
/// cover the conversion of its arguments and results.
class Limits {
public:
  /// Rejects invalid numbers.
  Limits(const rt::Cancel *cancel, std::optional<double> timeout);

  const rt::Cancel *getCancel() const { return cancel; }

  /// The time that is left, in the form of the C API: nanoseconds, 0 for no timeout,
  /// less than 0 if nothing is left.
  int64_t getTimeout() const;

  /// Throws if the call must end. Conversions of many objects call it regularly.
  void check() const;

  /// The failure of a call that reached the deadline. The runtime's text states the
  /// time that was left when it was called; this one states the timeout of the caller.
  Failure explainLate(std::string text) const;

private:
  using Clock = std::chrono::steady_clock;

  const rt::Cancel *cancel;
  std::optional<double> timeout;
  std::optional<Clock::time_point> deadline;
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

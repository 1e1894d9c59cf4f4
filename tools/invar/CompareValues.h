// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The difference of two values. An element's difference counts relative to the element,
// or relative to the root mean square of its tensor, whichever is greater. So small
// elements need not be more precise than the tensor as a whole.
#ifndef INVAR_TOOLS_INVAR_COMPAREVALUES_H
#define INVAR_TOOLS_INVAR_COMPAREVALUES_H

#include "Values.h"

namespace invar {

struct Tolerance {
  /// If not given, defaults that depend on the type.
  std::optional<double> relative, absolute;
};

struct ValueDifference {
  double absolute = 0, relative = 0;
  bool agrees = true;

  /// Combines this difference with that of another part.
  void add(const ValueDifference &part);
};

ValueDifference compareValues(const rt::Value &expected, const rt::Value &got,
                              const Tolerance &tolerance);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_COMPAREVALUES_H

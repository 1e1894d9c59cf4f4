// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far two values are apart. An element is not held to more digits than the tensor's own
// size gives it: its difference counts in relation to itself or, where that is more, to the
// root of the mean square of all.
#ifndef INVAR_TOOLS_INVAR_COMPAREVALUES_H
#define INVAR_TOOLS_INVAR_COMPAREVALUES_H

#include "Values.h"

namespace invar {

struct Tolerance {
  /// What suits the type where nothing is said.
  std::optional<double> relative, absolute;
};

struct ValueDifference {
  double absolute = 0, relative = 0;
  bool agrees = true;

  /// Takes in a part of the whole.
  void add(const ValueDifference &part);
};

ValueDifference compareValues(const rt::Value &expected, const rt::Value &got,
                              const Tolerance &tolerance);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_COMPAREVALUES_H

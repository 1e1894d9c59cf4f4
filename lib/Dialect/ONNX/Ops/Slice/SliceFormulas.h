// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_SLICEFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_SLICEFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

/// Whether a position is on the diagonal that is `k` above the main one, or on one side
/// of it.
struct IsInTriangle : Formula<OnInts> {
  int64_t k;
  int64_t upper;
  template <typename T> auto operator()(T row, T column) const {
    return upper ? column - row >= T(k) : column - row <= T(k);
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_SLICEFORMULAS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_GENERATEFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_GENERATEFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

/// Whether a position is on the diagonal that is `k` above the main one.
struct IsOnDiagonal : Formula<OnInts> {
  int64_t k;
  template <typename T> auto operator()(T row, T column) const {
    return column - row == T(k);
  }
};
/// Whether an index, counted from the end of `depth` positions if negative, is this
/// position.
struct IsIndexOf : Formula<OnFloats | OnInts, InDouble> {
  template <typename T> auto operator()(T index, T place, T depth) const {
    return select(index < T(0), T(index + depth), index) == place;
  }
};
struct Progression : Formula<OnFloats | OnInts, InDouble> {
  template <typename T> T operator()(T start, T delta, T place) const {
    return start + delta * place;
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_GENERATEFORMULAS_H

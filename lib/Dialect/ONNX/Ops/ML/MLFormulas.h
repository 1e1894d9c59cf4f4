// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ML_MLFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ML_MLFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

struct Binarize : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "binarize";
  double threshold;
  template <typename T> T operator()(T x) const {
    return select(x > T(threshold), T(1), T(0));
  }
};

/// Replaces missing elements, those equal to `replaced`, by `value`.
template <typename N, unsigned Domain> struct Impute : Formula<Domain> {
  N replaced;
  template <typename T> T operator()(T x, T value) const {
    auto isMissing = x == T(replaced) || (replaced != replaced && isNaN(x));
    return select(isMissing, value, x);
  }
};

/// Scales an element of a feature relative to an offset.
struct Scale : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "scale";
  template <typename T> T operator()(T x, T offset, T scale) const {
    return (x - offset) * scale;
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ML_MLFORMULAS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ATTENTIONFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ATTENTIONFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"
#include <limits>

namespace invar::onnx::formula {
using namespace scalar;

struct ScaledScore : Formula<OnFloats, InDouble> {
  double factor;
  template <typename T> T operator()(T x) const { return T(factor) * x; }
};
/// Limits scores smoothly.
struct SoftCap : Formula<OnFloats, InDouble> {
  double limit;
  template <typename T> T operator()(T x) const {
    return T(limit) * tanh(x / T(limit));
  }
};
/// Adds a bias to a score; a masked key stays masked, whatever its score.
struct Biased : Formula<OnFloats> {
  template <typename T> T operator()(T score, T bias) const {
    return select(bias == T(-std::numeric_limits<float>::infinity()), bias,
                  score + bias);
  }
};
/// Whether the distance between a key and its query is within the window.
struct InWindow : Formula<OnInts> {
  int64_t left, right;
  template <typename T> auto operator()(T distance) const {
    return distance >= T(-left) && distance <= T(right);
  }
};
struct IsBefore : Formula<OnInts> {
  template <typename T> auto operator()(T x, T y) const { return x < y; }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ATTENTIONFORMULAS_H

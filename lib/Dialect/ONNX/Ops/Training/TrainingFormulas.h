// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of optimizers as formulas of a tensor x, its gradient g and what is kept of
// the steps before. `norm` makes the gradient grow with x, which keeps x small.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_TRAINING_TRAININGFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_TRAINING_TRAININGFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

/// The gradient with what `norm` adds to it.
struct Regularize : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "regularize";
  double norm;
  template <typename T> T operator()(T x, T g) const { return T(norm) * x + g; }
};

/// Squares summed up.
struct AddSquare : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "add square";
  double keep, add;
  template <typename T> T operator()(T h, T g) const {
    return T(keep) * h + T(add) * (g * g);
  }
};

/// A sum that forgets.
struct AddMomentum : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "add momentum";
  double keep, add;
  template <typename T> T operator()(T v, T g) const {
    return T(keep) * v + T(add) * g;
  }
};

/// A step down the gradient, shorter where squares are great.
struct ScaledStep : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "scaled step";
  double rate, epsilon, shrink;
  template <typename T> T operator()(T x, T g, T h) const {
    return T(shrink) * (x - T(rate) * (g / (sqrt(h) + T(epsilon))));
  }
};

/// A step down the momentum.
struct MomentumStep : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "momentum step";
  double rate;
  template <typename T> T operator()(T x, T v) const { return x - T(rate) * v; }
};

/// A step down the gradient, seen from where the momentum leads.
struct NesterovStep : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "nesterov step";
  double rate, keep;
  template <typename T> T operator()(T x, T v, T g) const {
    return x - T(rate) * (g + T(keep) * v);
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_TRAINING_TRAININGFORMULAS_H

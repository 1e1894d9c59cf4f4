// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of optimizers as formulas of a tensor x, its gradient g and the state kept
// from earlier steps. `norm` lets the gradient grow with x, which keeps x small. Values
// that depend on the learning rate or the number of steps have type R: double if they
// are known at compile time, otherwise a number of the program.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_TRAINING_TRAININGFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_TRAINING_TRAININGFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

/// The learning rate of Adagrad after `count` steps.
template <typename T> T decayRate(T rate, T count, double decay) {
  return rate / (T(1) + count * T(decay));
}
/// The learning rate of Adam. Both moments begin at zero; the first steps compensate
/// for this.
template <typename T> T adjustRate(T rate, T count, double alpha, double beta) {
  T adjusted =
      rate * sqrt(T(1) - pow(T(beta), count)) / (T(1) - pow(T(alpha), count));
  return select(count > T(0), adjusted, rate);
}
/// The share of the gradient that is added to the momentum: `beta`, but `all` in the
/// first step.
template <typename T> T addedShare(T count, T beta, T all) {
  return select(count > T(0), beta, all);
}

/// The gradient plus the regularization by `norm`.
struct Regularize : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "regularize";
  double norm;
  template <typename T> T operator()(T x, T g) const { return T(norm) * x + g; }
};

/// A sum of squares that decays by the factor `keep`.
struct AddSquare : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "add square";
  double keep, add;
  template <typename T> T operator()(T h, T g) const {
    return T(keep) * h + T(add) * (g * g);
  }
};

/// A sum that decays by the factor `keep`.
template <typename R> struct AddMomentum : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "add momentum";
  double keep;
  R add;
  template <typename T> T operator()(T v, T g) const {
    return T(keep) * v + T(add) * g;
  }
};

/// A step along the gradient, shorter if the squares are large.
template <typename R> struct ScaledStep : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "scaled step";
  R rate;
  double epsilon, shrink;
  template <typename T> T operator()(T x, T g, T h) const {
    return T(shrink) * (x - T(rate) * (g / (sqrt(h) + T(epsilon))));
  }
};

/// A step along the momentum.
template <typename R> struct MomentumStep : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "momentum step";
  R rate;
  template <typename T> T operator()(T x, T v) const { return x - T(rate) * v; }
};

/// A step along the gradient, corrected by the momentum.
template <typename R> struct NesterovStep : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "nesterov step";
  R rate;
  double keep;
  template <typename T> T operator()(T x, T v, T g) const {
    return x - T(rate) * (g + T(keep) * v);
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_TRAINING_TRAININGFORMULAS_H

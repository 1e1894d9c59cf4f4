// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of optimizers as formulas of a tensor x, its gradient g and what is kept of
// the steps before. `norm` makes the gradient grow with x, which keeps x small. What depends
// on the learning rate or on how many steps were made is of a type R: a double where they
// are known, else a number of the program.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_TRAINING_TRAININGFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_TRAINING_TRAININGFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

/// The rate of Adagrad after so many steps.
template <typename T> T decayRate(T rate, T count, double decay) {
  return rate / (T(1) + count * T(decay));
}
/// The rate of Adam: both moments begin at zero, which the first steps make up for.
template <typename T> T adjustRate(T rate, T count, double alpha, double beta) {
  T adjusted =
      rate * sqrt(T(1) - pow(T(beta), count)) / (T(1) - pow(T(alpha), count));
  return select(count > T(0), adjusted, rate);
}
/// How much of the gradient joins the momentum: `beta`, but in the first step all.
template <typename T> T addedShare(T count, T beta, T all) {
  return select(count > T(0), beta, all);
}

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
template <typename R> struct AddMomentum : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "add momentum";
  double keep;
  R add;
  template <typename T> T operator()(T v, T g) const {
    return T(keep) * v + T(add) * g;
  }
};

/// A step down the gradient, shorter where squares are great.
template <typename R> struct ScaledStep : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "scaled step";
  R rate;
  double epsilon, shrink;
  template <typename T> T operator()(T x, T g, T h) const {
    return T(shrink) * (x - T(rate) * (g / (sqrt(h) + T(epsilon))));
  }
};

/// A step down the momentum.
template <typename R> struct MomentumStep : Formula<OnFloats> {
  static constexpr llvm::StringLiteral name = "momentum step";
  R rate;
  template <typename T> T operator()(T x, T v) const { return x - T(rate) * v; }
};

/// A step down the gradient, seen from where the momentum leads.
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

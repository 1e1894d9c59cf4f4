// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of recurrent layers. The product of inputs and weights is one matrix
// product for all steps, computed before. These functions compute what each step passes
// on to the next.
#ifndef INVAR_KERNELS_RECURRENT_H
#define INVAR_KERNELS_RECURRENT_H

#include <cstdint>

namespace invar::kernels {

enum class Activation : uint8_t {
  Affine,
  Elu,
  HardSigmoid,
  LeakyRelu,
  Relu,
  ScaledTanh,
  Sigmoid,
  Softplus,
  Softsign,
  Tanh,
  ThresholdedRelu,
};

struct ActivationFunction {
  Activation kind = Activation::Tanh;
  double alpha = 0, beta = 0;

  template <typename T> T operator()(T x) const;
};

enum class Cell : uint8_t { Plain, Gated, LongShortTerm };

/// The rows of weights for each hidden unit: one; or update, reset and hidden; or
/// input, output, forget and cell.
constexpr int64_t countGates(Cell cell) {
  return cell == Cell::Plain ? 1 : cell == Cell::Gated ? 3 : 4;
}

/// One direction of a layer. G is the number of gates times the hidden units.
template <typename T> struct RecurrentLayer {
  Cell cell;
  int64_t hidden;
  /// For gates, for the new state, and for the memory when it is read.
  ActivationFunction f, g, h;
  /// The inputs of f and g are clamped to [-clip, clip].
  T clip;
  /// For a gated cell: whether the reset is applied after the product.
  bool linearBeforeReset;
  /// For a long short-term cell: whether the forget gate is 1 minus the input gate.
  bool coupled;
  /// hidden x G.
  const T *weights;
  /// G elements each, for the inputs and for the states, or null.
  const T *inputBias, *stateBias;
  /// For input, output and forget gates; or null.
  const T *peepholes;

  /// Runs one sequence. `inputs` is steps x G; `results`, if not null, is steps x
  /// hidden. With `reverse`, it runs from the last step to the first. `state` and, for
  /// a long short-term cell, `memory` are updated.
  void run(const T *inputs, int64_t steps, bool reverse, T *state, T *memory,
           T *results) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_RECURRENT_H

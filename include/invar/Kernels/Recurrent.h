// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of recurrent layers. What the weights make of the inputs is one matrix product
// for all steps, and is done before; here is what goes from one step to the next.
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

/// Rows of weights for each hidden unit: one, or update, reset and hidden, or input, output,
/// forget and cell.
constexpr int64_t countGates(Cell cell) {
  return cell == Cell::Plain ? 1 : cell == Cell::Gated ? 3 : 4;
}

/// One direction of a layer. G is the number of gates times the hidden units.
template <typename T> struct RecurrentLayer {
  Cell cell;
  int64_t hidden;
  /// Of gates, of the new state, and of the memory when it is read.
  ActivationFunction f, g, h;
  /// What goes into an activation is kept within [-clip, clip].
  T clip;
  /// Of a gated cell: whether the reset comes after the product.
  bool linearBeforeReset;
  /// Of the long short-term one: whether it forgets as much as it takes in.
  bool coupled;
  /// hidden x G.
  const T *weights;
  /// G each, of the inputs and of the states, or null.
  const T *inputBias, *stateBias;
  /// Of input, output and forget gates; or null.
  const T *peepholes;

  /// One sequence. `inputs` are steps x G, and `results`, if not null, steps x hidden; from
  /// the last step to the first if `reverse`. `state` and, of a long short-term cell,
  /// `memory` are the ones before and after.
  void run(const T *inputs, int64_t steps, bool reverse, T *state, T *memory,
           T *results) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_RECURRENT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering of one step of a recurrent layer: a product of the state and its
// weights, and a few formulas. Gates have a separate axis, [gates, hidden], so that a
// formula reads only the gates that it needs.
//
// A step after the end of a sequence leaves its state unchanged. So in reverse
// direction all sequences begin at the last step, and the states of shorter ones stay
// unchanged until their own last step.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_RECURRENT_RECURRENTSTEPSTOLINALG_H
#define INVAR_LIB_DIALECT_ONNX_OPS_RECURRENT_RECURRENTSTEPSTOLINALG_H

#include "RecurrentActivations.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "mlir/IR/TypeUtilities.h"

namespace invar::onnx {

/// The values that are carried from step to step: [batch, hidden] each.
struct RecurrentState {
  mlir::Value state, memory;
};

/// One direction of a layer; its operands have no axis for directions.
struct RecurrentDirection {
  kernels::Cell cell;
  ActivationFunctions functions;
  std::optional<double> clip = {};
  bool isReversed = false, isLinearBeforeReset = false, isCoupled = false;
  /// [steps, batch, gates, hidden], with all biases that can be added in advance; and
  /// [gates, hidden, hidden].
  mlir::Value inputs = {}, weights = {};
  /// The bias of the states, [gates, hidden], if it is not part of the inputs; and [3,
  /// hidden].
  mlir::Value stateBias = {}, peepholes = {};
  RecurrentState initial = {};
};

/// The steps of a layer.
class RecurrentSteps {
public:
  RecurrentSteps(Lowering &to, const RecurrentDirection &direction,
                 mlir::Value lengths)
      : to(to), layer(direction), lengths(lengths),
        rows(to, direction.initial.state, {}),
        workType(
            mlir::getElementTypeOrSelf(direction.initial.state.getType())) {}

  /// Returns the state after one step, at a position of the inputs.
  RecurrentState run(mlir::Value place, const RecurrentState &before) const;
  /// Returns the output of a step, given the state after it; zeros after the end of a
  /// sequence.
  mlir::Value show(mlir::Value place, mlir::Value state,
                   mlir::Type elementType) const;
  /// Returns the last state; zeros for a sequence without steps.
  mlir::Value finish(mlir::Value state, mlir::Type elementType) const;

private:
  /// The operand that loops over [batch, hidden] read from a tensor [n, hidden] or
  /// [batch, n, hidden].
  LoopOperand at(mlir::Value tensor, int64_t gate) const;
  /// Returns the product of states and the weights of these gates, [batch, gates,
  /// hidden].
  mlir::Value multiply(mlir::Value state, int64_t first, int64_t count) const;
  Number clip(Number x) const;
  /// Clips x and applies one of the functions.
  Number apply(size_t function, Number x) const;
  RecurrentState runPlain(mlir::Value inputs,
                          const RecurrentState &before) const;
  RecurrentState runGated(mlir::Value inputs,
                          const RecurrentState &before) const;
  RecurrentState runLongShortTerm(mlir::Value inputs,
                                  const RecurrentState &before) const;
  /// Returns `now` where a sequence has not ended at a position, otherwise `otherwise`.
  mlir::Value choose(mlir::Value place, mlir::Value now, mlir::Value otherwise,
                     mlir::Type elementType) const;

  Lowering &to;
  const RecurrentDirection &layer;
  mlir::Value lengths;
  Rows rows;
  mlir::Type workType;
};

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_RECURRENT_RECURRENTSTEPSTOLINALG_H

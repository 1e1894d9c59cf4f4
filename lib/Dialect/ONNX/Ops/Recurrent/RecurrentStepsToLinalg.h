// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a recurrent layer, on its way down: a product of the state and its weights, and
// a few formulas. Gates are an axis of their own, [gates, hidden], so that formulas read what
// they need of it.
//
// A step at which a sequence has ended leaves its state as it is. So sequences that are gone
// through from their ends all begin at the last step, and wait until it is their turn.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_RECURRENT_RECURRENTSTEPSTOLINALG_H
#define INVAR_LIB_DIALECT_ONNX_OPS_RECURRENT_RECURRENTSTEPSTOLINALG_H

#include "RecurrentActivations.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "mlir/IR/TypeUtilities.h"

namespace invar::onnx {

/// What is carried from step to step: [batch, hidden] each.
struct RecurrentState {
  mlir::Value state, memory;
};

/// One direction of a layer, its operands without the axis for directions.
struct RecurrentDirection {
  kernels::Cell cell;
  ActivationFunctions functions;
  std::optional<double> clip;
  bool isReversed, isLinearBeforeReset, isCoupled;
  /// [steps, batch, gates, hidden] with all biases that can be added before, and
  /// [gates, hidden, hidden].
  mlir::Value inputs, weights;
  /// Of the states, [gates, hidden], where they are not in the inputs; and [3, hidden].
  mlir::Value stateBias, peepholes;
  RecurrentState initial;
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

  /// The state after one step, at a place of the inputs.
  RecurrentState run(mlir::Value place, const RecurrentState &before) const;
  /// What a step shows of the state after it.
  mlir::Value show(mlir::Value place, mlir::Value state,
                   mlir::Type elementType) const;
  /// The last state; of a sequence that has no steps, zeros.
  mlir::Value finish(mlir::Value state, mlir::Type elementType) const;

private:
  /// A tensor [n, hidden] or [batch, n, hidden], seen from [batch, hidden].
  LoopOperand at(mlir::Value tensor, int64_t gate) const;
  /// The product of states and the weights of these gates, [batch, gates, hidden].
  mlir::Value multiply(mlir::Value state, int64_t first, int64_t count) const;
  Number clip(Number x) const;
  /// One of the functions, of what it is clipped to.
  Number apply(size_t function, Number x) const;
  RecurrentState runPlain(mlir::Value inputs,
                          const RecurrentState &before) const;
  RecurrentState runGated(mlir::Value inputs,
                          const RecurrentState &before) const;
  RecurrentState runLongShortTerm(mlir::Value inputs,
                                  const RecurrentState &before) const;
  /// `now` where a sequence goes on at a place, else `otherwise`.
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

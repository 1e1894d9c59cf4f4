// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of rules, each of which adds its own.
#ifndef INVAR_LIB_SIMPLIFY_RULES_H
#define INVAR_LIB_SIMPLIFY_RULES_H

#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Dialect/ONNX/SameSizes.h"
#include "invar/Simplify/Rule.h"

namespace invar {

void addActivationDecomposeRules(std::vector<Rule> &rules);
void addAlgebraRules(std::vector<Rule> &rules);
void addAttentionDecomposeRules(std::vector<Rule> &rules);
void addAttentionRules(std::vector<Rule> &rules);
void addAxesRules(std::vector<Rule> &rules);
void addCastRules(std::vector<Rule> &rules);
void addConcatRules(std::vector<Rule> &rules);
void addConstantRules(std::vector<Rule> &rules);
void addControlRules(std::vector<Rule> &rules);
void addDecomposeRules(std::vector<Rule> &rules);
void addEinsumRules(std::vector<Rule> &rules);
void addFuseRules(std::vector<Rule> &rules);
void addGemmRules(std::vector<Rule> &rules);
void addHoistRules(std::vector<Rule> &rules);
void addIdentityRules(std::vector<Rule> &rules);
void addInlineRules(std::vector<Rule> &rules);
void addLoopRules(std::vector<Rule> &rules);
void addLayoutDecomposeRules(std::vector<Rule> &rules);
void addLossDecomposeRules(std::vector<Rule> &rules);
void addMeetingTransposeRules(std::vector<Rule> &rules);
void addMergeRules(std::vector<Rule> &rules);
void addMovementRules(std::vector<Rule> &rules);
void addNormalizationRules(std::vector<Rule> &rules);
void addNormalizationScaleRules(std::vector<Rule> &rules);
void addNormalizeDecomposeRules(std::vector<Rule> &rules);
void addQuantizeRules(std::vector<Rule> &rules);
void addRecomposeRules(std::vector<Rule> &rules);
void addReshapeRules(std::vector<Rule> &rules);
void addResultRules(std::vector<Rule> &rules);
void addSequenceRules(std::vector<Rule> &rules);
void addScatterRules(std::vector<Rule> &rules);
void addShapeRules(std::vector<Rule> &rules);
void addSliceRules(std::vector<Rule> &rules);
void addSoftmaxRules(std::vector<Rule> &rules);
/// What the sweep does by itself, for lists and options.
void addSweepRules(std::vector<Rule> &rules);
void addTargetRules(std::vector<Rule> &rules);
void addTransposeRules(std::vector<Rule> &rules);

/// A longer list of operands goes into no other: along a chain, each step would copy it.
inline constexpr size_t mostFlattened = 64;

/// Whether equal operands and attributes mean equal results, and nothing else happens.
bool isFunction(mlir::Operation *op);
/// Whether each element of the result is something of the one element there of the only
/// operand.
bool isElementwise(mlir::Operation *op);
/// Puts values in the place of all results of an operator; null where a result has no use.
void replaceAll(mlir::Operation *op, llvm::ArrayRef<mlir::Value> values,
                Rewriting &rewriting);

/// None where it is not known.
std::optional<int64_t> getRank(mlir::Value value);
/// Axes that a constant lists, counted from the front of `rank` axes.
std::optional<llvm::SmallVector<int64_t>>
getAxes(mlir::Value list, int64_t rank, const Rewriting &rewriting);
/// Whether two tensors are known to have the same shape and element type.
bool haveSameType(mlir::Value a, mlir::Value b);

/// Whether two values are known to be the same constant, as far as they are small.
bool areSameConstants(mlir::Value a, mlir::Value b, const Rewriting &rewriting);

/// Whether an operator is a Scan of an opset in which that has a batch: here one Scan inside
/// of another. Both stay as they are, so that they are one when they are written.
bool hasBatch(mlir::Operation *op, const Rewriting &rewriting);

/// Whether the body of a Loop or a Scan is known to run.
bool runsAtLeastOnce(mlir::Operation *op, Rewriting &rewriting);

/// Whether statistics come from operands, and not from what is normalized.
bool isInference(onnx::BatchNormalizationOp op);
/// What a batch normalization multiplies with and adds, by channel.
std::optional<std::pair<mlir::Value, mlir::Value>>
getScaleAndShift(onnx::BatchNormalizationOp op, Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_RULES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per file of rules, which adds that file's rules, and helpers that rules
// share.
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
/// The rules that the sweep implements, for listings and options.
void addSweepRules(std::vector<Rule> &rules);
void addTargetRules(std::vector<Rule> &rules);
void addTransposeRules(std::vector<Rule> &rules);

/// A longer operand list is not merged into another one: in a chain, each step would
/// copy it.
inline constexpr size_t mostFlattened = 64;

/// Whether equal operands and attributes imply equal results, without side effects.
bool isFunction(mlir::Operation *op);
/// Whether each element of the result depends only on the element at the same position
/// of the only operand.
bool isElementwise(mlir::Operation *op);
/// Replaces all results of an operator; a value may be null for an unused result.
void replaceAll(mlir::Operation *op, llvm::ArrayRef<mlir::Value> values,
                Rewriting &rewriting);

/// None if it is unknown.
std::optional<int64_t> getRank(mlir::Value value);
/// The axes in a constant list, counted from the front of `rank` axes.
std::optional<llvm::SmallVector<int64_t>>
getAxes(mlir::Value list, int64_t rank, const Rewriting &rewriting);
/// Whether two tensors are known to have the same shape and element type.
bool haveSameType(mlir::Value a, mlir::Value b);

/// Whether two values are known to be the same constant. Only small constants are
/// compared.
bool areSameConstants(mlir::Value a, mlir::Value b, const Rewriting &rewriting);

/// Whether an operator is a Scan of an opset in which Scan has a batch; here that is a
/// Scan inside of another Scan. Both stay unchanged, so that they become one operator
/// when the model is written.
bool hasBatch(mlir::Operation *op, const Rewriting &rewriting);

/// Whether the body of a Loop or a Scan is known to run.
bool runsAtLeastOnce(mlir::Operation *op, Rewriting &rewriting);

/// Whether statistics come from operands, not from the normalized tensor.
bool isInference(onnx::BatchNormalizationOp op);
/// The factor and the summand of a batch normalization, by channel.
std::optional<std::pair<mlir::Value, mlir::Value>>
getScaleAndShift(onnx::BatchNormalizationOp op, Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_RULES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inference, folding, canonicalization and decomposition in one pass.
//
// Each of these enables the others. A Reshape whose target is computed from shapes
// becomes one with a constant target; then the shape of an Einsum after it is known;
// then computations with that shape are constant, and so on through all layers of a
// model. Separate passes would have to be repeated as often as there are layers. Here
// an operator is visited when all operators before it are settled, and everything is
// done to it at once:
//
//   phase 1   infer, fold, apply rules, merge equal operators: one sweep (Sweep.h)
//   phase 2   recompose operators that are one operator in a newer opset (Rule.h)
//   phase 3   choose which constants to store, and store them (ConstantPropagation.h)
//
// Phases 1 and 2 alternate until neither changes anything, usually after the second
// phase. So a simplified model does not change when it is simplified again.
#ifndef INVAR_SIMPLIFY_SIMPLIFY_H
#define INVAR_SIMPLIFY_SIMPLIFY_H

#include "invar/Simplify/ConstantPropagation.h"
#include "invar/Simplify/Rule.h"
#include "llvm/ADT/MapVector.h"

namespace invar {

struct SimplifyOptions {
  /// How to fold; none disables folding.
  std::optional<onnx::FoldOptions> fold = onnx::FoldOptions();
  RuleOptions rules;
  GrowthLimit growth;
  /// Whether constants replace the operators that compute them.
  bool storeConstants = true;
  /// The version of ai.onnx that the model will be written in; 0 keeps its own.
  int64_t opset = 0;
  /// Whether to record the outcome for each node, and the time of each rule.
  bool record = false;

  /// Options for a model that is lowered next, and not written as ONNX again.
  static SimplifyOptions forLowering();
};

/// The names, without "invar-", of the passes that run a part of simplification.
llvm::ArrayRef<llvm::StringRef> getPartNames();
/// Disables all options that do not belong to this part.
void restrictTo(llvm::StringRef part, SimplifyOptions &options);

struct RuleStatistics {
  unsigned tried = 0, applied = 0;
  /// Only if SimplifyOptions::record is set.
  double microseconds = 0;
};

/// A node that was removed or added, and the cause.
struct NodeChange {
  bool isNew;
  /// The node's name, or its first result's, and its operator.
  std::string node, type;
  /// The name of a rule, or "fold".
  std::string cause;
};

struct SimplifyResult {
  /// How often inference visited operators.
  unsigned visits = 0;
  /// The outcomes for operators whose operands are constants, in program order.
  std::vector<FoldDecision> decisions;
  /// By rule name; only rules that were tried.
  llvm::MapVector<llvm::StringRef, RuleStatistics> rules;
  /// Only if SimplifyOptions::record is set.
  std::vector<NodeChange> changes;
  /// Requests that could not be fulfilled, and why.
  std::vector<std::string> warnings;
};

/// Simplifies all graphs and functions of `module`. If shapes contradict each other,
/// emits an error and fails.
mlir::FailureOr<SimplifyResult> simplify(mlir::ModuleOp module,
                                         const onnx::ShapeFacts &facts,
                                         const SimplifyOptions &options);

} // namespace invar

#endif // INVAR_SIMPLIFY_SIMPLIFY_H

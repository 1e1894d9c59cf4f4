// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inference, folding, canonicalization and decomposition in one pass.
//
// Each of these finds work for the others. A Reshape whose target is computed from shapes
// becomes one with a constant target, then an Einsum after it has a known shape, then what
// takes that one's shape apart is constant, and so on through all layers of a model. Taken
// one after another, passes would have to be repeated as often as there are layers. Here an
// operator is visited when all before it is settled, and everything is done to it at once:
//
//   phase 1   infer, fold, apply rules, merge what is equal: one way from the top (Sweep.h)
//   phase 2   recompose what is one operator in a newer opset (Rule.h)
//   phase 3   choose which constants to store, and store them (ConstantPropagation.h)
//
// Phases 1 and 2 change places until neither finds anything, which is after the second
// phase as a rule. So a model that was simplified stays as it is.
#ifndef INVAR_SIMPLIFY_SIMPLIFY_H
#define INVAR_SIMPLIFY_SIMPLIFY_H

#include "invar/Simplify/ConstantPropagation.h"
#include "invar/Simplify/Rule.h"
#include "llvm/ADT/MapVector.h"

namespace invar {

struct SimplifyOptions {
  /// What is folded, and how; none is to leave values alone.
  std::optional<onnx::FoldOptions> fold = onnx::FoldOptions();
  RuleOptions rules;
  GrowthLimit growth;
  /// Whether constants take the place of what computes them.
  bool storeConstants = true;
  /// The version of ai.onnx that the model will be written in; 0 is its own.
  int64_t opset = 0;
  /// Whether to note what became of each node, and how long each rule took.
  bool record = false;
};

/// The passes that do a part of it alone, by their names without "invar-".
llvm::ArrayRef<llvm::StringRef> getPartNames();
/// Leaves on what this part does, of what `options` has on.
void restrictTo(llvm::StringRef part, SimplifyOptions &options);

struct RuleStatistics {
  unsigned tried = 0, applied = 0;
  /// If asked for.
  double microseconds = 0;
};

/// A node that is not there any more, or was not before, and what did that.
struct NodeChange {
  bool isNew;
  /// The node's name, or its first result's, and its operator.
  std::string node, type;
  /// The name of a rule, or "fold".
  std::string cause;
};

struct SimplifyResult {
  /// Visits of inference to operators.
  unsigned visits = 0;
  /// What became of the operators of constants, in the order of the program.
  std::vector<FoldDecision> decisions;
  /// By the name of the rule; those that were tried.
  llvm::MapVector<llvm::StringRef, RuleStatistics> rules;
  /// If asked for.
  std::vector<NodeChange> changes;
  /// What was asked for and could not be done, and why.
  std::vector<std::string> warnings;
};

/// Simplifies all graphs and functions of `module`. Fails, having emitted an error, where
/// shapes contradict each other.
mlir::FailureOr<SimplifyResult> simplify(mlir::ModuleOp module,
                                         const onnx::ShapeFacts &facts,
                                         const SimplifyOptions &options);

} // namespace invar

#endif // INVAR_SIMPLIFY_SIMPLIFY_H

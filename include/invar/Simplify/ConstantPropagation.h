// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces what is constant by constants.
//
// Shape inference finds out on its way which values are constant, and what they are,
// without computing them (TypeInference.h, Elements.h). What is left to do is to choose:
// each constant that something variable uses is either stored in its place, or computed by
// the operators that compute it now from constants that are stored further up. Budget.h
// finds the cheapest choice for a whole graph at once. Before that, rules (Rule.h) bring
// constants together.
#ifndef INVAR_SIMPLIFY_CONSTANTPROPAGATION_H
#define INVAR_SIMPLIFY_CONSTANTPROPAGATION_H

#include "invar/Simplify/Rule.h"

namespace invar {

struct ConstantPropagationOptions {
  onnx::FoldOptions fold;
  RuleOptions rules;
  /// By how much the constants of a model may grow: a part of their bytes, and bytes.
  double maxGrowth = 0;
  uint64_t freeGrowth = 64 << 10;
};

/// What became of an operator that computes with nothing but constants.
struct FoldDecision {
  enum Outcome {
    /// Its results are stored.
    Stored,
    /// Its results went into others that are stored, or nothing needs them.
    Absorbed,
    /// Its results are known, but to store them would make the model bigger.
    Kept,
    /// It could not be computed.
    Refused,
  };
  Outcome outcome;
  /// The node's name, or its first result's, and its operator.
  std::string node, type;
  /// Why it is still there.
  std::string reason;
  /// Of its operands and its results.
  uint64_t bytesIn = 0, bytesOut = 0;
  /// What it took to know its results; what is big is computed when it is written.
  double microseconds = 0;
};

/// "stored", "absorbed", "kept" or "refused".
llvm::StringRef getName(FoldDecision::Outcome outcome);

struct ConstantPropagationResult {
  unsigned visits = 0;
  /// In the order of the program.
  std::vector<FoldDecision> decisions;
  RuleCounts applied;
};

/// Infers all types of `module` and propagates constants through it. Fails, having emitted
/// an error, where shapes contradict each other.
mlir::FailureOr<ConstantPropagationResult>
propagateConstants(mlir::ModuleOp module, const onnx::ShapeFacts &facts,
                   const ConstantPropagationOptions &options);

} // namespace invar

#endif // INVAR_SIMPLIFY_CONSTANTPROPAGATION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces values that are known at compile time by stored constants.
//
// Inference determines which values are constant, and their content, without computing
// them (TypeInference.h, Elements.h). This file makes the remaining choice: each
// constant that a non-constant operator uses is either stored, or stays computed, by
// its present operators, from constants that are stored further up. ConstantGraph.h
// finds the cheapest choice for a whole graph at once.
#ifndef INVAR_SIMPLIFY_CONSTANTPROPAGATION_H
#define INVAR_SIMPLIFY_CONSTANTPROPAGATION_H

#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar {

/// By how much the constants of a graph may grow: a fraction of their bytes, plus
/// bytes.
struct GrowthLimit {
  double part = 0;
  uint64_t bytes = 64 << 10;
  /// Whether a DequantizeLinear of a constant stays: engines recognize quantized
  /// operators by it.
  bool keepsQuantized = true;
  /// Whether a Transpose of a constant stays if its operand also has other,
  /// non-constant users, for example an embedding that is tied to a matrix product.
  /// Folding it would store the constant twice.
  bool keepsTied = false;
  /// Whether sparse constants are stored in sparse form.
  bool keepsSparse = true;
};

/// The outcome for an operator whose operands are all constants.
struct FoldDecision {
  enum Outcome {
    /// Its results are stored.
    Stored,
    /// Its results are part of other stored results, or unused.
    Absorbed,
    /// Its results are known, but storing them would make the model bigger.
    Kept,
    /// It could not be computed.
    Refused,
  };
  Outcome outcome;
  /// The node's name, or its first result's, and its operator.
  std::string node, type;
  /// Why the operator is still there.
  std::string reason;
  /// The total sizes of its operands and of its results.
  uint64_t bytesIn = 0, bytesOut = 0;
  /// The time to fold the operator. Big results are computed only when they are
  /// written.
  double microseconds = 0;
};

/// "stored", "absorbed", "kept" or "refused".
llvm::StringRef getName(FoldDecision::Outcome outcome);

/// Stores the constants of a graph that inference has found. Calls `erasing` before it
/// erases an operator, and `storing` for each new constant after its users refer to it.
/// `isBody` is true for the body of a function, which has no initializers.
std::vector<FoldDecision>
storeConstants(mlir::Region &graph, onnx::TypeInference &inference,
               const GrowthLimit &growth, bool isBody,
               llvm::function_ref<void(mlir::Operation *)> erasing,
               llvm::function_ref<void(mlir::Value)> storing);

/// The name of a node in reports, and the name of its operator.
std::string getNodeName(mlir::Operation *op);
std::string getNodeType(mlir::Operation *op);

} // namespace invar

#endif // INVAR_SIMPLIFY_CONSTANTPROPAGATION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces what is constant by constants.
//
// Inference finds out on its way which values are constant, and what they are, without
// computing them (TypeInference.h, Elements.h). What is left to do is to choose: each
// constant that something variable uses is either stored in its place, or computed by the
// operators that compute it now from constants that are stored further up. ConstantGraph.h
// finds the cheapest choice for a whole graph at once.
#ifndef INVAR_SIMPLIFY_CONSTANTPROPAGATION_H
#define INVAR_SIMPLIFY_CONSTANTPROPAGATION_H

#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar {

/// By how much the constants of a graph may grow: a part of their bytes, and bytes.
struct GrowthLimit {
  double part = 0;
  uint64_t bytes = 64 << 10;
  /// Whether what dequantizes a constant stays: engines find quantized operators by it.
  bool keepsQuantized = true;
  /// Whether what transposes a constant stays where that is also used as it is, as an
  /// embedding that is tied to a product: it would be there twice.
  bool keepsTied = false;
  /// Whether sparse constants are stored as they are, without their zeros.
  bool keepsSparse = true;
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

/// Stores the constants of a graph that inference has found. `erasing` is told of each
/// operator that goes, `storing` of each constant that comes, when its users have it, and
/// `isBody` says that it is a function's, which has no initializers.
std::vector<FoldDecision>
storeConstants(mlir::Region &graph, onnx::TypeInference &inference,
               const GrowthLimit &growth, bool isBody,
               llvm::function_ref<void(mlir::Operation *)> erasing,
               llvm::function_ref<void(mlir::Value)> storing);

/// What a node is called in reports, and its operator.
std::string getNodeName(mlir::Operation *op);
std::string getNodeType(mlir::Operation *op);

} // namespace invar

#endif // INVAR_SIMPLIFY_CONSTANTPROPAGATION_H

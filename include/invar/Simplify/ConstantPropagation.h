// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces what is constant by constants.
//
// Shape inference finds out on its way which values are constant, and what they are,
// without computing them (TypeInference.h, Elements.h). What is left to do is to choose:
// each constant that something variable uses is either stored in its place, or computed by
// the operators that compute it now from constants that are stored further up.
//
// Worked example: w (int8, 1 MB) -> Cast (float, 4 MB) -> Mul by a scalar (4 MB) -> MatMul.
// All of w, Cast and Mul are known. To store Mul's result would make the model 3 MB bigger;
// to store w and leave Cast and Mul where they are costs nothing. With a Cast to int4 it is
// the other way round. Budget.h finds the cheapest choice for the whole graph at once.
#ifndef INVAR_SIMPLIFY_CONSTANTPROPAGATION_H
#define INVAR_SIMPLIFY_CONSTANTPROPAGATION_H

#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar {

struct ConstantPropagationOptions {
  onnx::FoldOptions fold;
};

/// What became of an operator all of whose operands are constants.
struct FoldDecision {
  /// The node's name, or its first result's, and its operator.
  std::string node, type;
  bool isFolded = false;
  /// Why not, or what its results are used for.
  std::string reason;
  uint64_t bytesIn = 0, bytesOut = 0;
};

struct ConstantPropagationResult {
  unsigned visits = 0;
  std::vector<FoldDecision> decisions;
};

/// Infers all types of `module` and propagates constants through it. Fails, having emitted
/// an error, where shapes contradict each other.
mlir::FailureOr<ConstantPropagationResult>
propagateConstants(mlir::ModuleOp module, const onnx::ShapeFacts &facts,
                   const ConstantPropagationOptions &options);

} // namespace invar

#endif // INVAR_SIMPLIFY_CONSTANTPROPAGATION_H

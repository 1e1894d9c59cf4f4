// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products as loops: the common part of MatMul, Gemm, Einsum, convolutions and
// recurrent layers.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H
#define INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H

#include "invar/Conversion/ONNXToLinalg/Lowerings.h"

namespace invar::onnx {

/// The matrix product of lowered tensors over their last two axes, as in MatMul: the
/// axes before them broadcast, and a vector counts as a row or a column. float16 and
/// bfloat16 are summed in float32.
llvm::FailureOr<mlir::Value> makeProduct(Lowering &to, mlir::Value a,
                                         mlir::Value b);

/// A tensor, and parameters that its elements need, such as zero points. The parameters
/// broadcast to the tensor.
struct Factor {
  mlir::Value tensor;
  llvm::SmallVector<mlir::Value, 1> parameters;
};

/// The same with a custom term: `term` computes each summand from an element of each
/// factor, followed by elements of the parameters of both.
llvm::FailureOr<mlir::Value>
makeProduct(Lowering &to, const Factor &a, const Factor &b,
            mlir::Type elementType,
            llvm::function_ref<Number(llvm::ArrayRef<Number> elements)> term);

/// The type in which elements are summed: float32 for narrower floats, and the signless
/// type for integers.
mlir::Type getSumType(mlir::OpBuilder &builder, mlir::Type elementType);

/// A map from a nest of loops to `count` of them, starting with `first`.
mlir::AffineMap getLoops(mlir::MLIRContext *context, unsigned loops,
                         unsigned first, unsigned count);

/// How to combine elements. The totals have the type of `initial`.
struct Reduction {
  mlir::TypedAttr initial;
  bool isUnsigned;
  llvm::function_ref<Number(Number total, llvm::ArrayRef<Number> elements)> add;
};

/// Reduces operands over the loops of a nest for which `isReduced` is set. The operands
/// are read by `maps`; the last map writes the result.
mlir::Value makeReduction(Lowering &to, mlir::ValueRange operands,
                          llvm::ArrayRef<mlir::AffineMap> maps,
                          llvm::ArrayRef<bool> isReduced,
                          llvm::ArrayRef<mlir::OpFoldResult> resultSizes,
                          const Reduction &reduction);

/// The same for a sum: `term` computes each summand, in the type of sums. The elements
/// of the result are narrowed when they are complete.
mlir::Value
makeSum(Lowering &to, mlir::ValueRange operands,
        llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<bool> isReduced,
        llvm::ArrayRef<mlir::OpFoldResult> resultSizes, mlir::Type elementType,
        llvm::function_ref<Number(llvm::ArrayRef<Number> elements)> term);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H

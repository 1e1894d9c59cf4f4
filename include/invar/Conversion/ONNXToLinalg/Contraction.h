// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products as loops: what MatMul, Gemm, Einsum, convolutions and recurrent layers
// have in common.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H
#define INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H

#include "invar/Conversion/ONNXToLinalg/Lowerings.h"

namespace invar::onnx {

/// The matrix product over the last two axes of tensors below ONNX, as MatMul has it: those
/// before broadcast, and a vector counts as a row or a column. float16 and bfloat16 are
/// summed as float32.
llvm::FailureOr<mlir::Value> makeProduct(Lowering &to, mlir::Value a,
                                         mlir::Value b);

/// A tensor whose elements need others to be understood, such as zero points. Those
/// broadcast to it.
struct Factor {
  mlir::Value tensor;
  llvm::SmallVector<mlir::Value, 1> parameters;
};

/// The same where `term` computes what is added, of an element of each factor and then of
/// the parameters of both.
llvm::FailureOr<mlir::Value>
makeProduct(Lowering &to, const Factor &a, const Factor &b,
            mlir::Type elementType,
            llvm::function_ref<Number(llvm::ArrayRef<Number> elements)> term);

/// The type in which elements are summed: float32 for narrower floats, and of integers one
/// without a sign.
mlir::Type getSumType(mlir::OpBuilder &builder, mlir::Type elementType);

/// From a nest of loops to `count` of them, from `first` on.
mlir::AffineMap getLoops(mlir::MLIRContext *context, unsigned loops,
                         unsigned first, unsigned count);

/// How elements are brought together. The type of `initial` is that of the totals.
struct Reduction {
  mlir::TypedAttr initial;
  bool isUnsigned;
  llvm::function_ref<Number(Number total, llvm::ArrayRef<Number> elements)> add;
};

/// A tensor that is reduced over some loops of a nest, those with `isReduced`. Operands are
/// read by `maps`, the result is written by the last of them.
mlir::Value makeReduction(Lowering &to, mlir::ValueRange operands,
                          llvm::ArrayRef<mlir::AffineMap> maps,
                          llvm::ArrayRef<bool> isReduced,
                          llvm::ArrayRef<mlir::OpFoldResult> resultSizes,
                          const Reduction &reduction);

/// The same of a sum: `term` computes what is added, a number of the type of sums. Elements
/// of the result are narrowed where they are complete.
mlir::Value
makeSum(Lowering &to, mlir::ValueRange operands,
        llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<bool> isReduced,
        llvm::ArrayRef<mlir::OpFoldResult> resultSizes, mlir::Type elementType,
        llvm::function_ref<Number(llvm::ArrayRef<Number> elements)> term);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H

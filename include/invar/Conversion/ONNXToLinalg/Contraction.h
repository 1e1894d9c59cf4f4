// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products as loops: what MatMul, Gemm, Einsum, Attention and recurrent layers have
// in common.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H
#define INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H

#include "invar/Conversion/ONNXToLinalg/Lowerings.h"

namespace invar::onnx {

/// The matrix product over the last two axes of tensors below ONNX, as MatMul has it: those
/// before broadcast, and a vector counts as a row or a column. float16 and bfloat16 are
/// summed as float32.
llvm::FailureOr<mlir::Value> makeProduct(Lowering &to, mlir::Value a,
                                         mlir::Value b);

/// A tensor that is summed over some axes of a nest of loops. The nest has `sizes`, those
/// with `isReduced` are summed over; operands are read by `maps`, the result is written by
/// the last of them. `term` computes what is added, a number of the result's type.
mlir::Value makeSum(
    Lowering &to, mlir::ValueRange operands,
    llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<bool> isReduced,
    llvm::ArrayRef<mlir::OpFoldResult> resultSizes, mlir::Type elementType,
    llvm::function_ref<Number(llvm::ArrayRef<Number> elements)> term);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_CONTRACTION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape rules that many operators share. A record names one, `let shape = "…"`;
// operators with other rules implement computeShape() in their family.
#ifndef INVAR_DIALECT_ONNX_SHAPES_H
#define INVAR_DIALECT_ONNX_SHAPES_H

#include "invar/IndexExpr/ShapeHelper.h"

namespace invar::onnx::shape {

/// Each result has the shape of the first operand.
llvm::LogicalResult sameAsFirst(ShapeHelper &shape);

/// Each result has the shape that all operands broadcast to.
llvm::LogicalResult broadcastAll(ShapeHelper &shape);

/// Each result is a scalar.
llvm::LogicalResult scalar(ShapeHelper &shape);

/// The result is the matrix product over the last axes of two tensors. A vector counts
/// as a row or a column; the axes before broadcast.
llvm::LogicalResult matMul(ShapeHelper &shape, mlir::Value left,
                           mlir::Value right);

/// The first operand's shape with axes reduced, as ReductionOpInterface describes.
llvm::LogicalResult reduce(ShapeHelper &shape);

/// Returns the entries of an elementwise operator's result. `function` computes one
/// entry from one entry of each operand. Empty if the entries of an operand are unknown.
std::optional<DimsExpr>
elementwise(ShapeHelper &shape,
            llvm::function_ref<IndexExpr(llvm::ArrayRef<IndexExpr>)> function);

/// Returns the element type with this number in the standard, or that of `value` if no
/// number is given; null if it is unknown.
mlir::Type typeOr(std::optional<int64_t> number, mlir::Value value);

/// Returns the axes that a tensor lists, counted from the front; empty if they are
/// unknown. Fails with an error that has the label if one is not among `rank` axes.
llvm::FailureOr<std::optional<llvm::SmallVector<int64_t>>>
readAxes(ShapeHelper &shape, mlir::Value axes, int64_t rank,
         llvm::StringLiteral label);

/// Fails with an error that has the label if one of `sizes` is known to be negative.
llvm::LogicalResult checkSizes(ShapeHelper &shape, llvm::StringRef what,
                               llvm::ArrayRef<IndexExpr> sizes,
                               llvm::StringLiteral label);

} // namespace invar::onnx::shape

#endif // INVAR_DIALECT_ONNX_SHAPES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules by which many operators' shapes follow. A record names one, `let shape = "…"`;
// operators with rules of their own write computeShape() in their family.
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

/// The result is the matrix product over the last axes of two tensors, a vector counting as
/// a row or a column, the axes before broadcast.
llvm::LogicalResult matMul(ShapeHelper &shape, mlir::Value left,
                           mlir::Value right);

/// The first operand's with axes reduced, as a ReductionOpInterface says.
llvm::LogicalResult reduce(ShapeHelper &shape);

/// The entries of an elementwise operator's result, by what it does to one entry of each
/// operand; none where those of an operand are not known.
std::optional<DimsExpr>
elementwise(ShapeHelper &shape,
            llvm::function_ref<IndexExpr(llvm::ArrayRef<IndexExpr>)> function);

/// The element type that has a number in the standard, or where none is given that of
/// `value`; null where it is not known.
mlir::Type typeOr(std::optional<int64_t> number, mlir::Value value);

/// Axes that a tensor lists, counted from the front; none where they are not known. Fails,
/// with an error that carries the label, where one is not among `rank` axes.
llvm::FailureOr<std::optional<llvm::SmallVector<int64_t>>>
readAxes(ShapeHelper &shape, mlir::Value axes, int64_t rank,
         llvm::StringLiteral label);

/// Fails, with an error that carries the label, where one of `sizes` is known to be
/// negative.
llvm::LogicalResult checkSizes(ShapeHelper &shape, llvm::StringRef what,
                               llvm::ArrayRef<IndexExpr> sizes,
                               llvm::StringLiteral label);

} // namespace invar::onnx::shape

#endif // INVAR_DIALECT_ONNX_SHAPES_H

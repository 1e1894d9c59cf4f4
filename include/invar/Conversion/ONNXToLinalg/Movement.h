// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements by their places: what Slice, Pad, Gather and Scan have in common.
//
// Parts and borders are tensor.extract_slice and tensor.pad, which a kernel that reads them
// does not have to make. Places that only elements know are computed inside of a loop, where
// nothing can fail: wrapIndex() keeps them within the tensor.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_MOVEMENT_H
#define INVAR_CONVERSION_ONNXTOLINALG_MOVEMENT_H

#include "invar/Conversion/ONNXToLinalg/Lowerings.h"

namespace invar::onnx {

//===-- Parts and borders -----------------------------------------------------===//

/// A part of a tensor: of each axis `sizes` elements from `starts` on, `steps` apart. It
/// lies within the tensor, and steps are positive.
mlir::Value makeSlice(Lowering &to, mlir::Value tensor,
                      llvm::ArrayRef<mlir::OpFoldResult> starts,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes,
                      llvm::ArrayRef<mlir::OpFoldResult> steps);
/// A part of one axis.
mlir::Value sliceAlong(Lowering &to, mlir::Value tensor, int64_t axis,
                       mlir::OpFoldResult start, mlir::OpFoldResult size);
/// What is at one place of an axis, without that axis.
mlir::Value takeAt(Lowering &to, mlir::Value tensor, int64_t axis,
                   mlir::OpFoldResult place);

/// What a border leaves of a tensor: where it is negative, it crops. No more than there is,
/// or the program fails.
mlir::Value crop(Lowering &to, mlir::Value tensor,
                 llvm::ArrayRef<IndexExpr> begins,
                 llvm::ArrayRef<IndexExpr> ends);
/// A tensor with `element` before and after each axis, or cropped.
mlir::Value pad(Lowering &to, mlir::Value tensor,
                llvm::ArrayRef<IndexExpr> begins,
                llvm::ArrayRef<IndexExpr> ends, mlir::Value element);

/// Fails when the program runs and a list of axes, which only the run knows, has one that is
/// not there, or one twice.
void checkAxes(Lowering &to, mlir::Value axes, int64_t rank);

//===-- Inside of loops -------------------------------------------------------===//

/// A place, a size, or an element that says one, as a number to compute with.
Number toPlace(mlir::ImplicitLocOpBuilder &inside, mlir::OpFoldResult place);
/// An index, counted from the end if negative. One that is outside is the nearest place
/// instead; there must be one.
Number wrapIndex(Number index, Number size);

//===-- Scalars ---------------------------------------------------------------===//

/// A tensor of one element in any rank, as one without axes.
mlir::Value toScalar(Lowering &to, mlir::Value tensor);
/// The element of an operand that has only one, as a literal if it is constant.
mlir::Value getElement(Lowering &to, mlir::Value operand);
/// The first element of a constant, which loops can move.
mlir::Value makeElement(mlir::ImplicitLocOpBuilder &builder,
                        mlir::ElementsAttr content);
/// An element that is 0 or false.
mlir::Value makeZero(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type elementType);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_MOVEMENT_H

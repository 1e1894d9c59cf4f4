// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to elements by position: the common part of Slice, Pad, Gather and Scan.
//
// Parts and borders are tensor.extract_slice and tensor.pad, which kernels read without
// materializing them. Positions that depend on elements are computed inside of loops,
// where nothing can fail: wrapIndex() keeps them within the tensor.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_MOVEMENT_H
#define INVAR_CONVERSION_ONNXTOLINALG_MOVEMENT_H

#include "invar/Conversion/ONNXToLinalg/Lowerings.h"

namespace invar::onnx {

//===-- Parts and borders -----------------------------------------------------===//

/// A part of a tensor: for each axis `sizes` elements from `starts` on, `steps` apart.
/// The part must lie within the tensor, and steps must be positive.
mlir::Value makeSlice(Lowering &to, mlir::Value tensor,
                      llvm::ArrayRef<mlir::OpFoldResult> starts,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes,
                      llvm::ArrayRef<mlir::OpFoldResult> steps);
/// A part of one axis.
mlir::Value sliceAlong(Lowering &to, mlir::Value tensor, int64_t axis,
                       mlir::OpFoldResult start, mlir::OpFoldResult size);
/// The elements at one position of an axis, without that axis.
mlir::Value takeAt(Lowering &to, mlir::Value tensor, int64_t axis,
                   mlir::OpFoldResult place);

/// Crops a tensor where the border is negative. The program fails if more is cropped
/// than there is.
mlir::Value crop(Lowering &to, mlir::Value tensor,
                 llvm::ArrayRef<IndexExpr> begins,
                 llvm::ArrayRef<IndexExpr> ends);
/// A tensor with `element` before and after each axis, or cropped.
mlir::Value pad(Lowering &to, mlir::Value tensor,
                llvm::ArrayRef<IndexExpr> begins,
                llvm::ArrayRef<IndexExpr> ends, mlir::Value element);

/// The sizes whose condition is true, in order. `count` of them must be: the program
/// fails otherwise.
llvm::SmallVector<mlir::OpFoldResult>
chooseSizes(Lowering &to, llvm::ArrayRef<mlir::OpFoldResult> sizes,
            llvm::ArrayRef<mlir::Value> isChosen, int64_t count);
/// A tensor without the axes whose condition is false, which must have size 1. How many
/// there are is known only at run time.
mlir::Value chooseAxes(Lowering &to, mlir::Value tensor,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes,
                       llvm::ArrayRef<mlir::Value> isChosen);

/// Checks a list of axes that is known only at run time. The program fails if an axis
/// is out of range or repeated.
void checkAxes(Lowering &to, mlir::Value axes, int64_t rank);

//===-- Inside of loops -------------------------------------------------------===//

/// Converts a position, a size, or an element that contains one, to a number.
Number toPlace(mlir::ImplicitLocOpBuilder &inside, mlir::OpFoldResult place);
/// Resolves an index, which counts from the end if negative. An index out of range
/// becomes the nearest position; the axis must not be empty.
Number wrapIndex(Number index, Number size);

//===-- Scalars ---------------------------------------------------------------===//

/// A tensor of one element and any rank, known or not, as a scalar tensor.
mlir::Value toScalar(Lowering &to, mlir::Value tensor);
/// The element of an operand that has one element, as a literal if it is constant.
mlir::Value getElement(Lowering &to, mlir::Value operand);
/// The first element of a constant whose elements loops can move.
mlir::Value makeElement(mlir::ImplicitLocOpBuilder &builder,
                        mlir::ElementsAttr content);
/// An element that is 0 or false.
mlir::Value makeZero(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type elementType);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_MOVEMENT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a window that slides over a tensor: the common part of convolutions and
// pools. Tap k of a window at position o is element o * stride + k * dilation of the
// padded tensor, so operands are read by maps of such sums.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_WINDOW_H
#define INVAR_CONVERSION_ONNXTOLINALG_WINDOW_H

#include "invar/Conversion/ONNXToLinalg/Contraction.h"
#include "invar/Dialect/ONNX/SlidingWindow.h"

namespace invar::onnx {

/// Appends the positions of a tensor that are under a window to `exprs`. The loops
/// `place`, `place + 1`, … are the position of the window, and `tap`, … are the tap in
/// it. `image` are the sizes of the tensor along these axes, without the border. A
/// window of one tap that goes over all of an axis gets no tap: linalg then knows that
/// the loop covers the axis, even if its size is open.
void addTaps(Lowering &to, const SlidingWindow &window,
             llvm::ArrayRef<IndexExpr> image, unsigned place, unsigned tap,
             llvm::SmallVectorImpl<mlir::AffineExpr> &exprs);

/// Pads the last axes of a tensor, those of the window, with `element`.
mlir::Value makeBorder(Lowering &to, mlir::Value tensor,
                       const SlidingWindow &window, mlir::Value element);

/// Index expressions as sizes.
llvm::SmallVector<mlir::OpFoldResult> toSizes(Lowering &to,
                                              llvm::ArrayRef<IndexExpr> dims);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_WINDOW_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window that slides over a tensor, as loops: what convolutions and pools have in common.
// Tap k of a window that stands at place o is element o * stride + k * dilation of a tensor
// in its border, so operands are read by maps of such sums.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_WINDOW_H
#define INVAR_CONVERSION_ONNXTOLINALG_WINDOW_H

#include "invar/Conversion/ONNXToLinalg/Contraction.h"
#include "invar/Dialect/ONNX/SlidingWindow.h"

namespace invar::onnx {

/// The places of a tensor that are under a window: loops `place`, `place + 1`, … say where
/// it stands, `tap`, … which of its elements is meant. They are appended to `exprs`.
void addTaps(Lowering &to, const SlidingWindow &window, unsigned place,
             unsigned tap, llvm::SmallVectorImpl<mlir::AffineExpr> &exprs);

/// A tensor whose last axes, those of the window, have its pads, of `element`.
mlir::Value makeBorder(Lowering &to, mlir::Value tensor,
                       const SlidingWindow &window, mlir::Value element);

/// Index expressions as sizes.
llvm::SmallVector<mlir::OpFoldResult> toSizes(Lowering &to,
                                              llvm::ArrayRef<IndexExpr> dims);

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_WINDOW_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window that slides over the spatial axes of a tensor N x C x D1 x D2 …, as in
// convolutions and pools: its positions and their number.
//
// This file resolves everything that an operator may leave open, once for all
// operators: strides and dilations default to 1 and pads to 0, `auto_pad` becomes pads,
// and the kernel shape defaults to that of the weights. Shape inference and lowerings
// use the same result:
//
//   FailureOr<SlidingWindow> window = conv.computeWindow(shape);
//   window->padsBegin[0], window->output[0] …
//
// Worked example: 7 elements and a window of 3 taps with stride 2. Without padding the
// window has 3 positions: 0, 2 and 4. With SAME_UPPER it has ceil(7 / 2) = 4 positions,
// which needs (4 - 1) · 2 + 3 - 7 = 2 elements of padding, one on each side.
#ifndef INVAR_DIALECT_ONNX_SLIDINGWINDOW_H
#define INVAR_DIALECT_ONNX_SLIDINGWINDOW_H

#include "invar/Dialect/ONNX/Verify.h"
#include "invar/IndexExpr/ShapeHelper.h"

namespace invar::onnx {

/// Each list has an entry for each spatial axis.
struct SlidingWindow {
  DimsExpr kernel, strides, dilations, padsBegin, padsEnd;
  /// The number of positions along the axis; for a transposed convolution, the size of
  /// the result.
  DimsExpr output;
};

/// How to treat a window that does not lie within the padded image.
enum class Overhang {
  /// An error if it is the only one, otherwise ignored. For convolutions.
  None,
  /// Also ignored, but the count is a quotient rounded towards zero, as in runtimes: a
  /// window that overhangs by less than a stride counts if it is the only one. For pools.
  Truncated,
  /// Counted unless it begins in the padding after the image. For pools with `ceil_mode`.
  Counted,
};

/// Returns the kernel's sizes: the listed ones, otherwise those of the weights, whose
/// rank must then be known.
DimsExpr getKernel(ShapeHelper &shape, Window::List listed, mlir::Value w);

/// Slides over an image; `image` are the sizes of the spatial axes. `label` is the
/// constraint that the window fits.
llvm::FailureOr<SlidingWindow>
slideOver(ShapeHelper &shape, Check::Label label,
          llvm::ArrayRef<IndexExpr> image, DimsExpr kernel,
          llvm::StringRef autoPad, const Window &given, Overhang overhang);

/// The inverse, for transposed convolutions: computes the image for the given numbers
/// of window positions. If `sizes` are given, they are the sizes of the result and
/// determine the padding. `label` is the constraint that the padding leaves a size that
/// is not negative.
llvm::FailureOr<SlidingWindow>
spreadOver(ShapeHelper &shape, Check::Label label,
           llvm::ArrayRef<IndexExpr> places, DimsExpr kernel,
           llvm::StringRef autoPad, const Window &given,
           Window::List outputPadding = {}, Window::List sizes = {});

/// Returns the rank of a convolution's result: that of the input, otherwise that of the
/// weights or of the listed kernel.
std::optional<int64_t> findRank(ShapeHelper &shape, mlir::Value x,
                                mlir::Value w, Window::List kernel);

/// The parts that all convolutions have in common.
struct Convolution {
  mlir::Value x, w, b;
  int64_t group;
  llvm::StringRef autoPad;
  Window window;
};

/// Returns the parts of an operator. Operators without bias or `auto_pad` are allowed.
template <typename Op> Convolution convolutionOf(Op op, ShapeHelper &shape) {
  auto in = shape.operandsOf(op);
  Convolution convolution{in.getX(),
                          in.getW(),
                          /*b=*/nullptr,
                          op.getGroup(),
                          /*autoPad=*/"NOTSET",
                          {op.getKernelShape(), op.getStrides(),
                           op.getDilations(), op.getPads(), std::nullopt}};
  if constexpr (requires { in.getB(); })
    convolution.b = in.getB();
  if constexpr (requires { op.getAutoPad(); })
    convolution.autoPad = op.getAutoPad();
  return convolution;
}

/// Returns the window of a convolution. The ranks must be known.
llvm::FailureOr<SlidingWindow> computeWindow(ShapeHelper &shape,
                                             Check::Label label,
                                             const Convolution &convolution);

/// Sets the shape of a convolution's result: N x M x the window's output.
mlir::LogicalResult computeShape(ShapeHelper &shape, Check::Label label,
                                 const Convolution &convolution);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_SLIDINGWINDOW_H

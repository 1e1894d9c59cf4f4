// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window that slides over the spatial axes of a tensor N x C x D1 x D2 …, as
// convolutions and pools have it: where it stands and how often.
//
// What an operator may leave open is settled here, once for all of them: strides and
// dilations are 1 and pads 0 unless given, `auto_pad` becomes pads, and a kernel that is
// not given is that of the weights. So shape inference and lowerings read one answer:
//
//   FailureOr<SlidingWindow> window = conv.computeWindow(shape);
//   window->padsBegin[0], window->output[0] …
//
// Worked example: 7 elements and a window of 3 taps with stride 2. Without padding it
// stands 3 times, at 0, 2 and 4. SAME_UPPER makes it stand ceil(7 / 2) = 4 times, which
// takes (4 - 1) · 2 + 3 - 7 = 2 elements of padding, one on each side.
#ifndef INVAR_DIALECT_ONNX_SLIDINGWINDOW_H
#define INVAR_DIALECT_ONNX_SLIDINGWINDOW_H

#include "invar/Dialect/ONNX/Verify.h"
#include "invar/IndexExpr/ShapeHelper.h"

namespace invar::onnx {

/// Each list has an entry for each spatial axis.
struct SlidingWindow {
  DimsExpr kernel, strides, dilations, padsBegin, padsEnd;
  /// How often it stands along the axis; of a transposed one, the size that it makes.
  DimsExpr output;
};

/// What becomes of a window that does not lie within the padded image.
enum class Overhang {
  /// An error if it is the only one, else left out: convolutions.
  None,
  /// Left out too, but the count is a quotient rounded towards zero, as runtimes do it:
  /// one that overhangs by less than a stride stands if it is the only one. Pools.
  Truncated,
  /// It counts unless it begins in the padding after the image. Pools with `ceil_mode`.
  Counted,
};

/// The kernel's sizes: those that are listed, else those of the weights, whose rank must
/// then be known.
DimsExpr getKernel(ShapeHelper &shape, Window::List listed, mlir::Value w);

/// Slides over `image`, the sizes of the spatial axes. `label` is the constraint that the
/// window fits.
llvm::FailureOr<SlidingWindow>
slideOver(ShapeHelper &shape, Check::Label label,
          llvm::ArrayRef<IndexExpr> image, DimsExpr kernel,
          llvm::StringRef autoPad, const Window &given, Overhang overhang);

/// The inverse: what images are made of so many places of a window. `sizes` are those of
/// the result where they are given, and then decide the padding. `label` is the constraint
/// that the padding leaves something.
llvm::FailureOr<SlidingWindow>
spreadOver(ShapeHelper &shape, Check::Label label,
           llvm::ArrayRef<IndexExpr> places, DimsExpr kernel,
           llvm::StringRef autoPad, const Window &given,
           Window::List outputPadding = {}, Window::List sizes = {});

/// The rank of a convolution's result: that of the input, or what else says it.
std::optional<int64_t> findRank(ShapeHelper &shape, mlir::Value x,
                                mlir::Value w, Window::List kernel);

/// What the convolutions have in common, to say it once.
struct Convolution {
  mlir::Value x, w, b;
  int64_t group;
  llvm::StringRef autoPad;
  Window window;
};

/// What an operator says of it; one without bias or `auto_pad` has none.
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

/// The window of a convolution of known ranks.
llvm::FailureOr<SlidingWindow> computeWindow(ShapeHelper &shape,
                                             Check::Label label,
                                             const Convolution &convolution);

/// Sets the shape of its result, N x M x the window's output.
mlir::LogicalResult computeShape(ShapeHelper &shape, Check::Label label,
                                 const Convolution &convolution);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_SLIDINGWINDOW_H

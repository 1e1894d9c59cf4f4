// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions as sums over windows: the common part of float and quantized
// convolutions.
//
//   GroupedConvolution convolution(to, x, w, groups, window);
//   Value sums = convolution.sum(Products::of(to, element));
//   … per feature: convolution.getFeatureAxes(), convolution.splitFeatures(bias) …
//   Value y = convolution.merge(sums);
#ifndef INVAR_CONVERSION_ONNXTOLINALG_CONVOLUTION_H
#define INVAR_CONVERSION_ONNXTOLINALG_CONVOLUTION_H

#include "invar/Conversion/ONNXToLinalg/Window.h"

namespace invar::onnx {

/// The terms that are summed over a window.
struct Products {
  /// The element that pads X.
  mlir::Value border;
  /// The type of the sums.
  mlir::Type sumType;
  /// Computes a summand from an element of X, one of W, and one of each parameter.
  std::function<Number(llvm::ArrayRef<Number>)> term;
  /// Scalars, or tensors with an element for each feature.
  llvm::SmallVector<mlir::Value, 2> parameters = {};

  /// Products of X and W, whose elements have this type.
  static Products of(Lowering &to, mlir::Type elementType);
};

/// The axes of a convolution's operands, without the spatial ones:
///
///   form       X       W       Y       loops
///   Dense      n c     o c     n o     n o … c …
///   Grouped    n g c   g o c   n g o   n g o … c …
///   Depthwise  n c     c       n c     n c … …
enum class ConvolutionForm { Dense, Grouped, Depthwise };

/// Computes the sums for operands of this form.
mlir::Value convolve(Lowering &to, ConvolutionForm form, mlir::Value x,
                     mlir::Value w, const SlidingWindow &window,
                     const Products &products);

/// Splits the channels of X into groups: [n, g, c, …].
mlir::Value splitChannels(Lowering &to, mlir::Value x, int64_t groups,
                          mlir::OpFoldResult members);

/// A convolution of X [n, c, …] by W [o, c / groups, …], in the form that fits.
class GroupedConvolution {
public:
  GroupedConvolution(Lowering &to, mlir::Value x, mlir::Value w, int64_t groups,
                     const SlidingWindow &window);

  mlir::Value sum(const Products &products) const {
    return convolve(to, form, x, w, window, products);
  }
  /// The axes of the features in the sums.
  llvm::SmallVector<int64_t> getFeatureAxes() const;
  /// Splits a vector with an element for each feature along those axes.
  mlir::Value splitFeatures(mlir::Value vector) const;
  /// Reshapes a value in the form of the sums to [n, o, …].
  mlir::Value merge(mlir::Value made) const;

private:
  Lowering &to;
  const SlidingWindow &window;
  ConvolutionForm form;
  mlir::Value x, w;
  /// The number of all features, of groups, and of features in each group.
  mlir::OpFoldResult features, count, members;
};

/// Computes the window of a convolution, and checks that its operands fit.
template <typename Op>
llvm::FailureOr<SlidingWindow> getWindow(Op op, Lowering &to) {
  for (mlir::Value operand : {op.getX(), op.getW()})
    if (!to.getType(operand) || to.getType(operand).getRank() < 2)
      return to.decline("expected operands of a known rank");
  ShapeHelper &shape = to.getShapeHelper();
  llvm::FailureOr<SlidingWindow> window = op.computeWindow(shape);
  if (mlir::failed(window))
    return mlir::failure();
  DimsExpr kernel = shape.getDims(to.get(op.getW()));
  for (auto [listed, size] :
       llvm::zip_equal(window->kernel, llvm::ArrayRef(kernel).drop_front(2)))
    to.checkEqual(to.toSize(listed), to.toSize(size),
                  "expected a kernel of the size that is listed");
  return window;
}

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_CONVOLUTION_H

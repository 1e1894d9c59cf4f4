// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Window.h"

#include "invar/Conversion/ONNXToLinalg/Movement.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Whether the positions of a window along an axis are those of the image: a tap of 1.
static bool isImageItself(const SlidingWindow &window, size_t axis,
                          IndexExpr image) {
  return window.kernel[axis].isLiteral(1) &&
         window.strides[axis].isLiteral(1) &&
         window.padsBegin[axis].isLiteral(0) &&
         window.padsEnd[axis].isLiteral(0) &&
         window.output[axis].isKnownEqual(image);
}

void onnx::addTaps(Lowering &to, const SlidingWindow &window,
                   ArrayRef<IndexExpr> image, unsigned place, unsigned tap,
                   SmallVectorImpl<AffineExpr> &exprs) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  for (auto [i, stride, dilation] :
       llvm::enumerate(window.strides, window.dilations)) {
    AffineExpr expr = builder.getAffineDimExpr(place + i) * stride.getLiteral();
    if (!isImageItself(window, i, image[i]))
      expr = expr + builder.getAffineDimExpr(tap + i) * dilation.getLiteral();
    exprs.push_back(expr);
  }
}

Value onnx::makeBorder(Lowering &to, Value tensor, const SlidingWindow &window,
                       Value element) {
  size_t others =
      cast<RankedTensorType>(tensor.getType()).getRank() - window.output.size();
  DimsExpr begins(others, 0), ends(others, 0);
  llvm::append_range(begins, window.padsBegin);
  llvm::append_range(ends, window.padsEnd);
  // Only listed pads can be negative, but the expression may not show that a pad is
  // not.
  IndexExprScope &scope = to.getShapeHelper().getScope();
  for (DimsExpr *pads : {&begins, &ends})
    for (IndexExpr &pad : *pads)
      if (!pad.isLiteral() && !pad.isAtLeast(0))
        pad = scope.getDim(to.toValue(to.toSize(pad)));
  return pad(to, tensor, begins, ends, element);
}

SmallVector<OpFoldResult> onnx::toSizes(Lowering &to,
                                        ArrayRef<IndexExpr> dims) {
  return llvm::map_to_vector(dims,
                             [&](IndexExpr dim) { return to.toSize(dim); });
}

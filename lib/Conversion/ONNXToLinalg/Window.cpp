// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Window.h"

#include "invar/Conversion/ONNXToLinalg/Movement.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void onnx::addTaps(Lowering &to, const SlidingWindow &window, unsigned place,
                   unsigned tap, SmallVectorImpl<AffineExpr> &exprs) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  for (auto [i, stride, dilation] :
       llvm::enumerate(window.strides, window.dilations))
    exprs.push_back(builder.getAffineDimExpr(place + i) * stride.getLiteral() +
                    builder.getAffineDimExpr(tap + i) * dilation.getLiteral());
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

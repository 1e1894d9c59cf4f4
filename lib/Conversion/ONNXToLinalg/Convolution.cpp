// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Convolution.h"

#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

Products Products::of(Lowering &to, Type elementType) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  return {makeZero(builder, builder.getLoc(), elementType),
          getSumType(builder, elementType),
          [](ArrayRef<Number> in) { return in[0] * in[1]; }};
}

Value onnx::convolve(Lowering &to, ConvolutionForm form, Value x, Value w,
                     const SlidingWindow &window, const Products &products) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  unsigned axes = window.output.size();
  unsigned leading = form == ConvolutionForm::Grouped ? 3 : 2;
  bool sumsChannels = form != ConvolutionForm::Depthwise;
  unsigned firstTap = leading + axes + sumsChannels;
  unsigned loops = firstTap + axes;
  auto loop = [&](unsigned i) { return builder.getAffineDimExpr(i); };
  SmallVector<AffineExpr> ofX = {loop(0)}, ofW, ofY, ofFeatures;
  switch (form) {
  case ConvolutionForm::Dense:
    ofX.push_back(loop(leading + axes));
    ofW = {loop(1), loop(leading + axes)};
    break;
  case ConvolutionForm::Grouped:
    ofX.append({loop(1), loop(leading + axes)});
    ofW = {loop(1), loop(2), loop(leading + axes)};
    break;
  case ConvolutionForm::Depthwise:
    ofX.push_back(loop(1));
    ofW = {loop(1)};
    break;
  }
  addTaps(to, window, ArrayRef(to.getShapeHelper().getDims(x)).take_back(axes),
          leading, firstTap, ofX);
  for (unsigned i = 0; i < axes; ++i)
    ofW.push_back(loop(firstTap + i));
  for (unsigned i = 0; i < leading + axes; ++i)
    ofY.push_back(loop(i));
  for (unsigned i = 1; i < leading; ++i)
    ofFeatures.push_back(loop(i));
  SmallVector<OpFoldResult> sizesOfW = to.sizesOf(w);
  SmallVector<OpFoldResult> sizes = {to.sizesOf(x)[0]};
  llvm::append_range(sizes, ArrayRef(sizesOfW).take_front(leading - 1));
  llvm::append_range(sizes, toSizes(to, window.output));
  SmallVector<bool> isReduced(leading + axes, false);
  isReduced.resize(loops, true);
  auto map = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(loops, 0, exprs, builder.getContext());
  };
  SmallVector<Value> operands = {makeBorder(to, x, window, products.border), w};
  SmallVector<AffineMap> maps = {map(ofX), map(ofW)};
  for (Value parameter : products.parameters) {
    bool isScalar = cast<RankedTensorType>(parameter.getType()).getRank() == 0;
    operands.push_back(parameter);
    maps.push_back(map(isScalar ? ArrayRef<AffineExpr>() : ofFeatures));
  }
  maps.push_back(map(ofY));
  return makeSum(to, operands, maps, isReduced, sizes, products.sumType,
                 products.term);
}

Value onnx::splitChannels(Lowering &to, Value x, int64_t groups,
                          OpFoldResult members) {
  SmallVector<OpFoldResult> sizes = to.sizesOf(x);
  sizes[1] = members;
  sizes.insert(sizes.begin() + 1, to.getBuilder().getIndexAttr(groups));
  return to.reshape(x, sizes);
}

GroupedConvolution::GroupedConvolution(Lowering &to, Value x, Value w,
                                       int64_t groups,
                                       const SlidingWindow &window)
    : to(to), window(window), form(ConvolutionForm::Dense), x(x), w(w) {
  ShapeHelper &shape = to.getShapeHelper();
  IndexExpr each = shape.getDim(w, 0), channels = shape.getDim(w, 1);
  to.checkEqual(to.toSize(shape.getDim(x, 1)), to.toSize(channels * groups),
                "expected as many channels as the weights are for");
  SmallVector<OpFoldResult> sizes = to.sizesOf(w);
  features = sizes[0];
  if (groups == 1)
    return;
  if (channels.isLiteral(1) && each.isLiteral(groups)) {
    form = ConvolutionForm::Depthwise;
    sizes.erase(sizes.begin() + 1);
    this->w = to.reshape(w, sizes);
    return;
  }
  form = ConvolutionForm::Grouped;
  count = to.getBuilder().getIndexAttr(groups);
  members = to.toSize(each.floorDiv(groups));
  to.checkEqual(features, to.toSize(each.floorDiv(groups) * groups),
                "expected groups of the same number of features");
  this->x = splitChannels(to, x, groups, sizes[1]);
  sizes[0] = members;
  sizes.insert(sizes.begin(), count);
  this->w = to.reshape(w, sizes);
}

SmallVector<int64_t> GroupedConvolution::getFeatureAxes() const {
  if (form == ConvolutionForm::Grouped)
    return {1, 2};
  return {1};
}

Value GroupedConvolution::splitFeatures(Value vector) const {
  to.checkEqual(to.sizesOf(vector)[0], features,
                "expected an element for each feature");
  return form == ConvolutionForm::Grouped ? to.reshape(vector, {count, members})
                                          : vector;
}

Value GroupedConvolution::merge(Value made) const {
  if (form != ConvolutionForm::Grouped)
    return made;
  SmallVector<OpFoldResult> merged = {to.sizesOf(x)[0], features};
  llvm::append_range(merged, toSizes(to, window.output));
  return to.reshape(made, merged);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions as sums over windows, in ONNX's layout. Simplify decomposes
// CausalConvWithState (decompose-causal-conv).
#include "invar/Conversion/ONNXToLinalg/Convolution.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Adds a bias along `axes` to the sums, if there is one, and converts them to elements.
static Value finish(Lowering &to, Value sums, Value bias,
                    ArrayRef<int64_t> axes, Type elementType) {
  Rows rows(to, sums, {});
  SmallVector<LoopOperand> operands = {rows.each(sums)};
  if (bias)
    operands.push_back(rows.along(axes, bias));
  else if (getElementTypeOrSelf(sums.getType()) == elementType)
    return sums;
  return rows.ofAll(operands, elementType, [&](ArrayRef<Number> in) {
    return bias ? in[0] + in[1] : in[0];
  });
}

//===-- Conv ------------------------------------------------------------------===//

static LogicalResult lower(ConvOp op, Lowering &to) {
  FailureOr<SlidingWindow> window = getWindow(op, to);
  if (failed(window))
    return failure();
  Value b = to.getVector(op.getB());
  Type element = to.getType(op.getX()).getElementType();
  GroupedConvolution convolution(to, to.get(op.getX()), to.get(op.getW()),
                                 op.getGroup(), *window);
  Value sums = convolution.sum(Products::of(to, element));
  Value y = finish(to, sums, b ? convolution.splitFeatures(b) : b,
                   convolution.getFeatureAxes(), element);
  return to.set(op.getY(), convolution.merge(y));
}

//===-- ConvTranspose ---------------------------------------------------------===//
//
// Element y of the result is the sum of all X[x] W[k] with x * s + k * d = y + pad. Let
// y + pad = q * s + r with r < s. Dilate the kernel and cut it into parts of s taps, so
// that k * d = j * s + r. Then x = q - j: for each r, this is a plain convolution with
// every s-th tap, in reverse order. So the whole is one convolution with s features for
// each original feature, and these are then interleaved.
//
//   taps 0 1 2 3, s = 2     r = 0 by (2 0), r = 1 by (3 1): y = r0 r1 r0 r1 …

namespace {
/// One spatial axis of a transposed convolution.
struct TransposedAxis {
  int64_t stride, dilation;
  IndexExpr kernel;
  /// The number of parts of the kernel.
  IndexExpr parts;
  /// The number of positions of the plain convolution, and the offset of the result in
  /// its output.
  IndexExpr places, offset;
};
} // namespace

/// Returns the axes and the window of the plain convolution.
static std::pair<SmallVector<TransposedAxis>, SlidingWindow>
splitWindow(const SlidingWindow &window, ArrayRef<IndexExpr> image) {
  SmallVector<TransposedAxis> axes;
  SlidingWindow plain;
  for (size_t i = 0; i < image.size(); ++i) {
    TransposedAxis axis;
    axis.stride = window.strides[i].getLiteral();
    axis.dilation = window.dilations[i].getLiteral();
    axis.kernel = window.kernel[i];
    IndexExpr extent = (axis.kernel - 1) * axis.dilation + 1;
    axis.parts = extent.ceilDiv(axis.stride);
    // Positions before the first needed one are not computed.
    IndexExpr first = IndexExpr::min(window.padsBegin[i].floorDiv(axis.stride),
                                     axis.parts - 1);
    axis.places =
        (window.padsBegin[i] + window.output[i]).ceilDiv(axis.stride) - first;
    axis.offset = window.padsBegin[i] - first * axis.stride;
    plain.kernel.push_back(axis.parts);
    plain.strides.push_back(1);
    plain.dilations.push_back(1);
    plain.padsBegin.push_back(axis.parts - 1 - first);
    plain.padsEnd.push_back(IndexExpr::max(first + axis.places - image[i], 0));
    plain.output.push_back(axis.places);
    axes.push_back(axis);
  }
  return {std::move(axes), std::move(plain)};
}

/// Returns the weights of the plain convolution, [g, o * s…, c, parts…], from [g * c,
/// o, k…]. A single group has no axis.
static Value turnWeights(Lowering &to, Value w, int64_t groups,
                         OpFoldResult members, ArrayRef<TransposedAxis> axes) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  IndexExpr features = to.getShapeHelper().getDim(w, 1);
  SmallVector<OpFoldResult> apart = {builder.getIndexAttr(groups),
                                     to.toSize(features)};
  SmallVector<OpFoldResult> parts, taps, sizes;
  for (const TransposedAxis &axis : axes) {
    apart.push_back(builder.getIndexAttr(axis.stride));
    features = features * axis.stride;
    parts.push_back(to.toSize(axis.parts));
    taps.push_back(to.toSize(axis.kernel));
  }
  apart.push_back(members);
  llvm::append_range(apart, parts);
  size_t n = axes.size();
  Type element = getElementTypeOrSelf(w.getType());
  Value turned = to.generate(
      apart, element,
      [&](ImplicitLocOpBuilder &inside, ValueRange places) -> Value {
        auto place = [&](size_t i) { return toPlace(inside, places[i]); };
        Number channel = place(0) * toPlace(inside, members) + place(2 + n);
        SmallVector<Value> at = {channel.getValue(), places[1]};
        Value factor = makeZero(inside, inside.getLoc(), element);
        std::optional<scalar::Truth> isTap;
        for (auto [i, axis] : llvm::enumerate(axes)) {
          Number part =
              toPlace(inside, parts[i]) - Number(1) - place(3 + n + i);
          Number spread = part * Number(axis.stride) + place(2 + i);
          Number tap =
              axis.dilation == 1 ? spread : spread / Number(axis.dilation);
          Number count = toPlace(inside, taps[i]);
          scalar::Truth own = tap < count;
          if (axis.dilation != 1)
            own = own && tap * Number(axis.dilation) == spread;
          isTap = isTap ? *isTap && own : own;
          at.push_back(minimum(tap, count - Number(1)).getValue());
        }
        Value tap = tensor::ExtractOp::create(inside, w, at);
        return isTap ? arith::SelectOp::create(inside, isTap->getValue(), tap,
                                               factor)
                           .getResult()
                     : tap;
      });
  if (groups != 1)
    sizes.push_back(builder.getIndexAttr(groups));
  sizes.append({to.toSize(features), members});
  llvm::append_range(sizes, parts);
  return to.reshape(turned, sizes);
}

/// Rearranges [n, g, o * s…, q…] to [n, g * o, (q * s)…] and slices the result from that.
static Value interleave(Lowering &to, Value sums, ArrayRef<OpFoldResult> result,
                        ArrayRef<TransposedAxis> axes) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  size_t n = axes.size();
  SmallVector<OpFoldResult> apart = {result[0], result[1]}, merged = apart;
  SmallVector<OpFoldResult> starts(2, builder.getIndexAttr(0));
  SmallVector<int64_t> order = {0, 1};
  bool isApart = false, isWhole = true;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    isApart |= axis.stride != 1;
    apart.push_back(builder.getIndexAttr(axis.stride));
    merged.push_back(to.toSize(axis.places * axis.stride));
    starts.push_back(to.toSize(axis.offset));
    isWhole &= axis.offset.isLiteral(0) && merged.back() == result[2 + i];
    order.append({int64_t(2 + n + i), int64_t(2 + i)});
  }
  for (const TransposedAxis &axis : axes)
    apart.push_back(to.toSize(axis.places));
  if (isApart)
    sums = to.transpose(to.reshape(sums, apart), order);
  sums = to.reshape(sums, merged);
  if (isWhole)
    return sums;
  return makeSlice(to, sums, starts, result,
                   SmallVector<OpFoldResult>(2 + n, builder.getIndexAttr(1)));
}

static LogicalResult lower(ConvTransposeOp op, Lowering &to) {
  FailureOr<SlidingWindow> window = getWindow(op, to);
  if (failed(window))
    return failure();
  ShapeHelper &shape = to.getShapeHelper();
  Value x = to.get(op.getX()), w = to.get(op.getW());
  int64_t groups = op.getGroup();
  DimsExpr image = shape.getDims(x);
  IndexExpr channels = shape.getDim(w, 0).floorDiv(groups);
  for (Value operand : {x, w})
    to.checkEqual(to.toSize(shape.getDim(operand, operand == x ? 1 : 0)),
                  to.toSize(channels * groups),
                  "expected as many channels as the weights are for");
  auto [axes, plain] = splitWindow(*window, ArrayRef(image).drop_front(2));
  OpFoldResult members = to.toSize(channels);
  Value turned = turnWeights(to, w, groups, members, axes);
  bool isGrouped = groups != 1;
  Value sums = convolve(
      to, isGrouped ? ConvolutionForm::Grouped : ConvolutionForm::Dense,
      isGrouped ? splitChannels(to, x, groups, members) : x, turned, plain,
      Products::of(to, to.getType(op.getX()).getElementType()));
  SmallVector<OpFoldResult> result = {to.toSize(image[0]),
                                      to.toSize(shape.getDim(w, 1) * groups)};
  llvm::append_range(result, toSizes(to, window->output));
  return to.set(op.getY(), finish(to, interleave(to, sums, result, axes),
                                  to.getVector(op.getB()), 1,
                                  to.getType(op.getX()).getElementType()));
}

//===-- Calls -----------------------------------------------------------------===//

static LogicalResult lower(Col2ImOp op, Lowering &to) {
  ShapeHelper &shape = to.getShapeHelper();
  IndexExprBuilder &builder = shape.getBuilder();
  if (!builder.getArraySize(to.get(op.getImageShape())) ||
      !builder.getArraySize(to.get(op.getBlockShape())))
    return lowerForEachRank(to);
  FailureOr<RuntimeCall> call = op.describeCall(shape);
  return succeeded(call) ? to.call(*call) : failure();
}

void invar::onnx::addConvLowerings(LoweringTable &table) {
  table.add<Col2ImOp>(lower);
  table.add<ConvOp>(lower);
  table.add<ConvTransposeOp>(lower);
  table.addCall<DeformConvOp>();
}

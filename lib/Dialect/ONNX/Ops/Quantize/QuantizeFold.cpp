// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Arithmetic/ArithmeticFormulas.h"
#include "QuantizeFormulas.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelWindow.h"
#include "invar/Dialect/ONNX/MatrixProduct.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Scales and zero points ------------------------------------------------===//

/// Repeats each element along an axis `block` times, up to `size` elements.
static llvm::Expected<Elements> repeatBlocks(Folding &fold, const Elements &x,
                                             int64_t axis, int64_t block,
                                             int64_t size) {
  int64_t blocks = x.getShape()[axis];
  if (uint64_t(blocks) != llvm::divideCeil(uint64_t(size), uint64_t(block)))
    return notFolded("expected a scale for each block of " + Twine(block) +
                     " of " + Twine(size) + " indices, but got " +
                     Twine(blocks));
  block = std::min(block, std::max<int64_t>(size, 1));
  Shape split(x.getShape()), repeated(x.getShape()), merged(x.getShape());
  split.insert(split.begin() + axis + 1, 1);
  repeated.insert(repeated.begin() + axis + 1, block);
  merged[axis] *= block;
  return FoldChain(fold, x)
      .reshape(split)
      .then([&](const Elements &each) {
        return fold.getBuilder().expand(each, repeated);
      })
      .reshape(merged)
      .then([&](const Elements &all) { // The last block may be incomplete.
        return sliceAlong(fold, all, axis, 0, size);
      });
}

/// Aligns a scale or zero point so that it broadcasts to `shape`. It has one element,
/// one for each index of an axis, or one for each block of it.
static llvm::Expected<Elements> alignParameter(Folding &fold, const Elements &x,
                                               ArrayRef<int64_t> shape,
                                               int64_t axis, int64_t block) {
  const ElementsBuilder &builder = fold.getBuilder();
  if (x.numElements() == 1)
    return builder.reshape(x, {});
  int64_t rank = shape.size();
  std::optional<int64_t> place = normalizeAxis(axis, rank);
  if (rank == 1) // A vector has one axis, even if the default is 1.
    place = 0;
  if (!place)
    return notFolded("expected an axis of " + Twine(rank) + ", but got " +
                     Twine(axis));
  if (block > 0)
    return repeatBlocks(fold, x, *place, block, shape[*place]);
  Shape aligned(rank, 1);
  aligned[*place] = x.numElements();
  return builder.reshape(x, aligned);
}

/// Returns the zero point; empty if it is left out or 0. Floats have only 0: the
/// standard allows it there only to determine the type.
static llvm::Expected<std::optional<Elements>>
alignZeroPoint(Folding &fold, Value operand, ArrayRef<int64_t> shape,
               int64_t axis, int64_t block) {
  if (!operand)
    return std::nullopt;
  const Elements &x = fold.get(operand);
  if (getKind(x.getType()) == NumberKind::Float) {
    auto numbers = fold.read<float>(x);
    if (!numbers)
      return numbers.takeError();
    if (llvm::any_of(*numbers, [](float number) { return number != 0; }))
      return notFolded("expected 0 as the zero point of floats");
    return std::nullopt;
  }
  llvm::Expected<Elements> aligned =
      alignParameter(fold, x, shape, axis, block);
  if (!aligned)
    return aligned.takeError();
  return std::move(*aligned);
}

//===-- Quantizing ------------------------------------------------------------===//

/// Converts quotients of any float type to elements of a quantized type.
static llvm::Expected<Elements>
quantize(Folding &fold, llvm::Expected<Elements> quotients,
         const std::optional<Elements> &zeroPoint, DataType to,
         CastOptions options = {}) {
  if (getKind(to) == NumberKind::Float)
    return FoldChain(fold, std::move(quotients)).cast(to, options);
  llvm::Expected<Elements> zero =
      fold.getBuilder().splat(DataType::Float64, {}, WideNum::ofDouble(0));
  if (!zero || !quotients)
    return llvm::joinErrors(zero.takeError(), quotients.takeError());
  return FoldChain(fold, std::move(quotients))
      .cast(DataType::Float64)
      .apply(formula::Saturate::to(to), zeroPoint ? *zeroPoint : *zero)
      .cast(to);
}

/// The type of the division: the given one, or one to which both operands convert
/// without loss.
static DataType getDivisionType(QuantizeLinearOp op, DataType x,
                                DataType scale) {
  if (std::optional<DataType> given = dataTypeFromNumber(op.getPrecision()))
    return *given;
  if (x == DataType::Int32)
    return DataType::Float64;
  if (x == scale || scale == DataType::Float8E8M0)
    return x;
  return DataType::Float32;
}

FoldResult QuantizeLinearOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  ArrayRef<int64_t> shape = x.getShape();
  llvm::Expected<Elements> scale = alignParameter(
      fold, fold.get(getYScale()), shape, getAxis(), getBlockSize());
  if (!scale)
    return scale;
  auto zeroPoint =
      alignZeroPoint(fold, getYZeroPoint(), shape, getAxis(), getBlockSize());
  if (!zeroPoint)
    return zeroPoint.takeError();
  DataType division = getDivisionType(*this, x.getType(), scale->getType());
  CastOptions options;
  options.saturate = getSaturate() != 0;
  return quantize(
      fold, FoldChain(fold, x).cast(division).apply(formula::Div(), *scale),
      *zeroPoint, fold.getType(), options);
}

FoldResult DequantizeLinearOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  ArrayRef<int64_t> shape = x.getShape();
  llvm::Expected<Elements> scale = alignParameter(
      fold, fold.get(getXScale()), shape, getAxis(), getBlockSize());
  if (!scale)
    return scale;
  auto zeroPoint =
      alignZeroPoint(fold, getXZeroPoint(), shape, getAxis(), getBlockSize());
  if (!zeroPoint)
    return zeroPoint.takeError();
  // A difference of narrow integers is exact in single precision.
  DataType exact =
      x.getType() == DataType::Int32 ? DataType::Float64 : DataType::Float32;
  return FoldChain(fold, x)
      .cast(exact)
      .apply(formula::Sub(), *zeroPoint)
      .cast(DataType::Float32)
      .apply(formula::Mul(), *scale)
      .cast(fold.getType());
}

FoldResult DynamicQuantizeLinearOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  auto numbers = fold.read<float>(x);
  if (!numbers)
    return numbers.takeError();
  float least = 0, most = 0;
  for (float number : *numbers) {
    if (!std::isfinite(number))
      return notFolded("expected finite elements, but not all are");
    least = std::min(least, number);
    most = std::max(most, number);
  }
  float scale = most == least ? 1 : (most - least) / 255;
  float zeroPoint = std::nearbyint(std::clamp(0 - least / scale, 0.0f, 255.0f));
  auto scaleTensor = fold.make<float>({}, scale, 1);
  auto zeroTensor = fold.make<float>({}, zeroPoint, 2);
  if (!scaleTensor || !zeroTensor)
    return llvm::joinErrors(scaleTensor.takeError(), zeroTensor.takeError());
  llvm::Expected<Elements> y =
      quantize(fold, FoldChain(fold, x).apply(formula::Div(), *scaleTensor),
               *zeroTensor, fold.getType());
  if (!y)
    return y;
  return FoldResult::Values{*y, *scaleTensor, *zeroTensor};
}

//===-- Products --------------------------------------------------------------===//

/// Aligns a scale or zero point of a matrix. It has one element, one for each row (of
/// the left factor and the product) or column (of the right factor), or it broadcasts
/// already.
static llvm::Expected<Elements> alignToMatrix(Folding &fold, const Elements &x,
                                              bool ofRows) {
  if (x.numElements() == 1)
    return fold.getBuilder().reshape(x, {});
  if (x.getRank() == 1 && ofRows)
    return fold.getBuilder().reshape(x, {x.numElements(), 1});
  return x;
}

/// Returns one factor as a tensor of matrices of `type`, relative to its zero point.
static llvm::Expected<Elements> makeFactor(Folding &fold, Value operand,
                                           Value zeroPoint, DataType type,
                                           bool isLeft) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &x = fold.get(operand);
  llvm::Expected<Elements> factor =
      x.getRank() != 1 ? llvm::Expected<Elements>(x)
                       : builder.reshape(x, isLeft ? Shape{1, x.numElements()}
                                                   : Shape{x.numElements(), 1});
  if (!zeroPoint)
    return FoldChain(fold, std::move(factor)).cast(type);
  llvm::Expected<Elements> zero =
      alignToMatrix(fold, fold.get(zeroPoint), isLeft);
  if (!zero || !factor)
    return llvm::joinErrors(zero.takeError(), factor.takeError());
  return FoldChain(fold, std::move(factor))
      .cast(type)
      .apply(formula::Sub(), *zero);
}

/// Returns the products of both operands' matrices, relative to their zero points.
static llvm::Expected<Elements> multiply(Folding &fold, Value a, Value aZero,
                                         Value b, Value bZero) {
  bool onFloats = getKind(fold.get(a).getType()) == NumberKind::Float ||
                  getKind(fold.get(b).getType()) == NumberKind::Float;
  DataType type = onFloats ? DataType::Float64 : DataType::Int32;
  auto left = makeFactor(fold, a, aZero, type, /*isLeft=*/true);
  auto right = makeFactor(fold, b, bZero, type, /*isLeft=*/false);
  if (!left || !right)
    return llvm::joinErrors(left.takeError(), right.takeError());
  return multiplyMatrices(fold, {*left}, {*right}, type);
}

FoldResult MatMulIntegerOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  llvm::Expected<Elements> product =
      multiply(fold, getA(), getAZeroPoint(), getB(), getBZeroPoint());
  return product ? fold.getBuilder().reshape(*product, *shape)
                 : std::move(product);
}

FoldResult QLinearMatMulOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  auto aScale = alignToMatrix(fold, fold.get(getAScale()), /*ofRows=*/true);
  auto bScale = alignToMatrix(fold, fold.get(getBScale()), /*ofRows=*/false);
  if (!aScale || !bScale)
    return llvm::joinErrors(aScale.takeError(), bScale.takeError());
  auto yScale = alignToMatrix(fold, fold.get(getYScale()), /*ofRows=*/true);
  auto yZero = alignToMatrix(fold, fold.get(getYZeroPoint()), /*ofRows=*/true);
  if (!yScale || !yZero)
    return llvm::joinErrors(yScale.takeError(), yZero.takeError());
  llvm::Expected<Elements> scale = FoldChain(fold, *aScale)
                                       .cast(DataType::Float32)
                                       .apply(formula::Mul(), *bScale)
                                       .apply(formula::Div(), *yScale);
  llvm::Expected<Elements> product =
      multiply(fold, getA(), getAZeroPoint(), getB(), getBZeroPoint());
  if (!scale || !product)
    return llvm::joinErrors(scale.takeError(), product.takeError());
  llvm::Expected<Elements> y = quantize(fold,
                                        FoldChain(fold, *product)
                                            .cast(DataType::Float64)
                                            .apply(formula::Mul(), *scale),
                                        *yZero, fold.getType());
  return y ? fold.getBuilder().reshape(*y, *shape) : std::move(y);
}

//===-- Convolutions ----------------------------------------------------------===//

/// Aligns a scale or zero point of a convolution's features: there is one, or one for
/// each feature. Features are on axis `axis` of `rank`.
static llvm::Expected<Elements> alignToFeatures(Folding &fold, Value operand,
                                                int64_t axis, int64_t rank) {
  const Elements &x = fold.get(operand);
  Shape shape(rank, 1);
  shape[axis] = x.numElements();
  return fold.getBuilder().reshape(x, shape);
}

/// Returns the convolution of `x` and `w`, relative to their zero points.
template <typename Op>
static llvm::Expected<Elements>
convolveIntegers(Op op, Folding &fold, Value xZeroPoint, Value wZeroPoint,
                 const std::optional<Elements> &bias) {
  const Elements &x = fold.get(op.getX()), &w = fold.get(op.getW());
  ShapeHelper shape = fold.getShapeHelper();
  auto window =
      toKernelWindow(op.computeWindow(shape), x.getShape().drop_front(2));
  if (!window)
    return window.takeError();
  auto subtract = [&](const Elements &numbers, Value zeroPoint,
                      int64_t axis) -> llvm::Expected<Elements> {
    FoldChain wide = FoldChain(fold, numbers).cast(DataType::Int32);
    if (!zeroPoint)
      return std::move(wide);
    return std::move(wide).then(
        [&](const Elements &data) -> llvm::Expected<Elements> {
          auto zero = alignToFeatures(fold, zeroPoint, axis, data.getRank());
          if (!zero)
            return zero;
          return FoldChain(fold, data).apply(formula::Sub(), *zero);
        });
  };
  auto left = subtract(x, xZeroPoint, /*axis=*/1);
  auto right = subtract(w, wZeroPoint, /*axis=*/0);
  if (!left || !right)
    return llvm::joinErrors(left.takeError(), right.takeError());
  return convolve(fold, *window, op.getGroup(), /*transposed=*/false, *left,
                  *right, bias, DataType::Int32);
}

FoldResult ConvIntegerOp::computeValues(Folding &fold) {
  return convolveIntegers(*this, fold, getXZeroPoint(), getWZeroPoint(),
                          std::nullopt);
}

FoldResult QLinearConvOp::computeValues(Folding &fold) {
  int64_t rank = fold.get(getX()).getRank();
  llvm::Expected<Elements> sums = convolveIntegers(
      *this, fold, getXZeroPoint(), getWZeroPoint(), fold.getOptional(getB()));
  if (!sums)
    return sums;
  auto wScale = alignToFeatures(fold, getWScale(), /*axis=*/1, rank);
  auto xScale = alignToFeatures(fold, getXScale(), /*axis=*/1, rank);
  if (!wScale || !xScale)
    return llvm::joinErrors(wScale.takeError(), xScale.takeError());
  auto yScale = alignToFeatures(fold, getYScale(), /*axis=*/1, rank);
  auto yZero = alignToFeatures(fold, getYZeroPoint(), /*axis=*/1, rank);
  if (!yScale || !yZero)
    return llvm::joinErrors(yScale.takeError(), yZero.takeError());
  llvm::Expected<Elements> scale = FoldChain(fold, *xScale)
                                       .apply(formula::Mul(), *wScale)
                                       .apply(formula::Div(), *yScale);
  if (!scale)
    return scale;
  return quantize(fold,
                  FoldChain(fold, *sums)
                      .cast(DataType::Float64)
                      .apply(formula::Mul(), *scale),
                  *yZero, fold.getType());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Arithmetic/ArithmeticFormulas.h"
#include "QuantizeFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Convolution.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Scales and zero points ------------------------------------------------===//

/// Returns a tensor of floats that loops can compute with; narrower floats are widened.
static FailureOr<Value> toFloats(Lowering &to, Value tensor) {
  if (canCompute(cast<RankedTensorType>(tensor.getType()).getElementType()))
    return tensor;
  return to.cast(tensor, to.getBuilder().getF32Type());
}

/// Aligns a scale or zero point for loops over `x`. It has one element, one for each
/// index of an axis, or one for each block of it.
static FailureOr<LoopOperand> alignParameter(Lowering &to, Value parameter,
                                             Value x, int64_t axis,
                                             int64_t block) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto type = cast<RankedTensorType>(parameter.getType());
  SmallVector<OpFoldResult> sizes = to.sizesOf(x), own = to.sizesOf(parameter);
  bool isOne = type.hasStaticShape() && type.getNumElements() == 1;
  // A vector has one axis, even if the default is 1.
  std::optional<int64_t> place =
      sizes.size() == 1 ? 0 : normalizeAxis(axis, sizes.size());
  if (!isOne && !place)
    return to.decline("its axis is not one of its operand");
  if (isOne || block == 0) {
    SmallVector<OpFoldResult> aligned(isOne ? 0 : sizes.size(),
                                      builder.getIndexAttr(1));
    if (!isOne && type.getRank() != 1)
      return to.decline("expected a scale or one for each index of an axis");
    if (!isOne)
      aligned[*place] = own[0];
    auto operand = to.readTo(to.reshape(parameter, aligned), sizes);
    if (failed(operand))
      return failure();
    return LoopOperand{operand->first, operand->second};
  }
  if (own.size() != sizes.size())
    return to.decline("expected a scale for each block");
  IndexExpr blocks = to.getShapeHelper().getDim(x, *place).ceilDiv(block);
  SmallVector<AffineExpr> places;
  for (auto [i, size] : llvm::enumerate(own)) {
    bool isBlocked = int64_t(i) == *place;
    AffineExpr loop = builder.getAffineDimExpr(i);
    to.checkEqual(size, isBlocked ? to.toSize(blocks) : sizes[i],
                  "expected a scale for each block");
    places.push_back(isBlocked ? loop.floorDiv(block) : loop);
  }
  return LoopOperand{
      parameter, AffineMap::get(sizes.size(), 0, places, builder.getContext())};
}

/// Returns `x`, its scale, and its zero point unless it has none: the zero point of
/// floats is always 0.
template <typename Op>
static FailureOr<SmallVector<LoopOperand>>
alignAll(Op op, Lowering &to, Value x, Value scale, Value zeroPoint) {
  SmallVector<LoopOperand> operands = {
      {x, to.getBuilder().getMultiDimIdentityMap(to.sizesOf(x).size())}};
  if (zeroPoint && isa<FloatType>(to.getType(zeroPoint).getElementType()))
    zeroPoint = nullptr;
  FailureOr<Value> factors = toFloats(to, to.get(scale));
  if (failed(factors))
    return failure();
  for (Value parameter : {*factors, to.get(zeroPoint)}) {
    if (!parameter)
      continue;
    auto aligned =
        alignParameter(to, parameter, x, op.getAxis(), op.getBlockSize());
    if (failed(aligned))
      return failure();
    operands.push_back(*aligned);
  }
  return operands;
}

//===-- Quantizing ------------------------------------------------------------===//

/// Converts a quotient to a number of a quantized type. Integers of up to 16 bits are
/// exact in every float type that loops compute with.
static Number quantize(Number quotient, std::optional<Number> zeroPoint,
                       Type elementType) {
  if (isa<FloatType>(elementType))
    return quotient;
  Number zero = zeroPoint ? zeroPoint->castTo(quotient.getType())
                          : Number(0).like(quotient);
  return formula::Saturate::to(*elements::toDataType(elementType))(quotient,
                                                                   zero);
}

/// The type of the division: the given one, or one to which both operands convert
/// without loss.
static Type getDivisionType(QuantizeLinearOp op, Type x, Type scale) {
  OpBuilder builder(op);
  if (std::optional<DataType> given = dataTypeFromNumber(op.getPrecision()))
    return elements::toType(op.getContext(), *given);
  if (x.isInteger(32))
    return builder.getF64Type();
  if (x == scale || isa<Float8E8M0FNUType>(scale))
    return x;
  return builder.getF32Type();
}

static LogicalResult lower(QuantizeLinearOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  Value x = to.get(op.getX());
  auto operands = alignAll(op, to, x, op.getYScale(), op.getYZeroPoint());
  if (failed(operands))
    return failure();
  Type result = to.getType(op.getY()).getElementType();
  Type division = getDivisionType(op, to.getType(op.getX()).getElementType(),
                                  to.getType(op.getYScale()).getElementType());
  // The runtime converts quotients to the narrowest floats.
  Type made = canCompute(result) ? result : division;
  Value y = makeElementwise(
      to, *operands, to.sizesOf(x), made, [&](ArrayRef<Number> in) {
        Type work = division.getIntOrFloatBitWidth() < 32
                        ? Type(to.getBuilder().getF32Type())
                        : division;
        Number quotient = in[0].castTo(work) / in[1].castTo(work);
        // Round to the type of the division, then continue in the wider type.
        quotient = quotient.castTo(division).castTo(work);
        return quantize(quotient,
                        in.size() > 2 ? std::optional(in[2]) : std::nullopt,
                        result);
      });
  if (made == result)
    return to.set(op.getY(), y);
  NamedAttribute wraps = to.named(
      "wraps", to.getBuilder().getI64IntegerAttr(op.getSaturate() == 0));
  return to.set(op.getY(),
                to.call("Cast", y, to.getType(op.getY()), wraps).front());
}

static LogicalResult lower(DequantizeLinearOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  FailureOr<Value> x = toFloats(to, to.get(op.getX()));
  if (failed(x))
    return failure();
  auto operands = alignAll(op, to, *x, op.getXScale(), op.getXZeroPoint());
  if (failed(operands))
    return failure();
  // A difference of narrow integers is exact in single precision.
  OpBuilder &builder = to.getBuilder();
  Type single = builder.getF32Type();
  Type exact = to.getType(op.getX()).getElementType().isInteger(32)
                   ? builder.getF64Type()
                   : single;
  Value y = makeElementwise(
      to, *operands, to.sizesOf(*x), to.getType(op.getY()).getElementType(),
      [&](ArrayRef<Number> in) {
        Number number = in[0].castTo(exact);
        if (in.size() > 2)
          number = number - in[2].castTo(exact);
        return number.castTo(single) * in[1].castTo(single);
      });
  return to.set(op.getY(), y);
}

/// Returns the least or the greatest element, or 0 if no element is below or above it.
/// Each row is reduced first, so that threads can share the rows.
static Value findLimit(Lowering &to, Value x, bool isLeast) {
  OpBuilder &builder = to.getBuilder();
  auto add = [&](Number total, ArrayRef<Number> in) {
    return select(isLeast ? in[0] < total : in[0] > total, in[0], total);
  };
  auto reduce = [&](ArrayRef<int64_t> axes) {
    Rows rows(to, x, axes);
    x = rows.reduce(rows.each(x), {builder.getF32FloatAttr(0), false, add});
  };
  if (int64_t rank = to.sizesOf(x).size(); rank > 1)
    reduce(rank - 1);
  reduce(llvm::to_vector(llvm::seq<int64_t>(to.sizesOf(x).size())));
  return x;
}

static LogicalResult lower(DynamicQuantizeLinearOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  Value x = to.get(op.getX());
  Value least = findLimit(to, x, /*isLeast=*/true);
  Value most = findLimit(to, x, /*isLeast=*/false);
  Type single = to.getBuilder().getF32Type();
  Type byte = to.getType(op.getY()).getElementType();
  Rows scalars(to, least, {}), all(to, x, {});
  Value scale =
      scalars.ofAll({scalars.each(least), scalars.each(most)}, single,
                    [](ArrayRef<Number> in) {
                      return select(in[0] == in[1], Number(1).like(in[0]),
                                    (in[1] - in[0]) / Number(255));
                    });
  Value zeroPoint = scalars.ofAll(
      {scalars.each(least), scalars.each(scale)}, byte,
      [](ArrayRef<Number> in) {
        Number place = Number(0) - in[0] / in[1];
        return roundEven(minimum(maximum(place, Number(0)), Number(255)));
      });
  auto factor = all.broadcast(scale), zero = all.broadcast(zeroPoint);
  if (failed(factor) || failed(zero))
    return failure();
  Value y =
      all.ofAll({all.each(x), *factor, *zero}, byte, [&](ArrayRef<Number> in) {
        return quantize(in[0] / in[1], in[2], byte);
      });
  if (failed(to.set(op.getY(), y)) || failed(to.set(op.getYScale(), scale)))
    return failure();
  return to.set(op.getYZeroPoint(), zeroPoint);
}

//===-- Products --------------------------------------------------------------===//

/// Whether there is a zero point that may not be 0. Floats have only 0.
static bool hasZeroPoint(Lowering &to, Value zeroPoint) {
  if (!zeroPoint || isa<FloatType>(to.getType(zeroPoint).getElementType()))
    return false;
  auto numbers = to.getInts(zeroPoint);
  return !numbers || llvm::any_of(*numbers, [](int64_t n) { return n != 0; });
}

/// Aligns a scale or zero point of a matrix. It has one element, one for each row (of
/// the left factor and the product) or column (of the right factor), or it broadcasts
/// already.
static Value alignToMatrix(Lowering &to, Value parameter, bool ofRows) {
  auto type = cast<RankedTensorType>(parameter.getType());
  if (type.hasStaticShape() && type.getNumElements() == 1)
    return toScalar(to, parameter);
  if (type.getRank() != 1 || !ofRows)
    return parameter;
  return to.reshape(
      parameter, {to.sizesOf(parameter)[0], to.getBuilder().getIndexAttr(1)});
}

/// The difference of a number and its zero point, if it has one.
static Number subtract(Number x, const Number *zeroPoint, Type type) {
  return zeroPoint ? x.castTo(type) - zeroPoint->castTo(type) : x.castTo(type);
}

/// Returns one factor as a tensor of matrices, with its zero point.
static FailureOr<Factor> makeFactor(Lowering &to, Value operand,
                                    Value zeroPoint, bool isLeft) {
  FailureOr<Value> x = toFloats(to, to.get(operand));
  if (failed(x))
    return failure();
  Factor factor{*x, {}};
  SmallVector<OpFoldResult> sizes = to.sizesOf(*x);
  if (sizes.size() == 1) {
    sizes.insert(isLeft ? sizes.begin() : sizes.end(),
                 to.getBuilder().getIndexAttr(1));
    factor.tensor = to.reshape(*x, sizes);
  }
  if (hasZeroPoint(to, zeroPoint))
    factor.parameters.push_back(
        alignToMatrix(to, to.get(zeroPoint), /*ofRows=*/isLeft));
  return factor;
}

/// Returns the products of both operands' matrices, relative to their zero points:
/// int32, or floats if one operand has floats.
static FailureOr<Value> multiply(Lowering &to, Value a, Value aZero, Value b,
                                 Value bZero) {
  auto isFloat = [&](Value operand) {
    return isa<FloatType>(to.getType(operand).getElementType());
  };
  OpBuilder &builder = to.getBuilder();
  Type wide = isFloat(a) || isFloat(b) ? Type(builder.getF32Type())
                                       : builder.getI32Type();
  auto left = makeFactor(to, a, aZero, /*isLeft=*/true);
  auto right = makeFactor(to, b, bZero, /*isLeft=*/false);
  if (failed(left) || failed(right))
    return failure();
  bool hasLeft = !left->parameters.empty();
  bool hasRight = !right->parameters.empty();
  return makeProduct(to, *left, *right, wide, [&](ArrayRef<Number> in) {
    return subtract(in[0], hasLeft ? &in[2] : nullptr, wide) *
           subtract(in[1], hasRight ? &in.back() : nullptr, wide);
  });
}

static LogicalResult lower(MatMulIntegerOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  auto sizes = to.getSizes(op.getY());
  auto product = multiply(to, op.getA(), op.getAZeroPoint(), op.getB(),
                          op.getBZeroPoint());
  if (failed(sizes) || failed(product))
    return failure();
  return to.set(op.getY(), to.reshape(*product, *sizes));
}

/// Converts sums of products to elements of a quantized type. The scale of the factors
/// divided by that of the result is a constant in most models. It is computed in single
/// precision, as in runtimes.
static FailureOr<Value> requantize(Lowering &to, Value sums, Value a, Value b,
                                   Value y, Value zeroPoint, Type elementType) {
  Type single = to.getBuilder().getF32Type();
  SmallVector<Value> scales;
  for (Value scale : {a, b, y}) {
    FailureOr<Value> factor = to.cast(scale, single);
    if (failed(factor))
      return failure();
    scales.push_back(*factor);
  }
  FailureOr<Value> scale = to.apply(formula::Mul(), {scales[0], scales[1]});
  if (succeeded(scale))
    scale = to.apply(formula::Div(), {*scale, scales[2]});
  if (failed(scale))
    return failure();
  // The runtime converts quotients to the narrowest floats, which have no zero point.
  bool isFloat = isa<FloatType>(elementType);
  Rows all(to, sums, {});
  auto factor = all.broadcast(*scale);
  auto zero = all.broadcast(isFloat ? *scale : zeroPoint);
  if (failed(factor) || failed(zero))
    return failure();
  Value made = all.ofAll(
      {all.each(sums), *factor, *zero}, isFloat ? single : elementType,
      [&](ArrayRef<Number> in) {
        return quantize(in[0].castTo(single) * in[1], in[2], elementType);
      });
  return to.cast(made, elementType);
}

static LogicalResult lower(QLinearMatMulOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  Type result = to.getType(op.getY()).getElementType();
  auto sizes = to.getSizes(op.getY());
  auto product = multiply(to, op.getA(), op.getAZeroPoint(), op.getB(),
                          op.getBZeroPoint());
  if (failed(sizes) || failed(product))
    return failure();
  auto align = [&](Value parameter, bool ofRows) {
    return alignToMatrix(to, to.get(parameter), ofRows);
  };
  FailureOr<Value> y =
      requantize(to, *product, align(op.getAScale(), /*ofRows=*/true),
                 align(op.getBScale(), /*ofRows=*/false),
                 align(op.getYScale(), /*ofRows=*/true),
                 align(op.getYZeroPoint(), /*ofRows=*/true), result);
  return succeeded(y) ? to.set(op.getY(), to.reshape(*y, *sizes)) : failure();
}

//===-- Convolutions ----------------------------------------------------------===//

/// Returns a scale or zero point of a convolution: one element, or one for each feature.
static Value splitParameter(Lowering &to, const GroupedConvolution &convolution,
                            Value operand) {
  RankedTensorType type = to.getType(operand);
  if (type.getRank() != 1 || type.getDimSize(0) == 1)
    return toScalar(to, to.get(operand));
  return convolution.splitFeatures(to.get(operand));
}

/// The same, but it broadcasts to the sums, whose last `axes` are spatial.
static Value alignToFeatures(Lowering &to,
                             const GroupedConvolution &convolution,
                             Value operand, size_t axes) {
  Value parameter = splitParameter(to, convolution, operand);
  SmallVector<OpFoldResult> sizes = to.sizesOf(parameter);
  if (!sizes.empty())
    sizes.append(axes, to.getBuilder().getIndexAttr(1));
  return to.reshape(parameter, sizes);
}

/// Returns the convolution of `x` and `w`, relative to their zero points, as int32. The
/// padding of `x` is its zero point.
template <typename Op>
static Value convolveIntegers(Op op, Lowering &to,
                              const GroupedConvolution &convolution) {
  Type wide = to.getBuilder().getI32Type();
  Products products = Products::of(to, to.getType(op.getX()).getElementType());
  bool hasX = hasZeroPoint(to, op.getXZeroPoint());
  bool hasW = hasZeroPoint(to, op.getWZeroPoint());
  products.sumType = wide;
  products.term = [=](ArrayRef<Number> in) {
    return subtract(in[0], hasX ? &in[2] : nullptr, wide) *
           subtract(in[1], hasW ? &in.back() : nullptr, wide);
  };
  if (hasX) {
    products.border = getElement(to, op.getXZeroPoint());
    products.parameters.push_back(toScalar(to, to.get(op.getXZeroPoint())));
  }
  if (hasW)
    products.parameters.push_back(
        splitParameter(to, convolution, op.getWZeroPoint()));
  return convolution.sum(products);
}

static LogicalResult lower(ConvIntegerOp op, Lowering &to) {
  FailureOr<SlidingWindow> window = getWindow(op, to);
  if (failed(to.expectRanks()) || failed(window))
    return failure();
  GroupedConvolution convolution(to, to.get(op.getX()), to.get(op.getW()),
                                 op.getGroup(), *window);
  Value sums = convolveIntegers(op, to, convolution);
  return to.set(op.getY(), convolution.merge(sums));
}

static LogicalResult lower(QLinearConvOp op, Lowering &to) {
  FailureOr<SlidingWindow> window = getWindow(op, to);
  if (failed(to.expectRanks()) || failed(window))
    return failure();
  GroupedConvolution convolution(to, to.get(op.getX()), to.get(op.getW()),
                                 op.getGroup(), *window);
  FailureOr<Value> y = convolveIntegers(op, to, convolution);
  auto align = [&](Value operand) {
    return alignToFeatures(to, convolution, operand, window->output.size());
  };
  if (op.getB())
    y = to.apply(formula::Add(), {*y, align(op.getB())});
  if (succeeded(y))
    y = requantize(to, *y, align(op.getXScale()), align(op.getWScale()),
                   align(op.getYScale()), align(op.getYZeroPoint()),
                   to.getType(op.getY()).getElementType());
  return succeeded(y) ? to.set(op.getY(), convolution.merge(*y)) : failure();
}

void invar::onnx::addQuantizeLowerings(LoweringTable &table) {
  table.add<ConvIntegerOp>(lower);
  table.add<DequantizeLinearOp>(lower);
  table.add<DynamicQuantizeLinearOp>(lower);
  table.add<MatMulIntegerOp>(lower);
  table.add<QLinearConvOp>(lower);
  table.add<QLinearMatMulOp>(lower);
  table.add<QuantizeLinearOp>(lower);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Rows.h"

#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using scalar::Truth;

//===-- Loops -----------------------------------------------------------------===//

static void note(Lowering &to, Value tensor, ArrayRef<OpFoldResult> sizes) {
  for (auto [axis, size] : llvm::enumerate(sizes))
    to.getGraph().noteSize(tensor, int64_t(axis), size);
}

static SmallVector<Number> toNumbers(OpBuilder &builder, Location loc,
                                     ValueRange elements) {
  SmallVector<Number> numbers;
  for (Value element : elements)
    numbers.push_back(toNumber(builder, loc, element));
  return numbers;
}

/// A linalg loop that is the index of an axis covers all of it. Returns the part of an
/// operand that the loops cover, if an axis is known to be longer.
static Value dropUncovered(Lowering &to, const LoopOperand &operand,
                           ArrayRef<OpFoldResult> loops) {
  Value tensor = operand.tensor;
  for (auto [axis, index] : llvm::enumerate(operand.map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    auto covered =
        loop ? getConstantIntValue(loops[loop.getPosition()]) : std::nullopt;
    int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(axis);
    if (covered && !ShapedType::isDynamic(size) && *covered < size)
      tensor =
          sliceAlong(to, tensor, int64_t(axis), to.getBuilder().getIndexAttr(0),
                     to.getBuilder().getIndexAttr(*covered));
  }
  return tensor;
}

Value onnx::makeElementwise(Lowering &to, ArrayRef<LoopOperand> operands,
                            ArrayRef<OpFoldResult> sizes, Type elementType,
                            Compute compute) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const LoopOperand &operand : operands) {
    tensors.push_back(dropUncovered(to, operand, sizes));
    maps.push_back(operand.map);
  }
  maps.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  Value empty = to.makeEmpty(sizes, elementType);
  auto generic = linalg::GenericOp::create(
      builder, empty.getType(), tensors, empty, maps, iterators,
      [&](OpBuilder &inside, Location loc, ValueRange elements) {
        Number made = compute(toNumbers(inside, loc, elements.drop_back()));
        linalg::YieldOp::create(inside, loc, toElement(made, elementType));
      });
  note(to, generic.getResult(0), sizes);
  return generic.getResult(0);
}

bool onnx::isUnsigned(Type elementType) {
  auto integer = dyn_cast<IntegerType>(elementType);
  return integer && (integer.isUnsigned() || integer.getWidth() == 1);
}

TypedAttr onnx::getLimit(OpBuilder &builder, Type elementType, bool isLowest) {
  Type type = getSumType(builder, elementType);
  if (auto real = dyn_cast<FloatType>(type))
    return builder.getFloatAttr(
        real, llvm::APFloat::getInf(real.getFloatSemantics(), isLowest));
  unsigned width = type.getIntOrFloatBitWidth();
  if (isUnsigned(elementType))
    return builder.getIntegerAttr(type, isLowest
                                            ? llvm::APInt::getMinValue(width)
                                            : llvm::APInt::getMaxValue(width));
  return builder.getIntegerAttr(
      type, isLowest ? llvm::APInt::getSignedMinValue(width)
                     : llvm::APInt::getSignedMaxValue(width));
}

//===-- Rows ------------------------------------------------------------------===//

Rows::Rows(Lowering &to, Value x, ArrayRef<int64_t> along)
    : to(to),
      workType(getSumType(to.getBuilder(), getElementTypeOrSelf(x.getType()))),
      sizes(to.sizesOf(x)), axes(along) {
  for (int64_t axis = 0; axis < int64_t(sizes.size()); ++axis)
    if (!llvm::is_contained(axes, axis)) {
      others.push_back(axis);
      rowSizes.push_back(sizes[axis]);
    }
}

AffineMap Rows::getOrder() const {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<AffineExpr> places(sizes.size());
  unsigned loop = 0;
  for (int64_t axis : llvm::concat<const int64_t>(others, axes))
    places[axis] = builder.getAffineDimExpr(loop++);
  return AffineMap::get(sizes.size(), 0, places, builder.getContext());
}

LoopOperand Rows::each(Value tensor) const {
  return {tensor, to.getBuilder().getMultiDimIdentityMap(sizes.size())};
}

LoopOperand Rows::perRow(Value statistic) const {
  return along(others, statistic);
}

LoopOperand Rows::along(ArrayRef<int64_t> own, Value tensor) const {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<AffineExpr> places;
  for (auto [axis, size] : llvm::zip_equal(own, to.sizesOf(tensor))) {
    to.checkEqual(sizes[axis], size, "expected operands that fit");
    places.push_back(builder.getAffineDimExpr(axis));
  }
  return {tensor,
          AffineMap::get(sizes.size(), 0, places, builder.getContext())};
}

FailureOr<LoopOperand> Rows::broadcast(Value tensor) const {
  auto operand = to.readTo(tensor, sizes);
  if (failed(operand))
    return failure();
  return LoopOperand{operand->first, operand->second};
}

Value Rows::reduce(ArrayRef<LoopOperand> operands,
                   const Reduction &reduction) const {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  AffineMap order = getOrder();
  for (const LoopOperand &operand : operands) {
    tensors.push_back(operand.tensor);
    maps.push_back(operand.map.compose(order));
  }
  maps.push_back(
      getLoops(builder.getContext(), sizes.size(), 0, rowSizes.size()));
  SmallVector<bool> isReduced(rowSizes.size(), false);
  isReduced.append(axes.size(), true);
  return makeReduction(to, tensors, maps, isReduced, rowSizes, reduction);
}

Value Rows::sum(ArrayRef<LoopOperand> operands, Compute term) const {
  return reduce(operands,
                {to.getBuilder().getZeroAttr(workType),
                 /*isUnsigned=*/false, [&](Number total, ArrayRef<Number> in) {
                   return total + term(in);
                 }});
}

Value Rows::greatest(Value tensor) const {
  Type element = getElementTypeOrSelf(tensor.getType());
  return reduce(each(tensor),
                {getLimit(to.getBuilder(), element, /*isLowest=*/true),
                 isUnsigned(element), [](Number total, ArrayRef<Number> in) {
                   return maximum(total, in[0]);
                 }});
}

/// Whether `a` precedes `b` as the greatest or least element.
static Truth isBetter(Number a, Number b, bool isGreatest) {
  Truth isBeyond = isGreatest ? a > b : a < b;
  return a.isFloat() ? isBeyond || (isNaN(a) && !isNaN(b)) : isBeyond;
}

Value Rows::locateExtreme(Value tensor, bool isGreatest, bool takesLast) const {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Type element = getElementTypeOrSelf(tensor.getType());
  // If no element is better than the initial limit, the position is 0.
  TypedAttr zero = builder.getI64IntegerAttr(0);
  SmallVector<Value> totals;
  for (TypedAttr initial : {getLimit(builder, element, isGreatest), zero}) {
    Value first = arith::ConstantOp::create(builder, initial);
    Value empty = to.makeEmpty(rowSizes, first.getType());
    totals.push_back(
        linalg::FillOp::create(builder, first, empty).getResult(0));
  }
  AffineMap result =
      getLoops(builder.getContext(), sizes.size(), 0, rowSizes.size());
  SmallVector<utils::IteratorType> iterators(rowSizes.size(),
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      builder, ValueRange(totals).getTypes(), tensor, totals,
      {getOrder(), result, result}, iterators,
      [&](OpBuilder &inside, Location loc, ValueRange in) {
        Number x = toNumber(inside, loc, in[0]);
        Number best(inside, loc, in[1], isUnsigned(element));
        Number place(inside, loc, in[2]);
        Value here = linalg::IndexOp::create(inside, loc, rowSizes.size());
        here = arith::IndexCastOp::create(inside, loc, place.getType(), here);
        Truth isTaken = takesLast ? !isBetter(best, x, isGreatest)
                                  : isBetter(x, best, isGreatest);
        linalg::YieldOp::create(
            inside, loc,
            {select(isTaken, x, best).getValue(),
             select(isTaken, Number(inside, loc, here), place).getValue()});
      });
  note(to, generic.getResult(1), rowSizes);
  return generic.getResult(1);
}

Value Rows::ofAll(ArrayRef<LoopOperand> operands, Type elementType,
                  Compute compute) const {
  return makeElementwise(to, operands, sizes, elementType, compute);
}

Value Rows::ofRows(ValueRange statistics, Type elementType,
                   Compute compute) const {
  AffineMap same = to.getBuilder().getMultiDimIdentityMap(rowSizes.size());
  SmallVector<LoopOperand> operands;
  for (Value statistic : statistics)
    operands.push_back({statistic, same});
  return makeElementwise(to, operands, rowSizes, elementType, compute);
}

Number Rows::countFor(const Number &like) const {
  uint64_t known = 1;
  SmallVector<Value> unknown;
  for (int64_t axis : axes)
    if (std::optional<int64_t> size = getConstantIntValue(sizes[axis]))
      known = llvm::SaturatingMultiply<uint64_t>(known, *size);
    else
      unknown.push_back(cast<Value>(sizes[axis]));
  if (unknown.empty())
    return Number(known).like(like);
  OpBuilder &inside = like.getBuilder();
  Location loc = like.getLoc();
  Value count = arith::ConstantIndexOp::create(inside, loc, int64_t(known));
  for (Value size : unknown)
    count = arith::MulIOp::create(inside, loc, count, size);
  count = arith::IndexCastOp::create(inside, loc, inside.getI64Type(), count);
  return Number(inside, loc, count).castTo(like.getType());
}

Number Rows::getPlace(const Number &like) const {
  OpBuilder &inside = like.getBuilder();
  Value place = linalg::IndexOp::create(inside, like.getLoc(), axes.front());
  place = arith::IndexCastOp::create(inside, like.getLoc(), inside.getI64Type(),
                                     place);
  return Number(inside, like.getLoc(), place);
}

Value Rows::keepAxes(Value statistic) const {
  if (axes.empty())
    return statistic;
  SmallVector<OpFoldResult> kept(sizes);
  for (int64_t axis : axes)
    kept[axis] = to.getBuilder().getIndexAttr(1);
  return to.reshape(statistic, kept);
}

//===-- Softmax ---------------------------------------------------------------===//

Value onnx::makeSoftmax(const Rows &rows, Value x) {
  Type element = getElementTypeOrSelf(x.getType());
  auto round = [&](Number number) {
    return number.castTo(element).castTo(number.getType());
  };
  Value most = rows.greatest(x);
  Value powers = rows.ofAll(
      {rows.each(x), rows.perRow(most)}, element,
      [&](ArrayRef<Number> in) { return exp(round(in[0] - in[1])); });
  Value sum =
      rows.sum(rows.each(powers), [](ArrayRef<Number> in) { return in[0]; });
  return rows.ofAll({rows.each(powers), rows.perRow(sum)}, element,
                    [&](ArrayRef<Number> in) { return in[0] / round(in[1]); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Contraction.h"

#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

Type onnx::getSumType(OpBuilder &builder, Type elementType) {
  if (elementType.isF16() || elementType.isBF16())
    return builder.getF32Type();
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return builder.getIntegerType(integer.getWidth());
  return elementType;
}

AffineMap onnx::getLoops(MLIRContext *context, unsigned loops, unsigned first,
                         unsigned count) {
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < count; ++i)
    exprs.push_back(getAffineDimExpr(first + i, context));
  return AffineMap::get(loops, 0, exprs, context);
}

Value onnx::makeReduction(Lowering &to, ValueRange operands,
                          ArrayRef<AffineMap> maps, ArrayRef<bool> isReduced,
                          ArrayRef<OpFoldResult> resultSizes,
                          const Reduction &reduction) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value initial = arith::ConstantOp::create(builder, reduction.initial);
  Value empty = to.makeEmpty(resultSizes, initial.getType());
  Value totals = linalg::FillOp::create(builder, initial, empty).getResult(0);
  SmallVector<utils::IteratorType> iterators;
  for (bool reduced : isReduced)
    iterators.push_back(reduced ? utils::IteratorType::reduction
                                : utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, totals.getType(), operands, totals, maps, iterators,
      [&](OpBuilder &inside, Location loc, ValueRange elements) {
        SmallVector<Number> numbers;
        for (Value element : elements.drop_back())
          numbers.push_back(toNumber(inside, loc, element));
        Number total(inside, loc, elements.back(), reduction.isUnsigned);
        linalg::YieldOp::create(inside, loc,
                                reduction.add(total, numbers).getValue());
      });
  Value result = generic.getResult(0);
  for (auto [axis, size] : llvm::enumerate(resultSizes))
    to.getGraph().noteSize(result, int64_t(axis), size);
  return result;
}

Value onnx::makeSum(Lowering &to, ValueRange operands, ArrayRef<AffineMap> maps,
                    ArrayRef<bool> isReduced,
                    ArrayRef<OpFoldResult> resultSizes, Type elementType,
                    function_ref<Number(ArrayRef<Number>)> term) {
  Type work = getSumType(to.getBuilder(), elementType);
  Value result = makeReduction(
      to, operands, maps, isReduced, resultSizes,
      {to.getBuilder().getZeroAttr(work), /*isUnsigned=*/false,
       [&](Number total, ArrayRef<Number> in) { return total + term(in); }});
  if (work == elementType)
    return result;
  // The sizes are the same, so this cannot fail.
  return *to.combine(result, resultSizes, elementType,
                     [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
                       return toElement(Number(b, b.getLoc(), in[0]),
                                        elementType);
                     });
}

FailureOr<Value> onnx::makeProduct(Lowering &to, Value a, Value b) {
  return makeProduct(to, {a, {}}, {b, {}}, getElementTypeOrSelf(a.getType()),
                     [](ArrayRef<Number> in) { return in[0] * in[1]; });
}

FailureOr<Value>
onnx::makeProduct(Lowering &to, const Factor &factorA, const Factor &factorB,
                  Type elementType,
                  function_ref<Number(ArrayRef<Number>)> term) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value a = factorA.tensor, b = factorB.tensor;
  auto typeA = dyn_cast<RankedTensorType>(a.getType());
  auto typeB = dyn_cast<RankedTensorType>(b.getType());
  if (!typeA || !typeB || typeA.getRank() == 0 || typeB.getRank() == 0)
    return to.decline("expected operands of a known rank, at least 1");
  SmallVector<OpFoldResult> sizesA = to.sizesOf(a), sizesB = to.sizesOf(b);
  int64_t rankA = typeA.getRank(), rankB = typeB.getRank();
  bool hasRows = rankA > 1, hasColumns = rankB > 1;
  OpFoldResult innerA = sizesA[rankA - 1];
  OpFoldResult innerB = sizesB[hasColumns ? rankB - 2 : 0];
  to.checkEqual(innerA, innerB, "expected matrices that fit");
  // Axes before the matrices broadcast against each other.
  int64_t batchA = std::max<int64_t>(rankA - 2, 0);
  int64_t batchB = std::max<int64_t>(rankB - 2, 0);
  int64_t batch = std::max(batchA, batchB);
  SmallVector<OpFoldResult> sizes;
  auto sizeOf = [&](ArrayRef<OpFoldResult> own, int64_t count, int64_t axis) {
    int64_t place = axis - (batch - count);
    return place < 0 ? OpFoldResult(builder.getIndexAttr(1)) : own[place];
  };
  bool isOpen = false;
  for (int64_t axis = 0; axis < batch; ++axis) {
    OpFoldResult left = sizeOf(sizesA, batchA, axis),
                 right = sizeOf(sizesB, batchB, axis);
    if (isConstantIntValue(left, 1))
      sizes.push_back(right);
    else if (isConstantIntValue(right, 1) || left == right)
      sizes.push_back(left);
    else
      isOpen = true;
  }
  if (isOpen) {
    // It is known only at run time whether these sizes broadcast: expand both operands.
    auto expand = [&](Value x, ArrayRef<OpFoldResult> own, int64_t count,
                      ArrayRef<OpFoldResult> all) {
      SmallVector<OpFoldResult> whole(all);
      llvm::append_range(whole, own.drop_front(count));
      return to.expandTo(x, whole);
    };
    SmallVector<OpFoldResult> all;
    for (int64_t axis = 0; axis < batch; ++axis) {
      Value left = to.toValue(sizeOf(sizesA, batchA, axis));
      Value right = to.toValue(sizeOf(sizesB, batchB, axis));
      Value isOne = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                          left, to.makeIndex(1));
      all.push_back(
          arith::SelectOp::create(builder, isOne, right, left).getResult());
    }
    FailureOr<Value> wholeA = expand(a, sizesA, batchA, all);
    FailureOr<Value> wholeB = expand(b, sizesB, batchB, all);
    if (failed(wholeA) || failed(wholeB))
      return failure();
    return makeProduct(to, {*wholeA, factorA.parameters},
                       {*wholeB, factorB.parameters}, elementType, term);
  }
  // The nest: batch…, rows, columns, and the loop to sum over.
  int64_t loops = batch + hasRows + hasColumns + 1;
  AffineExpr row = builder.getAffineDimExpr(batch);
  AffineExpr column = builder.getAffineDimExpr(batch + hasRows);
  AffineExpr inner = builder.getAffineDimExpr(loops - 1);
  auto mapOf = [&](ArrayRef<OpFoldResult> own, int64_t count,
                   ArrayRef<AffineExpr> matrix) {
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < count; ++i) {
      int64_t axis = batch - count + i;
      exprs.push_back(isConstantIntValue(own[i], 1) &&
                              !isConstantIntValue(sizes[axis], 1)
                          ? builder.getAffineConstantExpr(0)
                          : builder.getAffineDimExpr(axis));
    }
    llvm::append_range(exprs, matrix);
    return AffineMap::get(loops, 0, exprs, builder.getContext());
  };
  SmallVector<AffineExpr> matrixA, matrixB, result;
  for (int64_t axis = 0; axis < batch; ++axis)
    result.push_back(builder.getAffineDimExpr(axis));
  if (hasRows) {
    matrixA.push_back(row);
    result.push_back(row);
    sizes.push_back(sizesA[rankA - 2]);
  }
  matrixA.push_back(inner);
  matrixB.push_back(inner);
  if (hasColumns) {
    matrixB.push_back(column);
    result.push_back(column);
    sizes.push_back(sizesB[rankB - 1]);
  }
  SmallVector<Value> operands = {a, b};
  SmallVector<AffineMap> maps = {mapOf(sizesA, batchA, matrixA),
                                 mapOf(sizesB, batchB, matrixB)};
  auto addParameters = [&](const Factor &factor, ArrayRef<OpFoldResult> own,
                           AffineMap map) -> LogicalResult {
    for (Value parameter : factor.parameters) {
      auto operand = to.readTo(parameter, own);
      if (failed(operand))
        return failure();
      operands.push_back(operand->first);
      maps.push_back(operand->second.compose(map));
    }
    return success();
  };
  if (failed(addParameters(factorA, sizesA, maps[0])) ||
      failed(addParameters(factorB, sizesB, maps[1])))
    return failure();
  maps.push_back(AffineMap::get(loops, 0, result, builder.getContext()));
  SmallVector<bool> isReduced(loops - 1, false);
  isReduced.push_back(true);
  return makeSum(to, operands, maps, isReduced, sizes, elementType, term);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Movement.h"

#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Parts and borders -----------------------------------------------------===//

static Value note(Lowering &to, Value tensor, ArrayRef<OpFoldResult> sizes) {
  for (auto [axis, size] : llvm::enumerate(sizes))
    to.getGraph().noteSize(tensor, int64_t(axis), size);
  return tensor;
}

static Type getElementType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

static bool isEmpty(ArrayRef<OpFoldResult> sizes) {
  return llvm::any_of(
      sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); });
}

/// Whether a part is known to begin at the end of an axis, or beyond it: it is empty
/// then, even if only a run computes its size.
static bool beginsBeyond(ArrayRef<OpFoldResult> starts,
                         ArrayRef<OpFoldResult> sizes) {
  return llvm::any_of(llvm::zip_equal(starts, sizes), [](auto pair) {
    auto [start, size] = pair;
    std::optional<int64_t> first = getConstantIntValue(start);
    std::optional<int64_t> all = getConstantIntValue(size);
    return first && all && *first >= *all;
  });
}

Value onnx::makeSlice(Lowering &to, Value tensor, ArrayRef<OpFoldResult> starts,
                      ArrayRef<OpFoldResult> sizes,
                      ArrayRef<OpFoldResult> steps) {
  // An empty part may begin at the end of the tensor, which extract_slice does not
  // allow.
  SmallVector<OpFoldResult> own = to.sizesOf(tensor);
  if (isEmpty(sizes) || isEmpty(own) || beginsBeyond(starts, own))
    return note(to, to.makeEmpty(sizes, getElementType(tensor)), sizes);
  Value slice = tensor::ExtractSliceOp::create(to.getBuilder(), tensor, starts,
                                               sizes, steps);
  return note(to, slice, sizes);
}

Value onnx::sliceAlong(Lowering &to, Value tensor, int64_t axis,
                       OpFoldResult start, OpFoldResult size) {
  Builder &builder = to.getBuilder();
  SmallVector<OpFoldResult> sizes = to.sizesOf(tensor);
  SmallVector<OpFoldResult> starts(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> steps(sizes.size(), builder.getIndexAttr(1));
  starts[axis] = start;
  sizes[axis] = size;
  return makeSlice(to, tensor, starts, sizes, steps);
}

Value onnx::takeAt(Lowering &to, Value tensor, int64_t axis,
                   OpFoldResult place) {
  Value slice =
      sliceAlong(to, tensor, axis, place, to.getBuilder().getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = to.sizesOf(slice);
  sizes.erase(sizes.begin() + axis);
  return to.reshape(slice, sizes);
}

Value onnx::crop(Lowering &to, Value tensor, ArrayRef<IndexExpr> begins,
                 ArrayRef<IndexExpr> ends) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<OpFoldResult> starts, sizes;
  bool isWhole = true;
  // The comparison is unsigned: negative numbers wrap around to great ones and fail
  // too.
  auto expectWithin = [&](IndexExpr part, IndexExpr whole) {
    to.check(arith::CmpIOp::create(builder, arith::CmpIPredicate::ule,
                                   to.toValue(to.toSize(part)),
                                   to.toValue(to.toSize(whole))),
             "expected no more to be cropped than there is");
  };
  for (auto [size, begin, end] :
       llvm::zip_equal(to.getShapeHelper().getDims(tensor), begins, ends)) {
    IndexExpr start = IndexExpr(0) - IndexExpr::min(begin, 0);
    IndexExpr rest = size - start + IndexExpr::min(end, 0);
    if (!begin.isAtLeast(0) || !end.isAtLeast(0)) {
      isWhole = false;
      if (!rest.isLiteral() || rest.getLiteral() < 0) {
        expectWithin(start, size);
        expectWithin(rest, size);
      }
      if (rest.isLiteral())
        rest = IndexExpr::max(rest, 0);
    }
    starts.push_back(to.toSize(start));
    sizes.push_back(to.toSize(rest));
  }
  if (isWhole)
    return tensor;
  SmallVector<OpFoldResult> steps(sizes.size(), builder.getIndexAttr(1));
  return makeSlice(to, tensor, starts, sizes, steps);
}

Value onnx::pad(Lowering &to, Value tensor, ArrayRef<IndexExpr> begins,
                ArrayRef<IndexExpr> ends, Value element) {
  Value rest = crop(to, tensor, begins, ends);
  SmallVector<OpFoldResult> before, after, sizes;
  bool isWhole = true;
  for (auto [size, begin, end] :
       llvm::zip_equal(to.getShapeHelper().getDims(tensor), begins, ends)) {
    IndexExpr first = IndexExpr::max(begin, 0), last = IndexExpr::max(end, 0);
    isWhole &= first.isLiteral(0) && last.isLiteral(0);
    before.push_back(to.toSize(first));
    after.push_back(to.toSize(last));
    sizes.push_back(to.toSize(size + begin + end));
  }
  if (isWhole)
    return rest;
  Value padded = tensor::PadOp::create(to.getBuilder(), Type(), rest, before,
                                       after, element);
  return note(to, padded, sizes);
}

void onnx::checkAxes(Lowering &to, Value axes, int64_t rank) {
  if (to.getInts(axes))
    return;
  auto entries =
      to.getShapeHelper().getBuilder().getIntsFromArrayAsSymbols(to.get(axes));
  if (!entries)
    return;
  auto compare = [&](arith::CmpIPredicate by, IndexExpr left, IndexExpr right) {
    return arith::CmpIOp::create(to.getBuilder(), by,
                                 to.toValue(to.toSize(left)),
                                 to.toValue(to.toSize(right)));
  };
  DimsExpr seen;
  for (IndexExpr entry : *entries) {
    to.check(
        compare(arith::CmpIPredicate::ult, entry + rank, IndexExpr(2 * rank)),
        "expected axes from " + Twine(-rank) + " to " + Twine(rank - 1));
    IndexExpr axis = IndexExpr::select(entry < 0, entry + rank, entry);
    for (IndexExpr other : seen)
      to.check(compare(arith::CmpIPredicate::ne, axis, other),
               "expected different axes");
    seen.push_back(axis);
  }
}

SmallVector<OpFoldResult> onnx::chooseSizes(Lowering &to,
                                            ArrayRef<OpFoldResult> sizes,
                                            ArrayRef<Value> isChosen,
                                            int64_t count) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<Value> chosen(count, to.makeIndex(1));
  // The number of chosen sizes before a size is its position.
  Value before = to.makeIndex(0), one = to.makeIndex(1);
  for (auto [is, size] : llvm::zip_equal(isChosen, sizes)) {
    for (auto [i, own] : llvm::enumerate(chosen)) {
      Value isHere = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                           before, to.makeIndex(int64_t(i)));
      isHere = arith::AndIOp::create(builder, isHere, is);
      own = arith::SelectOp::create(builder, isHere, to.toValue(size), own);
    }
    Value after = arith::AddIOp::create(builder, before, one);
    before = arith::SelectOp::create(builder, is, after, before);
  }
  to.checkEqual(before, builder.getIndexAttr(count),
                "expected as many different axes as are given");
  return SmallVector<OpFoldResult>(chosen.begin(), chosen.end());
}

Value onnx::chooseAxes(Lowering &to, Value tensor, ArrayRef<OpFoldResult> sizes,
                       ArrayRef<Value> isChosen) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value conditions = tensor::FromElementsOp::create(
      builder,
      RankedTensorType::get(int64_t(isChosen.size()), builder.getI1Type()),
      isChosen);
  Value chosen =
      to.call("Compress", {to.makeList(sizes), conditions},
              RankedTensorType::get(ShapedType::kDynamic, builder.getI64Type()))
          .front();
  return to.unflatten(tensor, chosen);
}

//===-- Inside of loops -------------------------------------------------------===//

Number onnx::toPlace(ImplicitLocOpBuilder &inside, OpFoldResult place) {
  Value value = getValueOrCreateConstantIndexOp(inside, inside.getLoc(), place);
  if (!value.getType().isIndex())
    value = arith::IndexCastOp::create(inside, inside.getIndexType(), value);
  return Number(inside, inside.getLoc(), value);
}

Number onnx::wrapIndex(Number index, Number size) {
  Number place = select(index < Number(0), index + size, index);
  return maximum(minimum(place, size - Number(1)), Number(0));
}

//===-- Scalars ---------------------------------------------------------------===//

Value onnx::toScalar(Lowering &to, Value tensor) {
  if (isa<RankedTensorType>(tensor.getType()))
    return to.reshape(tensor, {});
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value noSizes = tensor::EmptyOp::create(builder, ArrayRef<int64_t>(0),
                                          builder.getI64Type());
  auto type = RankedTensorType::get({}, getElementTypeOrSelf(tensor.getType()));
  return tensor::CastOp::create(builder, type, to.unflatten(tensor, noSizes));
}

Value onnx::makeZero(OpBuilder &builder, Location loc, Type elementType) {
  auto integer = dyn_cast<IntegerType>(elementType);
  Type type =
      integer ? builder.getIntegerType(integer.getWidth()) : elementType;
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return integer ? toElement(Number(builder, loc, zero), elementType) : zero;
}

Value onnx::makeElement(ImplicitLocOpBuilder &builder, ElementsAttr content) {
  Type elementType = content.getElementType();
  if (auto type = dyn_cast<FloatType>(elementType))
    return arith::ConstantOp::create(
        builder, FloatAttr::get(type, *content.value_begin<APFloat>()));
  APInt number = *content.value_begin<APInt>();
  Type type = builder.getIntegerType(number.getBitWidth());
  Value element =
      arith::ConstantOp::create(builder, IntegerAttr::get(type, number));
  return toElement(Number(builder, builder.getLoc(), element), elementType);
}

Value onnx::getElement(Lowering &to, Value operand) {
  ElementsAttr content = to.getConstant(operand);
  if (content && content.getNumElements() == 1 &&
      canMove(content.getElementType()))
    return makeElement(to.getBuilder(), content);
  return to.extract(toScalar(to, to.get(operand)), {});
}

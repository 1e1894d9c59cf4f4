// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices that are known only at run time are checked before a loop uses them. Inside
// loops an index out of range is clamped to the nearest position, so that nothing
// outside the tensor is read even if indices are not checked.
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns the indices of the current iteration of all loops.
static SmallVector<Value> getPlaces(ImplicitLocOpBuilder &inside, size_t rank) {
  SmallVector<Value> places;
  for (size_t i = 0; i < rank; ++i)
    places.push_back(linalg::IndexOp::create(inside, i));
  return places;
}

/// Emits a check that fails if elements are picked from an empty axis.
static void checkChoice(Lowering &to, OpFoldResult from,
                        ArrayRef<OpFoldResult> picked) {
  std::optional<int64_t> literal = getConstantIntValue(from);
  if (literal && *literal > 0)
    return;
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto isZero = [&](OpFoldResult size) -> Value {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                 to.toValue(size), to.makeIndex(0));
  };
  Value isFine = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                       to.toValue(from), to.makeIndex(0));
  for (OpFoldResult size : picked)
    isFine = arith::OrIOp::create(builder, isFine, isZero(size));
  to.check(isFine, "expected an axis to pick from that is not empty");
}

//===-- Gather ----------------------------------------------------------------===//

/// Picks one slice, without a loop.
static LogicalResult pickOne(GatherOp op, Lowering &to, int64_t axis) {
  Value data = to.get(op.getData());
  ShapeHelper &shape = to.getShapeHelper();
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  auto constant = to.getInts(op.getIndices());
  IndexExpr size = shape.getDim(data, axis), index;
  if (constant) {
    index = constant->front();
  } else {
    Value checked = to.checkIndices(to.get(op.getIndices()), to.toSize(size));
    Value element = to.extract(toScalar(to, checked), {});
    index = shape.getScope().getSymbol(
        toPlace(to.getBuilder(), element).getValue());
  }
  IndexExpr place = IndexExpr::select(index < 0, index + size, index);
  if (place.isLiteral() && size.isLiteral()) {
    if (place.getLiteral() < 0 || place.getLiteral() >= size.getLiteral())
      return to.decline("expected an index of " + Twine(size.getLiteral()) +
                        " places, but got " + Twine(place.getLiteral()));
  } else if (constant) {
    to.check(arith::CmpIOp::create(to.getBuilder(), arith::CmpIPredicate::ult,
                                   to.toValue(to.toSize(place)),
                                   to.toValue(to.toSize(size))),
             "expected an axis with a place of index " +
                 Twine(constant->front()));
  } else if (!to.getGraph().checksIndices()) {
    place = IndexExpr::max(IndexExpr::min(place, size - 1), 0);
  }
  Value slice = sliceAlong(to, data, axis, to.toSize(place),
                           to.getBuilder().getIndexAttr(1));
  return to.set(op.getOutput(), to.reshape(slice, *sizes));
}

static LogicalResult lower(GatherOp op, Lowering &to) {
  Value data = to.get(op.getData());
  SmallVector<OpFoldResult> own = to.sizesOf(data);
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), own.size());
  if (!axis)
    return to.decline("its axis is not one of its operand");
  RankedTensorType type = to.getType(op.getIndices());
  if (type.hasStaticShape() && type.getNumElements() == 1)
    return pickOne(op, to, *axis);
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  Value indices = to.checkIndices(to.get(op.getIndices()), own[*axis]);
  // The axes of the indices replace the picked axis, so that they broadcast.
  SmallVector<OpFoldResult> aligned = to.sizesOf(indices);
  checkChoice(to, own[*axis], aligned);
  size_t after = own.size() - *axis - 1, end = *axis + aligned.size();
  aligned.append(after, to.getBuilder().getIndexAttr(1));
  FailureOr<Value> picked = to.combine(
      to.reshape(indices, aligned), *sizes,
      to.getType(op.getData()).getElementType(),
      [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) -> Value {
        SmallVector<Value> places = getPlaces(b, sizes->size());
        ArrayRef<Value> all = places;
        SmallVector<Value> at(all.take_front(*axis));
        at.push_back(
            wrapIndex(toPlace(b, in[0]), toPlace(b, own[*axis])).getValue());
        llvm::append_range(at, all.drop_front(end));
        return tensor::ExtractOp::create(b, data, at);
      });
  return succeeded(picked) ? to.set(op.getOutput(), *picked) : failure();
}

//===-- Elements and tuples ---------------------------------------------------===//

static LogicalResult lower(GatherElementsOp op, Lowering &to) {
  Value data = to.get(op.getData()), indices = to.get(op.getIndices());
  SmallVector<OpFoldResult> own = to.sizesOf(data), sizes = to.sizesOf(indices);
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), own.size());
  if (!axis)
    return to.decline("its axis is not one of its operand");
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (int64_t(i) == *axis || size == own[i])
      continue;
    to.check(arith::CmpIOp::create(to.getBuilder(), arith::CmpIPredicate::ule,
                                   to.toValue(size), to.toValue(own[i])),
             "expected no more indices than there are places on axis " +
                 Twine(i));
  }
  checkChoice(to, own[*axis], sizes);
  indices = to.checkIndices(indices, own[*axis]);
  FailureOr<Value> picked = to.combine(
      indices, sizes, to.getType(op.getData()).getElementType(),
      [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) -> Value {
        SmallVector<Value> at = getPlaces(b, sizes.size());
        at[*axis] =
            wrapIndex(toPlace(b, in[0]), toPlace(b, own[*axis])).getValue();
        return tensor::ExtractOp::create(b, data, at);
      });
  return succeeded(picked) ? to.set(op.getOutput(), *picked) : failure();
}

/// Without ranks: the rank of the result may depend on the length of the tuples.
static LogicalResult lowerOpenGatherND(Lowering &to) {
  auto op = cast<GatherNDOp>(to.getOperation());
  bool hasRanks = to.getType(op.getData()) && to.getType(op.getIndices());
  return hasRanks ? lowerForEachSize(to, op.getIndices(), -1)
                  : lowerForEachRank(to);
}

static LogicalResult lower(GatherNDOp op, Lowering &to) {
  Value data = to.get(op.getData()), indices = to.get(op.getIndices());
  SmallVector<OpFoldResult> own = to.sizesOf(data), of = to.sizesOf(indices);
  // How many axes the tuples pick from.
  std::optional<int64_t> length = getConstantIntValue(of.back());
  if (!length)
    return lowerForEachSize(to, op.getIndices(), -1);
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  size_t batch = op.getBatchDims(), outer = of.size() - 1;
  for (size_t i = 0; i < batch; ++i)
    to.checkEqual(own[i], of[i],
                  "expected operands that agree in axis " + Twine(i));
  for (int64_t i = 0; i < *length; ++i)
    checkChoice(to, own[batch + i], ArrayRef(of).drop_back());
  indices = to.checkIndices(indices, ArrayRef(own).slice(batch, *length));
  Value picked = to.generate(
      *sizes, to.getType(op.getData()).getElementType(),
      [&](ImplicitLocOpBuilder &b, ValueRange places) -> Value {
        SmallVector<Value> at(places.take_front(batch));
        SmallVector<Value> entry(places.take_front(outer));
        entry.push_back(nullptr);
        for (int64_t i = 0; i < *length; ++i) {
          entry.back() = arith::ConstantIndexOp::create(b, i);
          Value index = tensor::ExtractOp::create(b, indices, entry);
          at.push_back(wrapIndex(toPlace(b, index), toPlace(b, own[batch + i]))
                           .getValue());
        }
        llvm::append_range(at, places.drop_front(outer));
        return tensor::ExtractOp::create(b, data, at);
      });
  return to.set(op.getOutput(), picked);
}

void invar::onnx::addGatherLowerings(LoweringTable &table) {
  table.addMovement<GatherElementsOp>(lower);
  table.addMovement<GatherNDOp>(lower, lowerOpenGatherND);
  table.addMovement<GatherOp>(lower);
  table.addCall<NonMaxSuppressionOp>();
}

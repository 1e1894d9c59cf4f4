// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplify decomposes Attention and RotaryEmbedding (decompose-attention,
// decompose-rotary-embedding). This file lowers the attention operator that has graphs.
#include "AttentionFormulas.h"
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "invar/Dialect/ONNX/Ops/Attention.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Multiplies each query head, in groups [b, heads, group, q, e], by the matrix of the
/// key head that it shares: [b, heads, k, e] or, if not transposed, [b, heads, e, k].
static Value multiplyHeads(Lowering &to, Value queries, Value keys,
                           bool transposed, Type workType) {
  MLIRContext *context = to.getBuilder().getContext();
  Type sumType = getSumType(to.getBuilder(), workType);
  AffineExpr batch, head, group, query, key, inner;
  bindDims(context, batch, head, group, query, key, inner);
  SmallVector<AffineExpr> ofKeys = {batch, head, key, inner};
  SmallVector<OpFoldResult> sizes = to.sizesOf(queries), own = to.sizesOf(keys);
  if (!transposed)
    std::swap(ofKeys[2], ofKeys[3]);
  to.checkEqual(sizes[0], own[0], "expected batches that agree");
  to.checkEqual(sizes[4], own[transposed ? 3 : 2],
                "expected vectors that agree");
  sizes[4] = own[transposed ? 2 : 3];
  return makeSum(
      to, {queries, keys},
      {AffineMap::get(6, 0, {batch, head, group, query, inner}, context),
       AffineMap::get(6, 0, ofKeys, context),
       AffineMap::get(6, 0, {batch, head, group, query, key}, context)},
      {false, false, false, false, false, true}, sizes, workType,
      [&](ArrayRef<Number> in) {
        return in[0].castTo(sumType) * in[1].castTo(sumType);
      });
}

/// Applies a graph to a tensor and keeps its type. Returns the tensor itself if there
/// is no graph.
static FailureOr<Value> modify(Lowering &to, Region &graph, Value x) {
  if (graph.empty())
    return x;
  OpBuilder &outer = to.getGraph().getBuilder();
  outer.restoreInsertionPoint(to.getBuilder().saveInsertionPoint());
  Value argument = to.getGraph().adopt(graph.getArgument(0).getType(), x);
  auto yields = to.getGraph().lowerRegion(graph, argument);
  to.getBuilder().restoreInsertionPoint(outer.saveInsertionPoint());
  if (failed(yields))
    return failure();
  Value made = yields->front();
  if (made.getType() != x.getType())
    made = tensor::CastOp::create(to.getBuilder(), x.getType(), made);
  return made;
}

static LogicalResult lower(FlexAttentionOp op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  for (Value operand : op->getOperands())
    if (!to.getType(operand))
      return to.decline("the rank of an operand is not known");
  Value q = to.get(op.getQ()), k = to.get(op.getK()), v = to.get(op.getV());
  Type element = to.getType(op.getQ()).getElementType();
  Type work = getSumType(builder, element);
  if (op.getSoftmaxPrecision())
    work = elements::toType(builder.getContext(),
                            *dataTypeFromNumber(*op.getSoftmaxPrecision()));
  // Group query heads by the key head that they share.
  ShapeHelper &shape = to.getShapeHelper();
  IndexExpr queryHeads = shape.getDim(q, 1), keyHeads = shape.getDim(k, 1);
  IndexExpr group = queryHeads.floorDiv(IndexExpr::max(keyHeads, 1));
  to.checkEqual(to.toSize(queryHeads), to.toSize(group * keyHeads),
                "expected a multiple of the key heads");
  SmallVector<OpFoldResult> sizes = to.sizesOf(q), grouped = sizes;
  grouped[1] = to.toSize(group);
  grouped.insert(grouped.begin() + 1, to.toSize(keyHeads));
  Value products = multiplyHeads(to, to.reshape(q, grouped), k,
                                 /*transposed=*/true, work);
  // Vectors without elements have products of 0 for any scale.
  Rows all(to, products, {});
  IndexExpr size = IndexExpr::max(shape.getDim(q, 3), 1);
  OpFoldResult length = to.toSize(size);
  Value scores =
      all.ofAll(all.each(products), work, [&](ArrayRef<Number> in) -> Number {
        if (op.getScale() || getConstantIntValue(length)) {
          formula::ScaledScore scaled;
          scaled.factor =
              op.getScale()
                  ? double(*op.getScale())
                  : 1 / std::sqrt(double(*getConstantIntValue(length)));
          return scaled(in[0]);
        }
        OpBuilder &inside = in[0].getBuilder();
        Value count = arith::IndexCastOp::create(
            inside, in[0].getLoc(), inside.getI64Type(), cast<Value>(length));
        return in[0] / sqrt(Number(inside, in[0].getLoc(), count)
                                .castTo(in[0].getType()));
      });
  SmallVector<OpFoldResult> apart = to.sizesOf(scores);
  SmallVector<OpFoldResult> merged = {sizes[0], sizes[1], sizes[2], apart[4]};
  FailureOr<Value> modified =
      modify(to, op.getScoreMod(), to.reshape(scores, merged));
  if (failed(modified))
    return failure();
  FailureOr<Value> weights = modify(
      to, op.getProbMod(), makeSoftmax(Rows(to, *modified, 3), *modified));
  if (failed(weights))
    return failure();
  Value y = multiplyHeads(to, to.reshape(*weights, apart), v,
                          /*transposed=*/false, work);
  sizes[3] = to.sizesOf(v)[3];
  FailureOr<Value> made =
      to.cast(to.reshape(y, sizes), to.getType(op.getY()).getElementType());
  return succeeded(made) ? to.set(op.getY(), *made) : failure();
}

void invar::onnx::addAttentionLowerings(LoweringTable &table) {
  table.add<FlexAttentionOp>(lower);
  table.addCall<LinearAttentionOp>();
}

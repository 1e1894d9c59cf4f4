// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The elements of the first operand in the shape of the result.
template <typename Op> static LogicalResult lower(Op op, Lowering &to) {
  if (!to.getType(op->getOperand(0)))
    return to.decline("the rank of its operand is not known");
  auto sizes = to.getSizes(op->getResult(0));
  if (failed(sizes))
    return failure();
  return to.set(op->getResult(0),
                to.reshape(to.get(op->getOperand(0)), *sizes));
}

static LogicalResult lower(IdentityOp op, Lowering &to) {
  return to.set(op->getResult(0), to.get(op->getOperand(0)));
}

/// A list of sizes.
static LogicalResult setToSizes(Operation *op, Lowering &to,
                                ArrayRef<OpFoldResult> sizes, Type type) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<Value> entries;
  for (OpFoldResult size : sizes)
    entries.push_back(arith::IndexCastOp::create(builder, builder.getI64Type(),
                                                 to.toValue(size)));
  return to.set(op->getResult(0),
                tensor::FromElementsOp::create(builder, type, entries));
}

static LogicalResult lower(ShapeOp op, Lowering &to) {
  auto sizes = to.getSizes(op->getOperand(0));
  if (failed(sizes))
    return failure();
  // The result's own shape says how many of them are asked for.
  RankedTensorType type = to.getType(op->getResult(0));
  int64_t rank = int64_t(sizes->size());
  int64_t start = op.getStart() < 0 ? op.getStart() + rank : op.getStart();
  start = std::clamp<int64_t>(start, 0, rank);
  return setToSizes(op, to,
                    ArrayRef(*sizes).slice(start, type.getNumElements()), type);
}

static LogicalResult lower(SizeOp op, Lowering &to) {
  auto sizes = to.getSizes(op->getOperand(0));
  if (failed(sizes))
    return failure();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value product = to.makeIndex(1);
  for (OpFoldResult size : *sizes)
    product = arith::MulIOp::create(builder, product, to.toValue(size));
  return setToSizes(op, to, OpFoldResult(product),
                    to.getType(op->getResult(0)));
}

void invar::onnx::addReshapeLowerings(LoweringTable &table) {
  table.add<FlattenOp>(lower);
  table.add<IdentityOp>(lower);
  table.add<ReshapeOp>(lower);
  table.add<ShapeOp>(lower);
  table.add<SizeOp>(lower);
  table.add<SqueezeOp>(lower);
  table.add<UnsqueezeOp>(lower);
}

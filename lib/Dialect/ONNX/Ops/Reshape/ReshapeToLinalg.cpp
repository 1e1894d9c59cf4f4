// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns the elements of the first operand in the shape of the result.
static LogicalResult lowerView(Operation *op, Lowering &to) {
  auto sizes = to.getSizes(op->getResult(0));
  if (failed(sizes))
    return failure();
  return to.set(op->getResult(0),
                to.reshape(to.get(op->getOperand(0)), *sizes));
}

/// The same if ranks are known, otherwise a call of the runtime.
static LogicalResult lowerRanked(Operation *op, Lowering &to, StringRef name) {
  bool isRanked = to.getType(op->getOperand(0)) && to.getType(op->getResult(0));
  return isRanked ? lowerView(op, to) : to.call(name);
}
static LogicalResult lower(FlattenOp op, Lowering &to) {
  return lowerRanked(op, to, "Flatten");
}

/// Rejects an invalid target that is known only at run time. Sizes that were computed
/// from other sizes need no check.
static LogicalResult checkTarget(ReshapeOp op, Lowering &to) {
  ShapeHelper &shape = to.getShapeHelper();
  if (failed(to.getSizes(op.getReshaped())))
    return failure();
  auto target = shape.getBuilder().getIntsFromArrayAsSymbols(
      shape.operandsOf(op).getShape());
  auto isOpen = [](IndexExpr size) {
    return !size.isLiteral() && !size.isAtLeast(0);
  };
  if (!target || llvm::none_of(*target, isOpen))
    return success();
  int64_t rank = to.getType(op.getData()).getRank();
  IndexExpr isFine = 1, rests = 0, others = 1;
  for (auto [i, size, made] :
       llvm::enumerate(*target, shape.getOutputDims(0))) {
    IndexExpr isRest = size == -1;
    isFine = isFine & (size >= -1);
    if (isOpen(size) && int64_t(i) >= rank && !op.getAllowzero())
      isFine = isFine & (size != 0);
    rests = rests + IndexExpr::select(isRest, 1, 0);
    others = others * IndexExpr::select(isRest, 1, made);
  }
  isFine = isFine & (rests <= 1) & ((rests == 0) | (others != 0));
  // With many sizes there are too many cases to check.
  if (isFine.hasQuestionmark())
    return success();
  to.check(arith::CmpIOp::create(to.getBuilder(), arith::CmpIPredicate::ne,
                                 to.toValue(to.toSize(isFine)),
                                 to.makeIndex(0)),
           "expected a target of sizes from -1 on that has a size to copy for "
           "each 0, one -1 at most, and no empty size beside that");
  return success();
}

static LogicalResult lower(ReshapeOp op, Lowering &to) {
  bool isRanked = to.getType(op.getData()) && to.getType(op.getReshaped());
  if (isRanked && failed(checkTarget(op, to)))
    return failure();
  return lowerRanked(op, to, "Reshape");
}

/// The axes may be known only at run time.
static LogicalResult lower(SqueezeOp op, Lowering &to) {
  RankedTensorType type = to.getType(op.getData());
  bool isKnown = type && (op.getAxes() ? to.getInts(op.getAxes()).has_value()
                                       : type.hasStaticShape());
  return isKnown ? lowerView(op, to) : to.call("Squeeze");
}
static LogicalResult lower(UnsqueezeOp op, Lowering &to) {
  bool isKnown = to.getType(op.getData()) && to.getInts(op.getAxes());
  return isKnown ? lowerView(op, to) : to.call("Unsqueeze");
}

static LogicalResult lower(IdentityOp op, Lowering &to) {
  return to.set(op->getResult(0), to.get(op->getOperand(0)));
}

/// Sets the result to a list of sizes.
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
  if (!to.getType(op->getOperand(0)))
    return to.call("Shape");
  auto sizes = to.getSizes(op->getOperand(0));
  if (failed(sizes))
    return failure();
  // The result's shape determines how many sizes are requested.
  RankedTensorType type = to.getType(op->getResult(0));
  int64_t rank = int64_t(sizes->size());
  int64_t start = op.getStart() < 0 ? op.getStart() + rank : op.getStart();
  start = std::clamp<int64_t>(start, 0, rank);
  return setToSizes(op, to,
                    ArrayRef(*sizes).slice(start, type.getNumElements()), type);
}

static LogicalResult lower(SizeOp op, Lowering &to) {
  if (!to.getType(op->getOperand(0)))
    return to.call("Size");
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

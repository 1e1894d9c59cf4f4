// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
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

static LogicalResult lower(FlattenOp op, Lowering &to) {
  return lowerView(op, to);
}

/// Rejects an invalid target that is known only at run time. Sizes that were computed
/// from other sizes need no check.
static void checkTarget(ReshapeOp op, Lowering &to) {
  ShapeHelper &shape = to.getShapeHelper();
  auto target = shape.getBuilder().getIntsFromArrayAsSymbols(
      shape.operandsOf(op).getShape());
  auto isOpen = [](IndexExpr size) {
    return !size.isLiteral() && !size.isAtLeast(0);
  };
  if (!target || llvm::none_of(*target, isOpen))
    return;
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
    return;
  to.check(arith::CmpIOp::create(to.getBuilder(), arith::CmpIPredicate::ne,
                                 to.toValue(to.toSize(isFine)),
                                 to.makeIndex(0)),
           "expected a target of sizes from -1 on that has a size to copy for "
           "each 0, one -1 at most, and no empty size beside that");
}

/// Rejects a target with another number of elements. The runtime checks this for each
/// reshape, but MLIR merges a reshape with the next one.
static void checkCount(ReshapeOp op, Lowering &to) {
  ShapeHelper &shape = to.getShapeHelper();
  IndexExpr before = shape.getBuilder().getNumElements(to.get(op.getData())),
            after = 1;
  for (IndexExpr size : shape.getOutputDims(0))
    after = after * size;
  if (before.isKnownEqual(after) || after.hasQuestionmark())
    return;
  to.checkEqual(to.toSize(before), to.toSize(after),
                "expected a target with as many elements as there are");
}

static LogicalResult lower(ReshapeOp op, Lowering &to) {
  // Known sizes of the result are no reason not to look at the target.
  ShapeHelper &shape = to.getShapeHelper();
  if (failed(to.getSizes(op.getReshaped())) ||
      (!shape.hasOutputDims() && failed(shape.computeShape())))
    return failure();
  if (!shape.hasOutputDims())
    return to.decline("its shape depends on data");
  checkTarget(op, to);
  checkCount(op, to);
  return lowerView(op, to);
}

/// Returns for each axis whether a list contains it that is known only at run time.
static FailureOr<SmallVector<Value>> findAxes(Lowering &to, Value axes,
                                              int64_t rank) {
  auto entries =
      to.getShapeHelper().getBuilder().getIntsFromArrayAsSymbols(to.get(axes));
  if (!entries)
    return to.decline("expected a list of axes of a known length");
  checkAxes(to, axes, rank);
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<Value> isListed;
  for (int64_t axis = 0; axis < rank; ++axis) {
    IndexExpr is = 0;
    for (IndexExpr entry : *entries)
      is = is | (entry == axis) | (entry == axis - rank);
    isListed.push_back(arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                             to.toValue(to.toSize(is)),
                                             to.makeIndex(0)));
  }
  return isListed;
}

static SmallVector<Value> invert(Lowering &to, ArrayRef<Value> conditions) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value yes = arith::ConstantOp::create(builder, builder.getBoolAttr(true));
  return llvm::map_to_vector(conditions, [&](Value condition) -> Value {
    return arith::XOrIOp::create(builder, condition, yes);
  });
}

/// Drops all axes of size 1, which may differ from run to run.
static LogicalResult dropAllOnes(SqueezeOp op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value data = to.get(op.getData());
  SmallVector<OpFoldResult> sizes = to.sizesOf(data);
  SmallVector<Value> isKept;
  for (OpFoldResult size : sizes)
    isKept.push_back(arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                           to.toValue(size), to.makeIndex(1)));
  return to.set(op.getSqueezed(), chooseAxes(to, data, sizes, isKept));
}

static LogicalResult lower(SqueezeOp op, Lowering &to) {
  if (!op.getAxes() && !to.getType(op.getSqueezed()) &&
      to.getType(op.getData()))
    return dropAllOnes(op, to);
  if (!to.hasRanks())
    return lowerForEachRank(to);
  if (!op.getAxes() || to.getInts(op.getAxes()))
    return lowerView(op, to);
  Value data = to.get(op.getData());
  SmallVector<OpFoldResult> sizes = to.sizesOf(data);
  auto isListed = findAxes(to, op.getAxes(), int64_t(sizes.size()));
  if (failed(isListed))
    return failure();
  SmallVector<Value> isKept = invert(to, *isListed);
  ImplicitLocOpBuilder &builder = to.getBuilder();
  for (auto [i, is, size] : llvm::enumerate(isKept, sizes)) {
    Value isOne = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                        to.toValue(size), to.makeIndex(1));
    to.check(arith::OrIOp::create(builder, is, isOne),
             "expected a size of 1 along axis " + Twine(i));
  }
  int64_t rank = to.getType(op.getSqueezed()).getRank();
  return to.set(op.getSqueezed(),
                to.reshape(data, chooseSizes(to, sizes, isKept, rank)));
}

static LogicalResult lower(UnsqueezeOp op, Lowering &to) {
  if (to.getInts(op.getAxes()))
    return lowerView(op, to);
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto isNew =
      findAxes(to, op.getAxes(), to.getType(op.getExpanded()).getRank());
  if (failed(isNew))
    return failure();
  // The next size is that after as many axes as are old.
  Value data = to.get(op.getData());
  SmallVector<OpFoldResult> own = to.sizesOf(data), sizes;
  Value before = to.makeIndex(0), one = to.makeIndex(1);
  for (Value is : *isNew) {
    Value size = one;
    for (auto [i, next] : llvm::enumerate(own)) {
      Value isHere = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                           before, to.makeIndex(int64_t(i)));
      size = arith::SelectOp::create(builder, isHere, to.toValue(next), size);
    }
    sizes.push_back(
        arith::SelectOp::create(builder, is, one, size).getResult());
    Value after = arith::AddIOp::create(builder, before, one);
    before = arith::SelectOp::create(builder, is, before, after);
  }
  return to.set(op.getExpanded(), to.reshape(data, sizes));
}

static LogicalResult lower(IdentityOp op, Lowering &to) {
  return to.set(op->getResult(0), to.get(op->getOperand(0)));
}

static LogicalResult lower(ShapeOp op, Lowering &to) {
  auto sizes = to.getSizes(op->getOperand(0));
  if (failed(sizes))
    return failure();
  // The result's shape determines how many sizes are requested.
  RankedTensorType type = to.getType(op->getResult(0));
  int64_t rank = int64_t(sizes->size());
  int64_t start = op.getStart() < 0 ? op.getStart() + rank : op.getStart();
  start = std::clamp<int64_t>(start, 0, rank);
  return to.set(op->getResult(0), to.makeList(ArrayRef(*sizes).slice(
                                      start, type.getNumElements())));
}

static LogicalResult lower(SizeOp op, Lowering &to) {
  auto sizes = to.getSizes(op->getOperand(0));
  if (failed(sizes))
    return failure();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value product = to.makeIndex(1);
  for (OpFoldResult size : *sizes)
    product = arith::MulIOp::create(builder, product, to.toValue(size));
  return to.set(op->getResult(0),
                toScalar(to, to.makeList(OpFoldResult(product))));
}

void invar::onnx::addReshapeLowerings(LoweringTable &table) {
  table.add<FlattenOp>(lower);
  table.addAnyRank<IdentityOp>(lower);
  table.add<ReshapeOp>(lower);
  table.add<ShapeOp>(lower);
  table.add<SizeOp>(lower);
  table.addAnyRank<SqueezeOp>(lower);
  table.add<UnsqueezeOp>(lower);
}

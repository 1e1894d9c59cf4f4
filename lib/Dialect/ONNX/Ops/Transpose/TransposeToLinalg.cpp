// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(TransposeOp op, Lowering &to) {
  int64_t rank = to.getType(op.getData()).getRank();
  return to.set(op->getResult(0),
                to.transpose(to.get(op.getData()), op.getPermutation(rank)));
}

/// Reshapes `x` to `split`, permutes the axes, and reshapes to the result's shape.
static LogicalResult rearrange(Operation *op, Lowering &to,
                               ArrayRef<OpFoldResult> split,
                               ArrayRef<int64_t> permutation) {
  auto merged = to.getSizes(op->getResult(0));
  if (failed(merged))
    return failure();
  Value parts = to.reshape(to.get(op->getOperand(0)), split);
  Value moved = to.transpose(parts, permutation);
  return to.set(op->getResult(0), to.reshape(moved, *merged));
}

static LogicalResult lower(DepthToSpaceOp op, Lowering &to) {
  auto in = to.getSizes(op.getInput()), out = to.getSizes(op->getResult(0));
  if (failed(in) || failed(out))
    return failure();
  OpFoldResult size = to.getBuilder().getIndexAttr(op.getBlocksize());
  OpFoldResult n = (*in)[0], depth = (*out)[1], h = (*in)[2], w = (*in)[3];
  if (op.getMode() == "DCR")
    return rearrange(op, to, {n, size, size, depth, h, w}, {0, 3, 4, 1, 5, 2});
  return rearrange(op, to, {n, depth, size, size, h, w}, {0, 1, 4, 2, 5, 3});
}

static LogicalResult lower(SpaceToDepthOp op, Lowering &to) {
  auto in = to.getSizes(op.getInput()), out = to.getSizes(op->getResult(0));
  if (failed(in) || failed(out))
    return failure();
  OpFoldResult size = to.getBuilder().getIndexAttr(op.getBlocksize());
  OpFoldResult n = (*in)[0], depth = (*in)[1], h = (*out)[2], w = (*out)[3];
  if (op.getMode() == "DCR")
    return rearrange(op, to, {n, depth, h, size, w, size}, {0, 3, 5, 1, 2, 4});
  return rearrange(op, to, {n, depth, h, size, w, size}, {0, 1, 3, 5, 2, 4});
}

/// In each sequence of the batch the first elements are reversed.
static LogicalResult lower(ReverseSequenceOp op, Lowering &to) {
  auto sizes = to.getSizes(op.getInput());
  if (failed(sizes))
    return failure();
  Value input = to.get(op.getInput()),
        lengths = to.getVector(op.getSequenceLens());
  int64_t batch = op.getBatchAxis(), time = op.getTimeAxis();
  to.checkEqual(to.sizesOf(lengths)[0], (*sizes)[batch],
                "expected a length for each sequence");
  lengths = to.checkLengths(lengths, (*sizes)[time]);
  Value reversed = to.generate(
      *sizes, to.getType(op.getInput()).getElementType(),
      [&](ImplicitLocOpBuilder &b, ValueRange places) -> Value {
        Value length = tensor::ExtractOp::create(b, lengths, places[batch]);
        length = arith::IndexCastOp::create(b, b.getIndexType(), length);
        Value one = arith::ConstantIndexOp::create(b, 1);
        Value last = arith::SubIOp::create(b, length, one);
        Value mirrored = arith::SubIOp::create(b, last, places[time]);
        // If lengths are not checked, an element that would come from outside stays
        // unchanged.
        Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                               mirrored, length);
        SmallVector<Value> at(places);
        Value inside = arith::CmpIOp::create(
            b, arith::CmpIPredicate::ult, mirrored,
            getValueOrCreateConstantIndexOp(b, b.getLoc(), (*sizes)[time]));
        isInside = arith::AndIOp::create(b, isInside, inside);
        at[time] = arith::SelectOp::create(b, isInside, mirrored, places[time]);
        return tensor::ExtractOp::create(b, input, at);
      });
  return to.set(op->getResult(0), reversed);
}

void invar::onnx::addTransposeLowerings(LoweringTable &table) {
  table.addMovement<DepthToSpaceOp>(lower);
  table.addMovement<ReverseSequenceOp>(lower);
  table.addMovement<SpaceToDepthOp>(lower);
  table.addMovement<TransposeOp>(lower);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Checks at run time that the operand broadcasts to an open target: each size of the
/// target must be 1 or equal to that of the result.
static void checkTarget(ExpandOp op, Lowering &to,
                        ArrayRef<OpFoldResult> sizes) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto target = to.getShapeHelper().getBuilder().getIntsFromArrayAsSymbols(
      to.get(op.getShape()));
  if (!target)
    return;
  auto isEqual = [&](OpFoldResult left, OpFoldResult right) -> Value {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                 to.toValue(left), to.toValue(right));
  };
  size_t offset = sizes.size() - target->size();
  for (auto [i, wanted] : llvm::enumerate(*target)) {
    if (wanted.isLiteral(1) || wanted.hasQuestionmark())
      continue;
    OpFoldResult size = to.toSize(wanted), made = sizes[offset + i];
    if (size == made)
      continue;
    Value isOne = isEqual(size, builder.getIndexAttr(1));
    to.check(arith::OrIOp::create(builder, isOne, isEqual(size, made)),
             "expected a target that the operand broadcasts to");
  }
}

static LogicalResult lower(ExpandOp op, Lowering &to) {
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  checkTarget(op, to, *sizes);
  FailureOr<Value> expanded = to.expandTo(to.get(op.getInput()), *sizes);
  return succeeded(expanded) ? to.set(op.getOutput(), *expanded) : failure();
}

/// Splits each repeated axis into the repetition and the original axis, then merges them.
static LogicalResult lower(TileOp op, Lowering &to) {
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  auto repeats = to.getShapeHelper().getBuilder().getIntsFromArrayAsSymbols(
      to.get(op.getRepeats()), sizes->size());
  if (!repeats)
    return to.decline("it is not known how many axes are repeated");
  Value input = to.get(op.getInput());
  OpFoldResult one = to.getBuilder().getIndexAttr(1);
  SmallVector<OpFoldResult> once, often;
  for (auto [size, times] : llvm::zip_equal(to.sizesOf(input), *repeats)) {
    if (!times.isLiteral(1)) {
      once.push_back(one);
      often.push_back(to.toSize(times));
    }
    once.push_back(size);
    often.push_back(size);
  }
  FailureOr<Value> repeated = to.expandTo(to.reshape(input, once), often);
  if (failed(repeated))
    return failure();
  return to.set(op.getOutput(), to.reshape(*repeated, *sizes));
}

void invar::onnx::addExpandLowerings(LoweringTable &table) {
  table.addMovement<ExpandOp>(lower);
  table.addMovement<TileOp>(lower);
}

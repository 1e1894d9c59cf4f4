// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(ExpandOp op, Lowering &to) {
  auto sizes = to.getSizes(op.getOutput());
  if (failed(sizes))
    return failure();
  FailureOr<Value> expanded = to.expandTo(to.get(op.getInput()), *sizes);
  return succeeded(expanded) ? to.set(op.getOutput(), *expanded) : failure();
}

/// An axis that is repeated is two: how often, and what. Then they are seen as one.
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
  table.addOrCall<ExpandOp>(lower);
  table.addOrCall<TileOp>(lower);
}

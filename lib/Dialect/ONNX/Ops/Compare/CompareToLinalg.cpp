// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompareFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Applies a predicate to each float; types too narrow to compute with are widened first.
template <typename F>
static LogicalResult ask(Operation *op, Lowering &to, F formula) {
  FailureOr<Value> x = to.get(op->getOperand(0));
  if (!canCompute(getElementTypeOrSelf(x->getType())))
    x = to.cast(*x, to.getBuilder().getF32Type());
  if (succeeded(x))
    x = to.apply(formula, *x);
  return succeeded(x) ? to.set(op->getResult(0), *x) : failure();
}

static LogicalResult lower(IsInfOp op, Lowering &to) {
  return ask(op, to,
             formula::IsInf{
                 {}, op.getDetectNegative() != 0, op.getDetectPositive() != 0});
}
static LogicalResult lower(IsNaNOp op, Lowering &to) {
  return ask(op, to, formula::IsNaN());
}

static LogicalResult lower(EqualOp op, Lowering &to) {
  return to.canMoveAll() ? to.apply(formula::Equal()) : to.callPlain();
}

static LogicalResult lower(WhereOp op, Lowering &to) {
  SmallVector<Value> operands = to.getAll(op->getOperands());
  auto sizes = to.broadcast(operands);
  if (failed(sizes))
    return failure();
  FailureOr<Value> chosen =
      to.combine(operands, *sizes, to.getType(op.getX()).getElementType(),
                 [](ImplicitLocOpBuilder &b, ArrayRef<Value> in) -> Value {
                   return arith::SelectOp::create(b, in[0], in[1], in[2]);
                 });
  return succeeded(chosen) ? to.set(op.getOutput(), *chosen) : failure();
}

void invar::onnx::addCompareLowerings(LoweringTable &table) {
  table.addAnyRank<EqualOp>(lower);
  table.add<GreaterOp>(formula::Greater());
  table.add<GreaterOrEqualOp>(formula::GreaterOrEqual());
  table.addAnyRank<IsInfOp>(lower);
  table.addAnyRank<IsNaNOp>(lower);
  table.add<LessOp>(formula::Less());
  table.add<LessOrEqualOp>(formula::LessOrEqual());
  table.addMovement<WhereOp>(lower, lowerInLists);
}

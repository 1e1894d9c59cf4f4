// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Arithmetic/ArithmeticFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Contraction.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(MatMulOp op, Lowering &to) {
  FailureOr<Value> product =
      makeProduct(to, to.get(op.getA()), to.get(op.getB()));
  return succeeded(product) ? to.set(op->getResult(0), *product) : failure();
}

/// alpha A B + beta C, of which only what changes something is done.
static LogicalResult lower(GemmOp op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value a = to.get(op.getA()), b = to.get(op.getB()), c = to.get(op.getC());
  if (op.getTransA())
    a = to.transpose(a, {1, 0});
  if (op.getTransB())
    b = to.transpose(b, {1, 0});
  FailureOr<Value> sum = makeProduct(to, a, b);
  if (failed(sum))
    return failure();
  Type element = to.getType(op.getA()).getElementType();
  auto scale = [&](Value tensor, double factor) -> FailureOr<Value> {
    if (factor == 1)
      return tensor;
    return to.combine(tensor, to.sizesOf(tensor), element,
                      [&](ImplicitLocOpBuilder &inside, ArrayRef<Value> in) {
                        Number x = toNumber(inside, inside.getLoc(), in[0]);
                        Number scaled =
                            x.castTo(x.isFloat() ? x.getType()
                                                 : Type(builder.getF64Type())) *
                            Number(factor);
                        return toElement(scaled, element);
                      });
  };
  sum = scale(*sum, op.getAlpha());
  if (succeeded(sum) && c && op.getBeta() != 0) {
    FailureOr<Value> scaled = scale(c, op.getBeta());
    if (failed(scaled))
      return failure();
    sum = to.apply(formula::Add(), {*sum, *scaled});
  }
  return succeeded(sum) ? to.set(op->getResult(0), *sum) : failure();
}

void invar::onnx::addMatMulLowerings(LoweringTable &table) {
  table.add<GemmOp>(lower);
  table.add<MatMulOp>(lower);
}

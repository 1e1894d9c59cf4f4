// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ActivationFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(CeluOp op, Lowering &to) {
  return to.apply(formula::Celu{{}, op.getAlpha()});
}
static LogicalResult lower(EluOp op, Lowering &to) {
  return to.apply(formula::Elu{{}, op.getAlpha()});
}
static LogicalResult lower(GeluOp op, Lowering &to) {
  if (op.getApproximate() == "tanh")
    return to.apply(formula::GeluByTanh());
  return to.apply(formula::Gelu());
}
static LogicalResult lower(HardSigmoidOp op, Lowering &to) {
  return to.apply(formula::HardSigmoid{{}, op.getAlpha(), op.getBeta()});
}
static LogicalResult lower(LeakyReluOp op, Lowering &to) {
  return to.apply(formula::LeakyRelu{{}, op.getAlpha()});
}
static LogicalResult lower(SeluOp op, Lowering &to) {
  return to.apply(formula::Selu{{}, op.getAlpha(), op.getGamma()});
}
/// Integers are compared and shifted as doubles.
static LogicalResult lower(ShrinkOp op, Lowering &to) {
  Value input = to.get(op.getInput());
  Type element = getElementTypeOrSelf(op.getInput().getType());
  formula::Shrink shrink{{}, op.getBias(), op.getLambd()};
  if (isa<FloatType>(element))
    return to.apply(shrink);
  FailureOr<Value> made = to.cast(input, to.getBuilder().getF64Type());
  if (succeeded(made))
    made = to.apply(shrink, *made);
  if (succeeded(made))
    made = to.cast(*made, element);
  return succeeded(made) ? to.set(op.getOutput(), *made) : failure();
}
static LogicalResult lower(SwiGLUOp op, Lowering &to) {
  return to.apply(formula::SwiGLU{{}, op.getAlpha()});
}
static LogicalResult lower(SwishOp op, Lowering &to) {
  return to.apply(formula::Swish{{}, op.getAlpha()});
}
static LogicalResult lower(ThresholdedReluOp op, Lowering &to) {
  return to.apply(formula::ThresholdedRelu{{}, op.getAlpha()});
}

void invar::onnx::addActivationLowerings(LoweringTable &table) {
  table.addAnyRank<CeluOp>(lower);
  table.addAnyRank<EluOp>(lower);
  table.addAnyRank<GeluOp>(lower);
  table.addAnyRank<HardSigmoidOp>(lower);
  table.add<HardSwishOp>(formula::HardSwish());
  table.addAnyRank<LeakyReluOp>(lower);
  table.add<MishOp>(formula::Mish());
  table.add<PReluOp>(formula::PRelu());
  table.add<ReluOp>(formula::Relu());
  table.addAnyRank<SeluOp>(lower);
  table.addAnyRank<ShrinkOp>(lower);
  table.add<SigmoidOp>(formula::Sigmoid());
  table.add<SoftplusOp>(formula::Softplus());
  table.add<SoftsignOp>(formula::Softsign());
  table.add<SwiGLUOp>(lower);
  table.addAnyRank<SwishOp>(lower);
  table.addAnyRank<ThresholdedReluOp>(lower);
}

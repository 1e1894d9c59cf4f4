// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decomposes activations into elementwise formulas, in the type of the elements, as in
// the standard.
#include "Formula.h"
#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr double rootOfHalf = 0.70710678118654752440;
static constexpr double rootOfTwoOverPi = 0.79788456080286535588;

/// The element itself, or alpha*(e^(x/scale) - 1) below zero. In narrow types, the
/// difference would lose most of its digits.
static Expression exponentialUnit(Value value, double alpha, double scale,
                                  Rewriting &rewriting) {
  Expression x(value, rewriting);
  Expression wide = cast(x, widen(x.getType(), DataType::Float32));
  Expression below = exp(scale == 1 ? wide : wide / scale) - 1;
  if (alpha != 1)
    below = alpha * below;
  return cast(where(wide < 0, below, wide), x.getType());
}

static constexpr StringLiteral decomposeCeluPattern =
    "Celu(x) -> Where(x < 0, alpha*(Exp(x/alpha) - 1), x) [decomposition, one "
    "way]";
static LogicalResult decomposeCelu(CeluOp op, Rewriting &rewriting) {
  double alpha = op.getAlpha();
  return rewriting.tryReplace(
      op, exponentialUnit(op.getX(), alpha, alpha, rewriting));
}

static constexpr StringLiteral decomposeEluPattern =
    "Elu(x) -> Where(x < 0, alpha*(Exp(x) - 1), x) [decomposition, one way]";
static LogicalResult decomposeElu(EluOp op, Rewriting &rewriting) {
  return rewriting.tryReplace(
      op, exponentialUnit(op.getX(), op.getAlpha(), 1, rewriting));
}

static constexpr StringLiteral decomposeGeluPattern =
    "Gelu(x) -> x*0.5*(1 + Erf(x/1.414)) [decomposition, one way]";
static LogicalResult decomposeGelu(GeluOp op, Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  Expression inner;
  if (op.getApproximate() == "tanh")
    inner = tanh(rootOfTwoOverPi * (x + 0.044715 * (x * x * x)));
  else
    inner = erf(x * rootOfHalf);
  return rewriting.tryReplace(op, x * 0.5 * (1 + inner));
}

static constexpr StringLiteral decomposeHardSigmoidPattern =
    "HardSigmoid(x) -> Max(Min(x*alpha + beta, 1), 0) [decomposition, one way]";
static LogicalResult decomposeHardSigmoid(HardSigmoidOp op,
                                          Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  Expression line = x * double(op.getAlpha()) + double(op.getBeta());
  return rewriting.tryReplace(op, maximum(minimum(line, 1), 0));
}

static constexpr StringLiteral decomposeHardSwishPattern =
    "HardSwish(x) -> x*Max(Min(x/6 + 0.5, 1), 0) [decomposition, one way]";
static LogicalResult decomposeHardSwish(HardSwishOp op, Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  return rewriting.tryReplace(op,
                              x * maximum(minimum(x * (1.0 / 6) + 0.5, 1), 0));
}

static constexpr StringLiteral decomposeLeakyReluPattern =
    "LeakyRelu(x) -> Where(x < 0, x*alpha, x) [decomposition, one way]";
static LogicalResult decomposeLeakyRelu(LeakyReluOp op, Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  return rewriting.tryReplace(op, where(x < 0, x * double(op.getAlpha()), x));
}

static constexpr StringLiteral decomposeMishPattern =
    "Mish(x) -> x*Tanh(Softplus(x)) [decomposition, one way]";
static LogicalResult decomposeMish(MishOp op, Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  return rewriting.tryReplace(op, x * tanh(Expression::make<SoftplusOp>(x)));
}

static constexpr StringLiteral decomposePreluPattern =
    "PRelu(x, s) -> Where(x < 0, x*s, x) [decomposition, one way]";
static LogicalResult decomposePRelu(PReluOp op, Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  Expression slope(op.getSlope(), rewriting);
  return rewriting.tryReplace(op, where(x < 0, x * slope, x));
}

static constexpr StringLiteral decomposeSeluPattern =
    "Selu(x) -> gamma*Where(x < 0, alpha*(Exp(x) - 1), x) [decomposition, one "
    "way]";
static LogicalResult decomposeSelu(SeluOp op, Rewriting &rewriting) {
  return rewriting.tryReplace(
      op, double(op.getGamma()) *
              exponentialUnit(op.getX(), op.getAlpha(), 1, rewriting));
}

static constexpr StringLiteral decomposeShrinkPattern =
    "Shrink(x) -> Where(x < -lambda, x + bias, Where(lambda < x, x - bias, 0)) "
    "[of floats; decomposition, one way]";
static LogicalResult decomposeShrink(ShrinkOp op, Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting);
  // Integers are shifted as floats and truncated; the standard and engines differ in
  // that.
  if (!isa<FloatType>(getElementTypeOrSelf(op.getInput().getType())))
    return failure();
  double lambda = op.getLambd(), bias = op.getBias();
  Expression right = where(lambda < x, x - bias, 0);
  return rewriting.tryReplace(op, where(x < -lambda, x + bias, right));
}

static constexpr StringLiteral decomposeSoftplusPattern =
    "Softplus(x) -> Max(x, 0) + Log(1 + Exp(-Abs(x))) [decomposition, one way]";
static LogicalResult decomposeSoftplus(SoftplusOp op, Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  // Unlike Log(1 + e^x), this never overflows.
  return rewriting.tryReplace(op, maximum(x, 0) + log(1 + exp(-abs(x))));
}

static constexpr StringLiteral decomposeSoftsignPattern =
    "Softsign(x) -> x/(1 + Abs(x)) [decomposition, one way]";
static LogicalResult decomposeSoftsign(SoftsignOp op, Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting);
  return rewriting.tryReplace(op, x / (1 + abs(x)));
}

static constexpr StringLiteral decomposeSwigluPattern =
    "SwiGLU(a, b) -> Swish(a)*b [decomposition, one way]";
static LogicalResult decomposeSwiGLU(SwiGLUOp op, Rewriting &rewriting) {
  Expression x(op.getA(), rewriting);
  Expression gate = Expression::make<SwishOp>(&rewriting, x, op.getAlphaAttr());
  return rewriting.tryReplace(op, gate * Expression(op.getB(), rewriting));
}

static constexpr StringLiteral decomposeSwishPattern =
    "Swish(x) -> x*Sigmoid(alpha*x) [decomposition, one way]";
static LogicalResult decomposeSwish(SwishOp op, Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  double alpha = op.getAlpha();
  return rewriting.tryReplace(op, x * sigmoid(alpha == 1 ? x : alpha * x));
}

static constexpr StringLiteral decomposeThresholdedReluPattern =
    "ThresholdedRelu(x) -> Where(alpha < x, x, 0) [decomposition, one way]";
static LogicalResult decomposeThresholdedRelu(ThresholdedReluOp op,
                                              Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  return rewriting.tryReplace(op, where(double(op.getAlpha()) < x, x, 0));
}

void invar::addActivationDecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<decomposeCelu>::get("decompose-celu", Decompose,
                                              decomposeCeluPattern));
  rules.push_back(RuleFor<decomposeElu>::get("decompose-elu", Decompose,
                                             decomposeEluPattern));
  rules.push_back(RuleFor<decomposeGelu>::get("decompose-gelu", Decompose,
                                              decomposeGeluPattern));
  rules.push_back(RuleFor<decomposeHardSigmoid>::get(
      "decompose-hard-sigmoid", Decompose, decomposeHardSigmoidPattern));
  rules.push_back(RuleFor<decomposeHardSwish>::get(
      "decompose-hard-swish", Decompose, decomposeHardSwishPattern));
  rules.push_back(RuleFor<decomposeLeakyRelu>::get(
      "decompose-leaky-relu", Decompose, decomposeLeakyReluPattern));
  rules.push_back(RuleFor<decomposeMish>::get("decompose-mish", Decompose,
                                              decomposeMishPattern));
  rules.push_back(RuleFor<decomposePRelu>::get("decompose-prelu", Decompose,
                                               decomposePreluPattern));
  rules.push_back(RuleFor<decomposeSelu>::get("decompose-selu", Decompose,
                                              decomposeSeluPattern));
  rules.push_back(RuleFor<decomposeShrink>::get("decompose-shrink", Decompose,
                                                decomposeShrinkPattern));
  rules.push_back(RuleFor<decomposeSoftplus>::get(
      "decompose-softplus", Decompose, decomposeSoftplusPattern));
  rules.push_back(RuleFor<decomposeSoftsign>::get(
      "decompose-softsign", Decompose, decomposeSoftsignPattern));
  rules.push_back(RuleFor<decomposeSwiGLU>::get("decompose-swiglu", Decompose,
                                                decomposeSwigluPattern));
  rules.push_back(RuleFor<decomposeSwish>::get("decompose-swish", Decompose,
                                               decomposeSwishPattern));
  rules.push_back(RuleFor<decomposeThresholdedRelu>::get(
      "decompose-thresholded-relu", Decompose,
      decomposeThresholdedReluPattern));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recomposes activations from several operators, as exporters write them for older
// opsets or out of habit. Each rule is anchored at the last operator, and creates only
// operators of the model's opset.
//
// Intermediate results no longer overflow: a Softplus of 100 is 100, while the
// logarithm of an infinite e^100 was infinite.
#include "ReadFormula.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Trigonometry.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr double rootOfHalf = 0.70710678118654752440;
static constexpr double rootOfTwoOverPi = 0.79788456080286535588;

/// Both orders of two values.
static std::array<std::pair<Value, Value>, 2> getOrders(Value a, Value b) {
  return {std::pair(a, b), std::pair(b, a)};
}

static FloatAttr getFloat(double number, Rewriting &rewriting) {
  return rewriting.getBuilder().getF32FloatAttr(float(number));
}

//===-- A value times a function of it ------------------------------------------===//

static constexpr StringLiteral makeSwishPattern =
    "Mul(x, Sigmoid(a*x)) -> Swish(x) [opset 24; an operator less]";
static LogicalResult makeSwish(MulOp op, Rewriting &rewriting) {
  if (rewriting.getOpset() < 24)
    return failure();
  for (auto [x, gate] : getOrders(op.getA(), op.getB())) {
    auto sigmoid = gate.getDefiningOp<SigmoidOp>();
    if (!sigmoid || !gate.hasOneUse())
      continue;
    auto argument = getCubic(sigmoid.getX(), x, rewriting);
    if (!argument || *argument != Cubic{0, (*argument)[1], 0, 0})
      continue;
    double alpha = (*argument)[1];
    return rewriting.tryReplace(
        op, rewriting.make<SwishOp>(
                x, alpha == 1 ? FloatAttr() : getFloat(alpha, rewriting)));
  }
  return failure();
}

static constexpr StringLiteral makeHardSwishPattern =
    "Mul(x, HardSigmoid(x)) -> HardSwish(x) [opset 14, x/6 + 0.5; an operator "
    "less]";
static LogicalResult makeHardSwish(MulOp op, Rewriting &rewriting) {
  if (rewriting.getOpset() < 14)
    return failure();
  for (auto [x, gate] : getOrders(op.getA(), op.getB())) {
    auto inner = gate.getDefiningOp<HardSigmoidOp>();
    if (inner && inner.getX() == x && gate.hasOneUse() &&
        isNear(inner.getAlpha(), 1.0 / 6, x) && isNear(inner.getBeta(), 0.5, x))
      return rewriting.tryReplace(op, rewriting.make<HardSwishOp>(x));
  }
  return failure();
}

static constexpr StringLiteral makeMishPattern =
    "Mul(x, Tanh(Softplus(x))) -> Mish(x) [opset 18; two operators less]";
static LogicalResult makeMish(MulOp op, Rewriting &rewriting) {
  if (rewriting.getOpset() < 18)
    return failure();
  for (auto [x, gate] : getOrders(op.getA(), op.getB())) {
    auto tanh = gate.getDefiningOp<TanhOp>();
    auto softplus =
        tanh ? tanh.getInput().getDefiningOp<SoftplusOp>() : SoftplusOp();
    if (softplus && softplus.getX() == x && gate.hasOneUse() &&
        softplus->hasOneUse())
      return rewriting.tryReplace(op, rewriting.make<MishOp>(x));
  }
  return failure();
}

//===-- Gelu --------------------------------------------------------------------===//

/// The Erf or Tanh of a gate that otherwise only adds and multiplies numbers.
static Operation *findGateFunction(Value gate, const Rewriting &rewriting) {
  std::optional<Line> line = getLine(gate, rewriting);
  Operation *op = line ? line->x.getDefiningOp() : nullptr;
  return isa_and_nonnull<ErfOp, TanhOp>(op) && line->x.hasOneUse() ? op
                                                                   : nullptr;
}

/// Whether the argument of a function is the one in a Gelu.
static bool isGeluArgument(Operation *function, Value x,
                           const Rewriting &rewriting) {
  auto argument = getCubic(function->getOperand(0), x, rewriting);
  if (!argument)
    return false;
  Cubic wanted = isa<ErfOp>(function)
                     ? Cubic{0, rootOfHalf, 0, 0}
                     : Cubic{0, rootOfTwoOverPi, 0, rootOfTwoOverPi * 0.044715};
  return isNear(*argument, wanted, x);
}

/// Whether the result is multiplied by a number later. Then the rule applies to that
/// later operator.
static bool isScaledLater(Operation *op, const Rewriting &rewriting) {
  if (!op->hasOneUse() || !isa<MulOp, DivOp>(*op->user_begin()))
    return false;
  Value result = op->getResult(0);
  Operation *user = *op->user_begin();
  return llvm::any_of(user->getOperands(), [&](Value operand) {
    return operand != result && getNumber(operand, result, rewriting);
  });
}

static constexpr StringLiteral makeGeluPattern =
    "0.5*x*(1 + Erf(x/sqrt(2))) -> Gelu(x) [opset 20; at least two operators "
    "less]";
static LogicalResult makeGelu(Operation *op, Rewriting &rewriting) {
  if (rewriting.getOpset() < 20 || !isOfUsualFloats(op->getResult(0)) ||
      isScaledLater(op, rewriting))
    return failure();
  Factors factors = getFactors(op, rewriting);
  if (factors.values.size() != 2)
    return failure();
  for (auto [x, gate] : getOrders(factors.values[0], factors.values[1])) {
    Operation *function = findGateFunction(gate, rewriting);
    if (!function || !isGeluArgument(function, x, rewriting))
      continue;
    auto sum = getCubic(gate, function->getResult(0), rewriting);
    if (!isNear((*sum)[0], (*sum)[1], x))
      continue;
    auto approximate = isa<TanhOp>(function)
                           ? rewriting.getBuilder().getStringAttr("tanh")
                           : StringAttr();
    Value gelu = rewriting.make<GeluOp>(x, approximate);
    // A factor of one half may have been fused into the weights of a user.
    double rest = 2 * factors.number * (*sum)[1];
    if (gelu && !isNear(rest, 1, x))
      gelu = rewriting.make<MulOp>(gelu, makeSplat(x, {}, rest, rewriting));
    return rewriting.tryReplace(op, gelu);
  }
  return failure();
}

//===-- Limited lines -----------------------------------------------------------===//

/// The upper limit of a Clip from zero on that has no other user.
static std::optional<double> getUpperLimit(Value value,
                                           const Rewriting &rewriting) {
  auto clip = value.getDefiningOp<ClipOp>();
  if (!clip || !value.hasOneUse() || !clip.getMin() || !clip.getMax() ||
      rewriting.getSplat(clip.getMin()) != 0)
    return std::nullopt;
  return rewriting.getSplat(clip.getMax());
}

/// Makes HardSigmoid(x) from a Clip of a line, divided by the upper limit; null if the
/// operand is not written as a line.
static Value makeHardSigmoid(ClipOp clip, double limit, Rewriting &rewriting) {
  std::optional<Line> line = getLine(clip.getInput(), rewriting);
  if (!line || line->x == clip.getInput() || !(limit > 0))
    return {};
  return rewriting.make<HardSigmoidOp>(
      line->x, getFloat(line->slope / limit, rewriting),
      getFloat(line->start / limit, rewriting));
}

static constexpr StringLiteral clipToHardSigmoidPattern =
    "Clip(a*x + b, 0, 1) -> HardSigmoid(x) [at least an operator less]";
static LogicalResult makeHardSigmoidOfClip(ClipOp op, Rewriting &rewriting) {
  if (!isOfUsualFloats(op.getOutput()) || !op.getMin() || !op.getMax() ||
      rewriting.getSplat(op.getMin()) != 0 ||
      rewriting.getSplat(op.getMax()) != 1)
    return failure();
  return rewriting.tryReplace(op, makeHardSigmoid(op, 1, rewriting));
}

static constexpr StringLiteral makeHardSigmoidPattern =
    "y*Clip(x + 3, 0, 6)/6 -> y*HardSigmoid(x) [at least two operators less]";
static LogicalResult makeHardSigmoidOfProduct(Operation *op,
                                              Rewriting &rewriting) {
  if (!isOfUsualFloats(op->getResult(0)))
    return failure();
  Factors factors = getFactors(op, rewriting);
  if (factors.values.size() > 2)
    return failure();
  for (auto [i, value] : llvm::enumerate(factors.values)) {
    auto limit = getUpperLimit(value, rewriting);
    if (!limit || !isNear(*limit * factors.number, 1, value))
      continue;
    Value result =
        makeHardSigmoid(value.getDefiningOp<ClipOp>(), *limit, rewriting);
    if (result && factors.values.size() == 2)
      result = rewriting.make<MulOp>(factors.values[1 - i], result);
    return rewriting.tryReplace(op, result);
  }
  return failure();
}

static constexpr StringLiteral makeClipPattern =
    "Min(Max(x, a), b) -> Clip(x, a, b) [a <= b; an operator less]";
static LogicalResult makeClip(Operation *op, Rewriting &rewriting) {
  if (op->getNumOperands() != 2 || !isOfUsualFloats(op->getResult(0)) ||
      rewriting.getOpset() < 11)
    return failure();
  for (auto [inner, outerBound] :
       getOrders(op->getOperand(0), op->getOperand(1))) {
    Operation *producer = inner.getDefiningOp();
    bool isOther = isa<MinOp>(op) ? isa_and_nonnull<MaxOp>(producer)
                                  : isa_and_nonnull<MinOp>(producer);
    if (!isOther || producer->getNumOperands() != 2 || !inner.hasOneUse())
      continue;
    for (auto [x, innerBound] :
         getOrders(producer->getOperand(0), producer->getOperand(1))) {
      auto first = getNumber(innerBound, x, rewriting);
      auto second = getNumber(outerBound, x, rewriting);
      if (!first || !second)
        continue;
      bool isUpper = isa<MinOp>(op);
      if (!(isUpper ? *first <= *second : *second <= *first))
        return failure();
      // The bounds of a clip are scalars.
      auto asScalar = [&](Value bound) {
        return rewriting.make<ReshapeOp>(bound, rewriting.makeInts({}),
                                         IntegerAttr());
      };
      Value least = asScalar(isUpper ? innerBound : outerBound);
      Value most = asScalar(isUpper ? outerBound : innerBound);
      return rewriting.tryReplace(
          op, least && most ? rewriting.make<ClipOp>(x, least, most) : Value());
    }
  }
  return failure();
}

static constexpr StringLiteral makeLeakyReluPattern =
    "Max(x, a*x) -> LeakyRelu(x) [0 < a <= 1; an operator less]";
static LogicalResult makeLeakyRelu(MaxOp op, Rewriting &rewriting) {
  if (op->getNumOperands() != 2 || !isOfUsualFloats(op->getResult(0)))
    return failure();
  for (auto [x, scaled] : getOrders(op->getOperand(0), op->getOperand(1))) {
    auto line = getCubic(scaled, x, rewriting);
    if (scaled == x || !line || *line != Cubic{0, (*line)[1], 0, 0} ||
        !((*line)[1] > 0 && (*line)[1] <= 1))
      continue;
    return rewriting.tryReplace(
        op, rewriting.make<LeakyReluOp>(x, getFloat((*line)[1], rewriting)));
  }
  return failure();
}

//===-- Of exponentials ---------------------------------------------------------===//

/// Returns x if the operator computes 1/x; otherwise null.
static Value getInverted(Operation *op, const Rewriting &rewriting) {
  if (isa<ReciprocalOp>(op))
    return op->getOperand(0);
  Value one = op->getOperand(0), x = op->getOperand(1);
  return getNumber(one, x, rewriting) == 1 ? x : Value();
}

/// Returns x if `sum` is 1 + Exp(x) and has one use; otherwise null.
static Value getExponentBesideOne(Value sum, const Rewriting &rewriting) {
  if (!sum || !sum.hasOneUse())
    return {};
  Value power = getBeside<AddOp>(1, sum, rewriting);
  auto exp = power ? power.getDefiningOp<ExpOp>() : ExpOp();
  return exp && power.hasOneUse() ? exp.getInput() : Value();
}

static constexpr StringLiteral makeSigmoidPattern =
    "1/(1 + Exp(Neg(x))) -> Sigmoid(x) [three operators less]";
static LogicalResult makeSigmoid(Operation *op, Rewriting &rewriting) {
  if (!isOfUsualFloats(op->getResult(0)))
    return failure();
  Value exponent = getExponentBesideOne(getInverted(op, rewriting), rewriting);
  auto neg = exponent ? exponent.getDefiningOp<NegOp>() : NegOp();
  if (!neg || !exponent.hasOneUse())
    return failure();
  return rewriting.tryReplace(op, rewriting.make<SigmoidOp>(neg.getX()));
}

static constexpr StringLiteral makeSoftplusPattern =
    "Log(1 + Exp(x)) -> Softplus(x) [two operators less]";
static LogicalResult makeSoftplus(LogOp op, Rewriting &rewriting) {
  if (!isOfUsualFloats(op.getOutput()))
    return failure();
  Value exponent = getExponentBesideOne(op.getInput(), rewriting);
  return exponent
             ? rewriting.tryReplace(op, rewriting.make<SoftplusOp>(exponent))
             : failure();
}

void invar::addRecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(makeRuleFor<MulOp, DivOp>("make-gelu", Recompose,
                                            makeGeluPattern, makeGelu));
  rules.push_back(makeRuleFor<MulOp, DivOp>("make-hard-sigmoid", Recompose,
                                            makeHardSigmoidPattern,
                                            makeHardSigmoidOfProduct));
  rules.push_back(RuleFor<makeHardSigmoidOfClip>::get(
      "clip-to-hard-sigmoid", Recompose, clipToHardSigmoidPattern));
  rules.push_back(RuleFor<makeHardSwish>::get("make-hard-swish", Recompose,
                                              makeHardSwishPattern));
  rules.push_back(
      RuleFor<makeSwish>::get("make-swish", Recompose, makeSwishPattern));
  rules.push_back(
      RuleFor<makeMish>::get("make-mish", Recompose, makeMishPattern));
  rules.push_back(makeRuleFor<MinOp, MaxOp>("make-clip", Recompose,
                                            makeClipPattern, makeClip));
  rules.push_back(RuleFor<makeLeakyRelu>::get("make-leaky-relu", Recompose,
                                              makeLeakyReluPattern));
  rules.push_back(makeRuleFor<DivOp, ReciprocalOp>(
      "make-sigmoid", Recompose, makeSigmoidPattern, makeSigmoid));
  rules.push_back(RuleFor<makeSoftplus>::get("make-softplus", Recompose,
                                             makeSoftplusPattern));
}

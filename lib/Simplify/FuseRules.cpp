// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves factors and summands of the result of a convolution or a matrix product into
// its weights and its bias, and those of its operand likewise. Weights and bias are
// computed once, and there is one fewer operator. Rounding differs by some units in the
// last place.
#include "Product.h"
#include "ReadFormula.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The operand that is a product's result, and the other one. In a Div, only the
/// dividend may be the product.
template <typename Op>
static std::optional<std::pair<Product, Value>>
findOperands(Op op, Rewriting &rewriting) {
  if (auto product = findProduct(op.getA(), rewriting))
    return std::pair(*product, op.getB());
  if constexpr (!std::is_same_v<Op, DivOp>)
    if (auto product = findProduct(op.getB(), rewriting))
      return std::pair(*product, op.getA());
  return std::nullopt;
}

static constexpr StringLiteral fuseMulPattern =
    "Mul(Conv(x, w, b), c) -> Conv(x, w*c, b*c) [c by channel; one operator "
    "less]";
static constexpr StringLiteral fuseDivPattern =
    "Div(Conv(x, w, b), c) -> Conv(x, w/c, b/c) [c by channel; one operator "
    "less]";
template <typename Op>
static LogicalResult fuseScale(Op op, Rewriting &rewriting) {
  auto found = findOperands(op, rewriting);
  if (!found)
    return failure();
  auto &[product, scale] = *found;
  Value factor = asChannels(scale, product.result, rewriting);
  if (!factor)
    return failure();
  Value weight =
      scaleWeight<Op>(product.weight, factor, product.result, rewriting);
  Value bias =
      product.bias ? rewriting.make<Op>(product.bias, factor) : Value();
  if (!weight || (product.bias && !bias))
    return failure();
  Value result =
      remake(product, product.op->getOperand(0), weight, bias, rewriting);
  return rewriting.tryReplace(op, result);
}

static constexpr StringLiteral fuseAddPattern =
    "Add(Conv(x, w, b), c) -> Conv(x, w, b+c) [c by channel; one operator "
    "less]";
static LogicalResult fuseShift(AddOp op, Rewriting &rewriting) {
  auto found = findOperands(op, rewriting);
  if (!found || !found->first.takesBias)
    return failure();
  auto &[product, summand] = *found;
  Value shift = asChannels(summand, product.result, rewriting);
  if (shift && product.bias)
    shift = rewriting.make<AddOp>(product.bias, shift);
  if (shift)
    shift = asBias(shift, product, rewriting);
  Value result = shift ? remake(product, product.op->getOperand(0),
                                product.weight, shift, rewriting)
                       : Value();
  return rewriting.tryReplace(op, result);
}

static constexpr StringLiteral fuseBatchnormPattern =
    "BatchNormalization(Conv(x, w, b), ...) -> Conv(x, w*s, b*s+t) [one "
    "operator less]";
static LogicalResult fuseBatchNormalization(BatchNormalizationOp op,
                                            Rewriting &rewriting) {
  auto product = findProduct(op.getX(), rewriting);
  if (!isInference(op) || !product || !product->takesBias)
    return failure();
  auto parts = getScaleAndShift(op, rewriting);
  if (!parts)
    return failure();
  auto [scale, shift] = *parts;
  Value weight =
      scaleWeight<MulOp>(product->weight, scale, product->result, rewriting);
  Value bias = shift;
  if (product->bias) {
    Value scaled = rewriting.make<MulOp>(product->bias, scale);
    bias = scaled ? rewriting.make<AddOp>(scaled, shift) : Value();
  }
  Value result = weight && bias ? remake(*product, product->op->getOperand(0),
                                         weight, bias, rewriting)
                                : Value();
  return rewriting.tryReplace(op, result);
}

static constexpr StringLiteral fuseMulOfSumPattern =
    "Mul(Add(MatMul(x, w), b), c) -> Add(MatMul(x, w*c), b*c) [c by channel; "
    "one operator less]";
static constexpr StringLiteral fuseDivOfSumPattern =
    "Div(Add(MatMul(x, w), b), c) -> Add(MatMul(x, w/c), b/c) [c by channel; "
    "one operator less]";
template <typename Op>
static LogicalResult fuseScaleOfSum(Op op, Rewriting &rewriting) {
  auto sum = op.getA().template getDefiningOp<AddOp>();
  if (!sum || !op.getA().hasOneUse() || !rewriting.isConstant(sum.getB()) ||
      !sum.getB().hasOneUse())
    return failure();
  auto product = findProduct(sum.getA(), rewriting);
  if (!product || getRank(sum.getA()) != getRank(op.getA()))
    return failure();
  Value factor = asChannels(op.getB(), product->result, rewriting);
  Value weight = factor ? scaleWeight<Op>(product->weight, factor,
                                          product->result, rewriting)
                        : Value();
  Value summand = rewriting.make<Op>(sum.getB(), op.getB());
  if (!weight || !summand)
    return failure();
  rewriting.passName(sum.getB(), summand);
  Value scaled = remake(*product, product->op->getOperand(0), weight,
                        product->bias, rewriting);
  return scaled
             ? rewriting.tryReplace(op, rewriting.make<AddOp>(scaled, summand))
             : failure();
}

/// Whether a factor of a value could be moved up into weights, past operators that only
/// rearrange elements.
static bool comesFromWeights(Value value, const Rewriting &rewriting) {
  static constexpr unsigned mostSteps = 8;
  for (unsigned step = 0; step < mostSteps && value.hasOneUse(); ++step) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<FlattenOp, ReshapeOp, SqueezeOp, TransposeOp,
                        UnsqueezeOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    if (auto sum = dyn_cast_or_null<AddOp>(op))
      return rewriting.isConstant(sum.getB()) && sum.getB().hasOneUse() &&
             getRank(sum.getA()) == getRank(value) &&
             findProduct(sum.getA(), rewriting);
    return findProduct(value, rewriting).has_value();
  }
  return false;
}

static constexpr StringLiteral scaleToOperandPattern =
    "Mul(MatMul(x, y), c) -> MatMul(Mul(x, c), y) [c a number that x takes "
    "into weights; c goes up]";
static LogicalResult moveScaleToOperand(Operation *op, Rewriting &rewriting) {
  Value product = op->getOperand(0), c = op->getOperand(1);
  auto matMul = product.getDefiningOp<MatMulOp>();
  if (!matMul || !product.hasOneUse() || !getNumber(c, product, rewriting))
    return failure();
  for (unsigned i : {0, 1}) {
    SmallVector<Value, 2> operands(matMul->getOperands());
    if (!getNumber(c, operands[i], rewriting) ||
        !comesFromWeights(operands[i], rewriting))
      continue;
    operands[i] = rewriting.makeLike(op, {operands[i], c});
    if (!operands[i])
      return failure();
    operands[i].getDefiningOp()->removeAttr(attr::name);
    return rewriting.tryReplace(op, rewriting.makeLike(matMul, operands));
  }
  return failure();
}

//===-- What is done to a product's operand -------------------------------------===//

/// Whether every element of a product's result depends on the operand's elements only,
/// not on padding, which would not be shifted.
static bool seesNoPadding(Operation *op) {
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv)
    return isa<GemmOp, MatMulOp>(op);
  bool isPadded =
      conv.getPads() &&
      llvm::any_of(*conv.getPads(), [](int64_t pad) { return pad != 0; });
  return conv.getAutoPad() == "VALID" ||
         (conv.getAutoPad() == "NOTSET" && !isPadded);
}

namespace {
/// A product into which a shift of its operand can be moved, and the operand's
/// channels.
struct Shiftable {
  Product product;
  ChannelAxis axis;
};
} // namespace

static std::optional<Shiftable> readShiftable(Operation *op,
                                              const Rewriting &rewriting) {
  auto product = readProduct(op, rewriting);
  if (!product || !product->takesBias || !seesNoPadding(op))
    return std::nullopt;
  auto axis = getOperandAxis(*product, rewriting);
  return axis ? std::optional(Shiftable{*product, *axis}) : std::nullopt;
}

/// The bias if the operand is not shifted any more: the old bias plus the sums of the
/// weights, each weight times the shift of its channel.
static Value shiftBias(const Shiftable &shiftable, Value shift,
                       Rewriting &rewriting) {
  const Product &product = shiftable.product;
  Value shifted =
      scaleWeight<MulOp>(product.weight, shift, shiftable.axis, rewriting);
  if (!shifted)
    return {};
  SmallVector<int64_t> axes = llvm::to_vector(
      llvm::seq(rewriting.getConstant(product.weight)->getRank()));
  axes.erase(axes.begin() + product.result.weightAxis);
  Value bias = rewriting.make<ReduceSumOp>(
      shifted, rewriting.makeInts(axes),
      rewriting.getBuilder().getI64IntegerAttr(0), IntegerAttr());
  if (bias && product.bias)
    bias = rewriting.make<AddOp>(product.bias, bias);
  return bias && rewriting.isConstant(bias) ? bias : Value();
}

static constexpr StringLiteral fuseAddOfOperandPattern =
    "Conv(Add(x, c), w, b) -> Conv(x, w, b + sum(w*c)) [c by channel of x, no "
    "padding; one operator less]";
static LogicalResult fuseShiftOfOperand(Operation *op, Rewriting &rewriting) {
  auto sum = op->getOperand(0).getDefiningOp<AddOp>();
  if (!sum || !sum->hasOneUse() || !rewriting.isConstant(sum.getB()))
    return failure();
  auto found = readShiftable(op, rewriting);
  if (!found || getRank(sum.getA()) != found->axis.rank)
    return failure();
  Value shift = asChannels(sum.getB(), found->axis, rewriting);
  Value bias = shift ? shiftBias(*found, shift, rewriting) : Value();
  return bias ? rewriting.tryReplace(op, remake(found->product, sum.getA(),
                                                found->product.weight, bias,
                                                rewriting))
              : failure();
}

static constexpr StringLiteral fuseBatchnormOfOperandPattern =
    "Conv(BatchNormalization(x, ...), w, b) -> Conv(x, w*s, b + sum(w*t)) [no "
    "padding; one operator less]";
static LogicalResult fuseBatchNormalizationOfOperand(Operation *op,
                                                     Rewriting &rewriting) {
  auto normalization = op->getOperand(0).getDefiningOp<BatchNormalizationOp>();
  if (!normalization || !isInference(normalization) ||
      !normalization->hasOneUse())
    return failure();
  auto found = readShiftable(op, rewriting);
  if (!found || found->axis.axis != 1)
    return failure();
  auto parts = getScaleAndShift(normalization, rewriting);
  if (!parts)
    return failure();
  Value bias = shiftBias(*found, parts->second, rewriting);
  Value weight = scaleWeight<MulOp>(found->product.weight, parts->first,
                                    found->axis, rewriting);
  return bias && weight ? rewriting.tryReplace(
                              op, remake(found->product, normalization.getX(),
                                         weight, bias, rewriting))
                        : failure();
}

static constexpr StringLiteral fuseMulOfOperandPattern =
    "Conv(Mul(x, c), w, b) -> Conv(x, w*c, b) [c by channel of x; one operator "
    "less]";
static LogicalResult fuseScaleOfOperand(Operation *op, Rewriting &rewriting) {
  Value scaled = op->getOperand(0);
  Operation *scaling = scaled.getDefiningOp();
  if (!isa_and_nonnull<MulOp, DivOp>(scaling) || !scaled.hasOneUse())
    return failure();
  Value x = scaling->getOperand(0), c = scaling->getOperand(1);
  if (isa<MulOp>(scaling) && rewriting.isConstant(x))
    std::swap(x, c);
  auto product =
      rewriting.isConstant(c) ? readProduct(op, rewriting) : std::nullopt;
  auto axis = product ? getOperandAxis(*product, rewriting) : std::nullopt;
  if (!axis || getRank(x) != axis->rank)
    return failure();
  Value factor = asChannels(c, *axis, rewriting);
  if (!factor)
    return failure();
  Value weight =
      isa<MulOp>(scaling)
          ? scaleWeight<MulOp>(product->weight, factor, *axis, rewriting)
          : scaleWeight<DivOp>(product->weight, factor, *axis, rewriting);
  return weight ? rewriting.tryReplace(
                      op, remake(*product, x, weight, product->bias, rewriting))
                : failure();
}

void invar::addFuseRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<fuseBatchNormalization>::get("fuse-batchnorm", Fuse,
                                                       fuseBatchnormPattern));
  rules.push_back(
      RuleFor<fuseScale<MulOp>>::get("fuse-mul", Fuse, fuseMulPattern));
  rules.push_back(
      RuleFor<fuseScale<DivOp>>::get("fuse-div", Fuse, fuseDivPattern));
  rules.push_back(RuleFor<fuseShift>::get("fuse-add", Fuse, fuseAddPattern));
  rules.push_back(RuleFor<fuseScaleOfSum<MulOp>>::get("fuse-mul-of-sum", Fuse,
                                                      fuseMulOfSumPattern));
  rules.push_back(RuleFor<fuseScaleOfSum<DivOp>>::get("fuse-div-of-sum", Fuse,
                                                      fuseDivOfSumPattern));
  rules.push_back(makeRuleFor<MulOp, DivOp>(
      "scale-to-operand", Fuse, scaleToOperandPattern, moveScaleToOperand));
  rules.push_back(makeRuleFor<ConvOp, GemmOp, MatMulOp>(
      "fuse-batchnorm-of-operand", Fuse, fuseBatchnormOfOperandPattern,
      fuseBatchNormalizationOfOperand));
  Rule fuseShift = makeRuleFor<ConvOp, GemmOp, MatMulOp>(
      "fuse-add-of-operand", Fuse, fuseAddOfOperandPattern, fuseShiftOfOperand);
  Rule fuseScale = makeRuleFor<ConvOp, ConvTransposeOp, GemmOp, MatMulOp>(
      "fuse-mul-of-operand", Fuse, fuseMulOfOperandPattern, fuseScaleOfOperand);
  // Both may be part of a formula that is recomposed first, such as the half of a Gelu.
  fuseShift.isLate = fuseScale.isLate = true;
  rules.push_back(fuseShift);
  rules.push_back(fuseScale);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is multiplied with or added to the result of a convolution or a matrix product goes
// into its weights and its bias, and what its operand is multiplied with into its weights.
// These are computed once, and an operator is gone; rounding differs by some units in the
// last place.
#include "Product.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The operand of a commutative operator that is a product's result, and the other one.
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

// Pattern: Mul(Conv(x, w, b), c) -> Conv(x, w*c, b*c) [c by channel; one operator less]
// Pattern: Div(Conv(x, w, b), c) -> Conv(x, w/c, b/c) [c by channel; one operator less]
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

// Pattern: Add(Conv(x, w, b), c) -> Conv(x, w, b+c) [c by channel; one operator less]
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

// Pattern: BatchNormalization(Conv(x, w, b), ...) -> Conv(x, w*s, b*s+t) [one operator less]
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

// Pattern: Mul(Add(MatMul(x, w), b), c) -> Add(MatMul(x, w*c), b*c) [c by channel; one operator less]
// Pattern: Div(Add(MatMul(x, w), b), c) -> Add(MatMul(x, w/c), b/c) [c by channel; one operator less]
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

// Pattern: Conv(Mul(x, c), w, b) -> Conv(x, w*c, b) [c by channel of x; one operator less]
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
  rules.push_back(RuleFor<fuseBatchNormalization>::get(
      "fuse-batchnorm", Fuse,
      "BatchNormalization(Conv(x, w, b), ...) -> Conv(x, w*s, b*s+t) [one "
      "operator less]"));
  rules.push_back(
      RuleFor<fuseScale<MulOp>>::get("fuse-mul", Fuse,
                                     "Mul(Conv(x, w, b), c) -> Conv(x, w*c, "
                                     "b*c) [c by channel; one operator less]"));
  rules.push_back(
      RuleFor<fuseScale<DivOp>>::get("fuse-div", Fuse,
                                     "Div(Conv(x, w, b), c) -> Conv(x, w/c, "
                                     "b/c) [c by channel; one operator less]"));
  rules.push_back(
      RuleFor<fuseShift>::get("fuse-add", Fuse,
                              "Add(Conv(x, w, b), c) -> Conv(x, w, b+c) [c by "
                              "channel; one operator less]"));
  rules.push_back(RuleFor<fuseScaleOfSum<MulOp>>::get(
      "fuse-mul-of-sum", Fuse,
      "Mul(Add(MatMul(x, w), b), c) -> Add(MatMul(x, w*c), b*c) [c by channel; "
      "one operator less]"));
  rules.push_back(RuleFor<fuseScaleOfSum<DivOp>>::get(
      "fuse-div-of-sum", Fuse,
      "Div(Add(MatMul(x, w), b), c) -> Add(MatMul(x, w/c), b/c) [c by channel; "
      "one operator less]"));
  Rule fuseOperand = makeRuleFor<ConvOp, ConvTransposeOp, GemmOp, MatMulOp>(
      "fuse-mul-of-operand", Fuse,
      "Conv(Mul(x, c), w, b) -> Conv(x, w*c, b) [c by channel of x; one "
      "operator less]",
      fuseScaleOfOperand);
  // A factor may belong to a formula before, such as the half of a Gelu.
  fuseOperand.isLate = true;
  rules.push_back(fuseOperand);
}

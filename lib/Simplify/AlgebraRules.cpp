// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines constants. In sums, products and similar operators, the constant moves to
// the right, then outward through operators that have no other user, until it meets
// another constant and both become one:
//
//   (3 + x) + (y + 4)  ->  (x + 3) + (y + 4)  ->  ((x + y) + 4) + 3  ->  (x + y) + 7
//
// The order does not matter for integers, booleans, bits, minima and maxima. Sums and
// products of floats round differently, so their rules are in the group Wide.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static bool isOfFloats(Operation *op) {
  return isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

/// The operator that computes a variable, if it is of the same kind as `op` and has no
/// other user.
static Operation *findInner(Operation *op, Value value, Rewriting &rewriting) {
  Operation *inner = value.getDefiningOp();
  return inner && inner->getName() == op->getName() && value.hasOneUse() &&
                 !rewriting.isConstant(value)
             ? inner
             : nullptr;
}

/// Combines several constants into one by the operator itself; null if the result is
/// bigger than the biggest of them.
static Value combine(Operation *op, ValueRange constants,
                     Rewriting &rewriting) {
  int64_t most = 0;
  for (Value constant : constants)
    most = std::max(most, rewriting.getConstant(constant)->numElements());
  Value combined = rewriting.makeLike(op, constants);
  if (!combined)
    return {};
  const Elements *content = rewriting.getConstant(combined);
  if (!content || content->numElements() > most)
    return {};
  combined.getDefiningOp()->removeAttr(attr::name);
  return combined;
}

static constexpr StringLiteral constantRightPattern =
    "Add(c, x) -> Add(x, c) [a constant less on the left]";
static LogicalResult moveConstantRight(Operation *op, Rewriting &rewriting) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  if (!rewriting.isConstant(a) || rewriting.isConstant(b))
    return failure();
  return rewriting.tryReplace(op, rewriting.makeLike(op, {b, a}));
}

static constexpr StringLiteral mergeConstantsPattern =
    "Add(Add(x, c), d) -> Add(x, c+d) [an operator of variables less]";
template <bool OfFloats>
static LogicalResult mergeConstants(Operation *op, Rewriting &rewriting) {
  Operation *inner = findInner(op, op->getOperand(0), rewriting);
  Value outerConstant = op->getOperand(1);
  if (isOfFloats(op) != OfFloats || !inner ||
      !rewriting.isConstant(outerConstant) ||
      !rewriting.isConstant(inner->getOperand(1)))
    return failure();
  Value both = combine(op, {inner->getOperand(1), outerConstant}, rewriting);
  if (!both)
    return failure();
  return rewriting.tryReplace(
      op, rewriting.makeLike(op, {inner->getOperand(0), both}));
}

static constexpr StringLiteral constantOutwardPattern =
    "Add(Add(x, c), y) -> Add(Add(x, y), c) [the constant is nearer to the "
    "end]";
template <bool OfFloats>
static LogicalResult moveConstantOutward(Operation *op, Rewriting &rewriting) {
  if (isOfFloats(op) != OfFloats)
    return failure();
  for (unsigned i : {0, 1}) {
    Operation *inner = findInner(op, op->getOperand(i), rewriting);
    Value other = op->getOperand(1 - i);
    // If the inner result is smaller than the outer one, the constant costs less there.
    if (!inner || !rewriting.isConstant(inner->getOperand(1)) ||
        rewriting.isConstant(other) ||
        !haveSameShape(inner->getResult(0), op->getResult(0)))
      continue;
    Value x = inner->getOperand(0);
    Value variable = i == 0 ? rewriting.makeLike(inner, {x, other})
                            : rewriting.makeLike(inner, {other, x});
    if (!variable)
      return failure();
    return rewriting.tryReplace(
        op, rewriting.makeLike(op, {variable, inner->getOperand(1)}));
  }
  return failure();
}

static constexpr StringLiteral flattenExtremesPattern =
    "Max(Max(x, c), y, d, y) -> Max(x, y, Max(c, d)) [fewer operators or "
    "operands]";
static constexpr StringLiteral flattenSumPattern =
    "Sum(Sum(x, c), y, d) -> Sum(x, y, c+d) [fewer operators or operands]";
static LogicalResult flatten(Operation *op, Rewriting &rewriting) {
  bool isIdempotent = isa<MaxOp, MinOp>(op);
  SmallVector<Value> variables, constants;
  auto add = [&](Value operand) {
    if (rewriting.isConstant(operand))
      constants.push_back(operand);
    else if (!isIdempotent || !llvm::is_contained(variables, operand))
      variables.push_back(operand);
  };
  for (Value operand : op->getOperands()) {
    Operation *inner = findInner(op, operand, rewriting);
    if (inner && inner->getNumOperands() <= mostFlattened &&
        haveSameShape(operand, op->getResult(0)))
      llvm::for_each(inner->getOperands(), add);
    else
      add(operand);
  }
  if (constants.size() > 1)
    if (Value both = combine(op, constants, rewriting))
      constants = {both};
  SmallVector<Value> operands = variables;
  operands.append(constants);
  if (operands == SmallVector<Value>(op->getOperands()))
    return failure();
  return rewriting.tryReplace(op, rewriting.makeLike(op, operands));
}

/// Whether a constant can be replaced by another of its size without adding more than a
/// few numbers to the model.
static bool mayReplace(Value constant, Rewriting &rewriting) {
  return constant.hasOneUse() ||
         rewriting.getConstant(constant)->numElements() <= 16;
}

/// Whether a value is a sum or difference with a constant, or a product that has a bias.
static bool canTakeConstant(Value value, Rewriting &rewriting) {
  Operation *op = value.getDefiningOp();
  return isa_and_present<ConvOp, ConvTransposeOp, GemmOp, MatMulOp>(op) ||
         (isa_and_present<AddOp, SubOp>(op) &&
          rewriting.isConstant(op->getOperand(1)));
}

/// The negated constant; null if negating it does not pay off.
static Value negate(Value c, Rewriting &rewriting) {
  if (!rewriting.isConstant(c) || !mayReplace(c, rewriting))
    return {};
  const Elements &content = *rewriting.getConstant(c);
  Value negative;
  if (getKind(content.getType()) == NumberKind::Unsigned) {
    // Unsigned numbers have no negation, but they wrap around.
    Value zero = rewriting.makeConstant(llvm::cantFail(ElementsBuilder().splat(
        content.getType(), {}, WideNum::ofUnsigned(0))));
    negative = rewriting.make<SubOp>(zero, c);
  } else {
    negative = rewriting.make<NegOp>(c);
  }
  return negative && rewriting.isConstant(negative) ? negative : Value();
}

static constexpr StringLiteral subToAddPattern =
    "Sub(Add(x, c), d) -> Add(Add(x, c), -d) [c, d constants; a difference "
    "less]";
static LogicalResult makeSum(SubOp op, Rewriting &rewriting) {
  if (rewriting.isConstant(op.getA()) || !canTakeConstant(op.getA(), rewriting))
    return failure();
  Value negative = negate(op.getB(), rewriting);
  return negative ? rewriting.tryReplace(
                        op, rewriting.make<AddOp>(op.getA(), negative))
                  : failure();
}

static constexpr StringLiteral innerSubToAddPattern =
    "Add(Sub(x, c), d) -> Add(Add(x, -c), d) [c, d constants; a difference "
    "less]";
static LogicalResult makeSumOfSum(AddOp op, Rewriting &rewriting) {
  auto inner = op.getA().getDefiningOp<SubOp>();
  if (!inner || !op.getA().hasOneUse() || rewriting.isConstant(inner.getA()) ||
      !rewriting.isConstant(op.getB()))
    return failure();
  Value negative = negate(inner.getB(), rewriting);
  Value sum =
      negative ? rewriting.make<AddOp>(inner.getA(), negative) : Value();
  return sum ? rewriting.tryReplace(op,
                                    rewriting.makeLike(op, {sum, op.getB()}))
             : failure();
}

/// Whether a float is a power of two, and both it and its inverse are normal in its type.
static bool hasExactInverse(double number, DataType type) {
  int exponent = 0;
  if (std::abs(std::frexp(number, &exponent)) != 0.5)
    return false;
  int power = exponent - 1;
  int most = type == DataType::Float16   ? 14
             : type == DataType::Float64 ? 1022
                                         : 126;
  return power >= -most && power <= most;
}

static constexpr StringLiteral divToMulPattern =
    "Div(x, c) -> Mul(x, 1/c) [c of powers of two; a quotient less]";
static LogicalResult makeProduct(DivOp op, Rewriting &rewriting) {
  static constexpr int64_t mostLookedAt = 4096;
  Value c = op.getB();
  const Elements *content = rewriting.getConstant(c);
  if (!isOfFloats(op) || !content || rewriting.isConstant(op.getA()) ||
      content->numElements() > mostLookedAt || !mayReplace(c, rewriting))
    return failure();
  SmallVector<WideNum> numbers(content->numElements());
  content->readWideNums(0, numbers);
  if (!llvm::all_of(numbers, [&](WideNum number) {
        return hasExactInverse(number.f, content->getType());
      }))
    return failure();
  Value inverse = rewriting.make<ReciprocalOp>(c);
  if (!inverse || !rewriting.isConstant(inverse))
    return failure();
  return rewriting.tryReplace(op, rewriting.make<MulOp>(op.getA(), inverse));
}

void invar::addAlgebraRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(makeRuleFor<AddOp, MulOp, AndOp, OrOp, XorOp, BitwiseAndOp,
                              BitwiseOrOp, BitwiseXorOp>(
      "constant-right", Exact, constantRightPattern, moveConstantRight));
  rules.push_back(RuleFor<makeSum>::get("sub-to-add", Exact, subToAddPattern));
  rules.push_back(RuleFor<makeSumOfSum>::get("inner-sub-to-add", Exact,
                                             innerSubToAddPattern));
  rules.push_back(
      RuleFor<makeProduct>::get("div-to-mul", Exact, divToMulPattern));
  rules.push_back(makeRuleFor<AddOp, MulOp, AndOp, OrOp, XorOp, BitwiseAndOp,
                              BitwiseOrOp, BitwiseXorOp>(
      "merge-constants", Exact, mergeConstantsPattern, mergeConstants<false>));
  rules.push_back(makeRuleFor<AddOp, MulOp, AndOp, OrOp, XorOp, BitwiseAndOp,
                              BitwiseOrOp, BitwiseXorOp>(
      "constant-outward", Exact, constantOutwardPattern,
      moveConstantOutward<false>));
  rules.push_back(makeRuleFor<MaxOp, MinOp>("flatten-extremes", Exact,
                                            flattenExtremesPattern, flatten));
  rules.push_back(makeRuleFor<AddOp, MulOp>("merge-float-constants", Wide,
                                            mergeConstantsPattern,
                                            mergeConstants<true>));
  rules.push_back(makeRuleFor<AddOp, MulOp>("float-constant-outward", Wide,
                                            constantOutwardPattern,
                                            moveConstantOutward<true>));
  rules.push_back(
      makeRuleFor<SumOp>("flatten-sum", Wide, flattenSumPattern, flatten));
}

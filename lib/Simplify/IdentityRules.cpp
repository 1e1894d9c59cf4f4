// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops operators that change nothing, undo each other, or have the same result for all
// operands. An operand replaces a result only if both are known to have the same type:
// a constant of bigger shape would have broadcast it.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static bool isOfFloats(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// Whether `x` can replace the result of an operator that broadcasts it with `other`.
static bool mayStandFor(Value x, Value result, Value other,
                        Rewriting &rewriting) {
  if (haveSameType(x, result))
    return true;
  // A scalar does not change any shape.
  const Elements *constant = rewriting.getConstant(other);
  return constant && constant->getRank() == 0 &&
         getElementTypeOrSelf(x.getType()) ==
             getElementTypeOrSelf(result.getType());
}

/// Whether all bits of all elements of a constant of integers are set.
static bool hasAllBits(Value value, Rewriting &rewriting) {
  const Elements *content = rewriting.getConstant(value);
  if (!rewriting.getSplat(value))
    return false;
  WideNum number;
  content->readWideNums(0, number);
  uint64_t all =
      llvm::maskTrailingOnes<uint64_t>(getBitWidth(content->getType()));
  return (number.u & all) == all;
}

//===-- One operand is the result ---------------------------------------------===//

/// Whether an operator returns its first operand if the second is this constant.
static bool isNeutral(Operation *op, Value constant, Rewriting &rewriting) {
  std::optional<double> number = rewriting.getSplat(constant);
  if (!number)
    return false;
  return TypeSwitch<Operation *, bool>(op)
      // -0 + 0 is 0, so for floats only -0 is neutral.
      .Case<AddOp>([&](auto) {
        return *number == 0 && (!isOfFloats(constant) || std::signbit(*number));
      })
      .Case<SubOp>([&](auto) {
        return *number == 0 &&
               (!isOfFloats(constant) || !std::signbit(*number));
      })
      .Case<OrOp, XorOp, BitwiseOrOp, BitwiseXorOp>(
          [&](auto) { return *number == 0; })
      .Case<MulOp, DivOp, PowOp, AndOp>([&](auto) { return *number == 1; })
      .Case<BitwiseAndOp>([&](auto) { return hasAllBits(constant, rewriting); })
      .Default(false);
}

static constexpr StringLiteral dropNeutralPattern =
    "Mul(x, 1) -> x [an operator less]";
static LogicalResult dropNeutral(Operation *op, Rewriting &rewriting) {
  Value x = op->getOperand(0), c = op->getOperand(1);
  if (!isNeutral(op, c, rewriting) ||
      !mayStandFor(x, op->getResult(0), c, rewriting))
    return failure();
  rewriting.replace(op, x);
  return success();
}

static constexpr StringLiteral dropZeroPattern =
    "Add(x, 0.0) -> x [the sign of zeros aside; an operator less]";
static LogicalResult dropZero(Operation *op, Rewriting &rewriting) {
  Value x = op->getOperand(0), c = op->getOperand(1);
  if (rewriting.getSplat(c) != 0 ||
      !mayStandFor(x, op->getResult(0), c, rewriting))
    return failure();
  rewriting.replace(op, x);
  return success();
}

static constexpr StringLiteral dropSameOperandPattern =
    "And(x, x) -> x [an operator less]";
static LogicalResult dropSameOperand(Operation *op, Rewriting &rewriting) {
  if (op->getOperand(0) != op->getOperand(1))
    return failure();
  rewriting.replace(op, op->getOperand(0));
  return success();
}

static constexpr StringLiteral dropSinglePattern =
    "Max(x) -> x [an operator less]";
static LogicalResult dropSingle(Operation *op, Rewriting &rewriting) {
  if (op->getNumOperands() != 1)
    return failure();
  rewriting.replace(op, op->getOperand(0));
  return success();
}

static constexpr StringLiteral choosePattern =
    "Where(true, x, y) -> x, Where(c, x, x) -> x [an operator less]";
static LogicalResult choose(WhereOp op, Rewriting &rewriting) {
  Value chosen;
  if (op.getX() == op.getY())
    chosen = op.getX();
  else if (auto truth = rewriting.getSplat(op.getCondition()))
    chosen = *truth != 0 ? op.getX() : op.getY();
  if (!chosen || !haveSameType(chosen, op.getOutput()))
    return failure();
  rewriting.replace(op, chosen);
  return success();
}

/// Whether a value is a sparse constant. If such a constant is an output itself,
/// onnxruntime returns a sparse tensor.
static bool isSparse(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && constant.getSparseValueAttr();
}

static constexpr StringLiteral dropIdentityPattern =
    "Identity(x) -> x [an operator less]";
static LogicalResult dropIdentity(IdentityOp op, Rewriting &rewriting) {
  bool isOutput = llvm::any_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  });
  if (isOutput && isSparse(op.getInput()))
    return failure();
  rewriting.replace(op, op.getInput());
  return success();
}

static constexpr StringLiteral dropDropoutPattern =
    "Dropout(x) -> x [not training, no mask wanted; an operator less]";
static LogicalResult dropDropout(DropoutOp op, Rewriting &rewriting) {
  bool isTraining =
      op.getTrainingMode() && rewriting.getSplat(op.getTrainingMode()) != 0;
  if (isTraining || (op.getMask() && !op.getMask().use_empty()))
    return failure();
  rewriting.replace(cast<OpResult>(op.getOutput()), op.getData());
  return success();
}

//===-- The result is known ---------------------------------------------------===//

/// The result of an operator on integers, booleans or bits, if it does not depend on an
/// operand.
static std::optional<WideNum> getAbsorbed(Operation *op, Rewriting &rewriting) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  auto isZero = [&] { return rewriting.getSplat(b) == 0; };
  return TypeSwitch<Operation *, std::optional<WideNum>>(op)
      .Case<SubOp, XorOp, BitwiseXorOp>([&](auto) {
        return a == b ? std::optional(WideNum::ofInt(0)) : std::nullopt;
      })
      .Case<MulOp, AndOp, BitwiseAndOp>([&](auto) {
        return isZero() ? std::optional(WideNum::ofInt(0)) : std::nullopt;
      })
      .Case<OrOp>([&](auto) {
        return rewriting.getSplat(b) == 1 ? std::optional(WideNum::ofBool(true))
                                          : std::nullopt;
      })
      .Case<BitwiseOrOp>([&](auto) {
        return hasAllBits(b, rewriting) ? std::optional(WideNum::ofInt(-1))
                                        : std::nullopt;
      })
      .Default(std::nullopt);
}

static constexpr StringLiteral absorbPattern =
    "Sub(x, x) -> 0, Mul(x, 0) -> 0 [integers of known shape; an operator "
    "less]";
static LogicalResult absorb(Operation *op, Rewriting &rewriting) {
  static constexpr int64_t mostElements = 4096;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || isOfFloats(op->getResult(0)) ||
      type.getNumElements() > mostElements)
    return failure();
  std::optional<DataType> element = elements::toDataType(type.getElementType());
  std::optional<WideNum> number = getAbsorbed(op, rewriting);
  if (!element || !number)
    return failure();
  rewriting.replace(
      op, rewriting.makeConstant(llvm::cantFail(
              ElementsBuilder().splat(*element, type.getShape(), *number))));
  return success();
}

//===-- Operators that undo or repeat each other ------------------------------===//

static constexpr StringLiteral dropDoublePattern =
    "Neg(Neg(x)) -> x [two operators less]";
static LogicalResult dropDouble(Operation *op, Rewriting &rewriting) {
  Operation *inner = op->getOperand(0).getDefiningOp();
  if (!inner || inner->getName() != op->getName())
    return failure();
  rewriting.replace(op, inner->getOperand(0));
  return success();
}

static constexpr StringLiteral dropRepeatedPattern =
    "Relu(Relu(x)) -> Relu(x) [an operator less]";
static LogicalResult dropRepeated(Operation *op, Rewriting &rewriting) {
  Operation *inner = op->getOperand(0).getDefiningOp();
  if (!inner || inner->getName() != op->getName())
    return failure();
  rewriting.replace(op, op->getOperand(0));
  return success();
}

void invar::addIdentityRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(
      RuleFor<dropIdentity>::get("drop-identity", Exact, dropIdentityPattern));
  rules.push_back(
      RuleFor<dropDropout>::get("drop-dropout", Exact, dropDropoutPattern));
  rules.push_back(makeRuleFor<AddOp, SubOp, MulOp, DivOp, PowOp, AndOp, OrOp,
                              XorOp, BitwiseAndOp, BitwiseOrOp, BitwiseXorOp>(
      "drop-neutral", Exact, dropNeutralPattern, dropNeutral));
  rules.push_back(
      makeRuleFor<AddOp, SubOp>("drop-zero", Fuse, dropZeroPattern, dropZero));
  rules.push_back(
      makeRuleFor<SubOp, MulOp, AndOp, OrOp, XorOp, BitwiseAndOp, BitwiseOrOp,
                  BitwiseXorOp>("absorb", Exact, absorbPattern, absorb));
  rules.push_back(makeRuleFor<AndOp, OrOp, BitwiseAndOp, BitwiseOrOp>(
      "drop-same-operand", Exact, dropSameOperandPattern, dropSameOperand));
  rules.push_back(makeRuleFor<MaxOp, MinOp, SumOp, MeanOp>(
      "drop-single", Exact, dropSinglePattern, dropSingle));
  rules.push_back(RuleFor<choose>::get("choose", Exact, choosePattern));
  rules.push_back(makeRuleFor<NegOp, NotOp, BitwiseNotOp>(
      "drop-double", Exact, dropDoublePattern, dropDouble));
  rules.push_back(makeRuleFor<ReluOp, AbsOp, FloorOp, CeilOp, RoundOp, SignOp>(
      "drop-repeated", Exact, dropRepeatedPattern, dropRepeated));
}

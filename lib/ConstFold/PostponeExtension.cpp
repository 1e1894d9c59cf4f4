// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Movement.h"
#include "Postpone.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

/// Limits on the steps of an extension, more than any dequantization has, and on the
/// users that are inspected. They keep the time linear.
static constexpr size_t mostSteps = 8, mostUsers = 64;

/// Elements that are not numbers count as the widest.
static unsigned getBits(Type type) {
  Type element = cast<RankedTensorType>(type).getElementType();
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

namespace {
/// Steps that widen the elements of one tensor, element by element, with parameters
/// such as scales and zero points.
class Extension {
public:
  /// The extension that computes `value`.
  static std::optional<Extension> match(Value value);

  /// Whether all values that it reads are constant.
  bool isConstant(const Postponement &state) const;
  Value getSource() const { return source; }
  /// Whether all parameters can be moved along.
  bool follows(const Movement &movement) const;
  /// Adds the cost of extending.
  void addCost(Cost &before) const;
  /// Adds the costs of moving extended elements, and of extending moved ones.
  void addCosts(const Movement &movement, Cost &before, Cost &after) const;
  /// Extends `moved`, the moved source.
  Value build(OpBuilder &builder, const Movement &movement, Value moved) const;

private:
  bool isParameter(const LoopOperand &operand, Value data) const {
    return operand.value != data;
  }

  struct Step {
    Elementwise op;
    Value data;
  };
  SmallVector<Step> steps; ///< the last one first
  Value source;
};
} // namespace

/// The operand that has the shape of the result and is read in order, if there is only
/// one.
static Value findData(const Elementwise &op) {
  Value data;
  for (const LoopOperand &operand : op.getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.value.getType());
    if (!type || type.getShape() != op.getType().getShape() ||
        !operand.isInOrder())
      continue;
    if (data && data != operand.value)
      return {};
    data = operand.value;
  }
  // An operation that also reads it in another order is no step of an extension.
  bool isOnlyData = llvm::all_of(op.getOperands(), [&](const LoopOperand &o) {
    return o.value != data || o.isInOrder();
  });
  return isOnlyData ? data : Value();
}

std::optional<Extension> Extension::match(Value value) {
  Extension extension;
  Value last = value;
  while (extension.steps.size() < mostSteps) {
    std::optional<Elementwise> op = Elementwise::match(last);
    Value data = op && !op->isCopy() ? findData(*op) : Value();
    if (!data || !op->getType().hasStaticShape() ||
        (last != value && !last.hasOneUse()))
      return std::nullopt;
    extension.steps.push_back({std::move(*op), data});
    if (getBits(data.getType()) < getBits(value.getType())) {
      extension.source = data;
      return extension;
    }
    last = data;
  }
  return std::nullopt;
}

bool Extension::isConstant(const Postponement &state) const {
  return llvm::all_of(steps, [&](const Step &step) {
    return state.areConstant(step.op.getCaptured()) &&
           llvm::all_of(step.op.getOperands(), [&](const LoopOperand &o) {
             return state.isConstant(o.value);
           });
  });
}

bool Extension::follows(const Movement &movement) const {
  return llvm::all_of(steps, [&](const Step &step) {
    return llvm::all_of(step.op.getOperands(), [&](const LoopOperand &o) {
      return !isParameter(o, step.data) || movement.takes(o);
    });
  });
}

void Extension::addCost(Cost &before) const {
  for (const Step &step : steps)
    before.addComputed(step.op.getType());
}

void Extension::addCosts(const Movement &movement, Cost &before,
                         Cost &after) const {
  Type narrow = cast<RankedTensorType>(source.getType()).getElementType();
  before.addMoved(movement.getType());
  after.addMoved(movement.getType().clone(narrow));
  for (const Step &step : steps) {
    after.addComputed(
        movement.getType().clone(step.op.getType().getElementType()));
    for (const LoopOperand &operand : step.op.getOperands())
      if (isParameter(operand, step.data))
        after.addMoved(movement.getMovedType(operand));
  }
}

Value Extension::build(OpBuilder &builder, const Movement &movement,
                       Value moved) const {
  Location loc = movement.getOperation()->getLoc();
  ArrayRef<int64_t> shape = movement.getType().getShape();
  AffineMap inOrder = builder.getMultiDimIdentityMap(unsigned(shape.size()));
  for (const Step &step : llvm::reverse(steps)) {
    SmallVector<LoopOperand> operands;
    for (const LoopOperand &operand : step.op.getOperands())
      operands.push_back(isParameter(operand, step.data)
                             ? movement.moveAlong(builder, operand)
                             : LoopOperand{moved, inOrder});
    Value init = tensor::EmptyOp::create(builder, loc, shape,
                                         step.op.getType().getElementType());
    moved = step.op.build(builder, operands, init);
  }
  return moved;
}

/// Whether all users of the extended value can move narrow elements instead, and that
/// pays off.
static Refusal checkUsers(const Extension &extension, Operation *op) {
  Cost before, after;
  extension.addCost(before);
  size_t count = 0;
  for (OpOperand &use : op->getOperand(0).getUses()) {
    std::optional<Movement> movement;
    Refusal refusal = Movement::match(use.getOwner(), movement);
    if (movement && !extension.follows(*movement))
      refusal = Refusal::Parameter;
    if (use.getOwner() == op && refusal != Refusal::None)
      return refusal;
    if (refusal != Refusal::None || use.getOperandNumber() != 0 ||
        ++count > mostUsers)
      return Refusal::Shared;
    extension.addCosts(*movement, before, after);
  }
  return after.paysAgainst(before) ? Refusal::None : Refusal::Shared;
}

/// Arithmetic must stay on extended elements: on narrow ones, it rounds and wraps
/// differently.
static Refusal checkArithmetic(Operation *op, const Postponement &state) {
  std::optional<Elementwise> step = Elementwise::match(op->getResult(0));
  Value data = step && !step->isCopy() ? findData(*step) : Value();
  std::optional<Extension> extension =
      data ? Extension::match(data) : std::nullopt;
  return extension && extension->isConstant(state) ? Refusal::Computes
                                                   : Refusal::Nothing;
}

Refusal invar::postponeExtension(Operation *op, Postponement &state) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !state.isConstant(op->getResult(0)))
    return Refusal::Nothing;
  std::optional<Movement> movement;
  if (Movement::match(op, movement) == Refusal::Nothing)
    return checkArithmetic(op, state);
  std::optional<Extension> extension = Extension::match(op->getOperand(0));
  if (!extension || !extension->isConstant(state))
    return Refusal::Nothing;
  if (Refusal refusal = checkUsers(*extension, op); refusal != Refusal::None)
    return refusal;
  OpBuilder &builder = state.at(op);
  Value moved = movement->build(builder, extension->getSource());
  state.replace(op, extension->build(builder, *movement, moved));
  return Refusal::None;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cancels transposes that meet when they are moved through operators.
//
// Elementwise operators do not depend on the order of axes, and operators that name
// axes can name others. So a Transpose can follow such operators instead of preceding
// them. If two transposes meet that way, one is enough, or none:
//
//   Transpose(Relu(Transpose(x)))    ->  Relu(x)
//   Add(Transpose(x), Transpose(y))  ->  Transpose(Add(x, y))
//   ReduceMax(Transpose(x))          ->  ReduceMax(x)
//
// Moving a single Transpose gains nothing. So at an operator where several may meet,
// the rule inspects everything above it, through operators without other users, and
// counts how many transposes would be removed and how many added. It rewrites all of it
// at once if fewer remain. So each application lowers the number of transposes.
#include "Order.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Through what is between -----------------------------------------------===//

namespace {
/// Finds the values that other values are transposes of, and creates them.
class Untranspose {
public:
  Untranspose(Rewriting &rewriting, bool mayRound)
      : rewriting(rewriting), mayRound(mayRound) {}

  /// The order that a Transpose above gives to the axes of `value`.
  std::optional<Order> findOrder(Value value) {
    unsigned steps = 0;
    return find(value, steps);
  }
  /// By how much the number of transposes changes if `value` is computed without this
  /// order; none if that is impossible.
  std::optional<int> count(Value value, ArrayRef<int64_t> order);
  std::optional<int> countOperands(Operation *op, ArrayRef<int64_t> order);
  /// Creates `value`, or the result of the operator, without this order.
  Value undo(Value value, ArrayRef<int64_t> order);
  Value undoOperands(Operation *op, ArrayRef<int64_t> order);

private:
  /// The maximum number of inspected values. Transposes farther up are found from
  /// operators in between.
  static constexpr unsigned mostSteps = 32;

  std::optional<Order> find(Value value, unsigned &steps);
  /// The operator to look through; null to stop.
  Operation *getPassed(Value value) const;
  /// The order that operands must have so that the result has this one.
  std::optional<Order> getOperandOrder(Operation *op, ArrayRef<int64_t> order);
  bool isFree(Value constant) const;

  Rewriting &rewriting;
  bool mayRound;
  unsigned counted = 0;
  /// For each inspected operator, whether it pays off to look through it.
  llvm::DenseMap<Operation *, bool> isPassed;
};
} // namespace

Operation *Untranspose::getPassed(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && value.hasOneUse() && !rewriting.isConstant(value) &&
                 passesOrder(op, mayRound, rewriting)
             ? op
             : nullptr;
}

std::optional<Order> Untranspose::find(Value value, unsigned &steps) {
  std::optional<int64_t> rank = getRank(value);
  if (!rank || ++steps > mostSteps)
    return std::nullopt;
  if (auto transpose = value.getDefiningOp<TransposeOp>())
    return transpose.getPermutation(*rank);
  Operation *op = getPassed(value);
  if (!op)
    return std::nullopt;
  for (Value operand : getOrderedOperands(op))
    if (std::optional<Order> order = find(operand, steps))
      return getResultOrder(op, *order, rewriting);
  return std::nullopt;
}

std::optional<Order> Untranspose::getOperandOrder(Operation *op,
                                                  ArrayRef<int64_t> order) {
  if (keepsAxes(op))
    return Order(order);
  // The operator adds or removes axes, so the operand's own order must lead to this
  // one.
  std::optional<Order> found = findOrder(op->getOperand(0));
  if (!found || getResultOrder(op, *found, rewriting) != Order(order))
    return std::nullopt;
  return found;
}

/// Whether a constant in another order costs nothing: it replaces the old one, or is
/// small.
bool Untranspose::isFree(Value constant) const {
  static constexpr int64_t mostElements = 16;
  return rewriting.getConstant(constant)->numElements() <= mostElements ||
         (constant.getDefiningOp<ConstantOp>() && constant.hasOneUse());
}

std::optional<int> Untranspose::count(Value value, ArrayRef<int64_t> order) {
  std::optional<int64_t> rank = getRank(value);
  if (!rank || *rank > int64_t(order.size()))
    return std::nullopt;
  if (*rank == 0)
    return 0;
  if (rewriting.isConstant(value))
    return isFree(value) ? std::optional(0) : std::nullopt;
  if (*rank != int64_t(order.size()))
    return std::nullopt;
  if (auto transpose = value.getDefiningOp<TransposeOp>()) {
    // If the orders differ, one Transpose remains, which combines both.
    bool isGone = transpose.getPermutation(*rank) == Order(order);
    return (isGone ? 0 : 1) - (value.hasOneUse() ? 1 : 0);
  }
  Operation *op = ++counted > mostSteps ? nullptr : getPassed(value);
  std::optional<Order> inner = op ? getOperandOrder(op, order) : std::nullopt;
  std::optional<int> operands =
      inner ? countOperands(op, *inner) : std::nullopt;
  bool isWorthIt = operands && *operands <= 0;
  if (op)
    isPassed[op] = isWorthIt;
  return isWorthIt ? *operands : 1;
}

std::optional<int> Untranspose::countOperands(Operation *op,
                                              ArrayRef<int64_t> order) {
  int sum = 0;
  for (Value operand : getOrderedOperands(op)) {
    std::optional<int> own = count(operand, order);
    if (!own)
      return std::nullopt;
    sum += *own;
  }
  return sum;
}

Value Untranspose::undo(Value value, ArrayRef<int64_t> order) {
  int64_t rank = *getRank(value);
  if (rank == 0)
    return value;
  if (const Elements *constant = rewriting.getConstant(value)) {
    if (constant->numElements() == 1)
      return value;
    // Broadcasting adds leading axes of size one.
    SmallVector<int64_t> shape(order.size() - rank, 1);
    llvm::append_range(shape, constant->getShape());
    if (!shape.empty() && shape.size() != size_t(rank))
      value = rewriting.make<ReshapeOp>(value, rewriting.makeInts(shape),
                                        IntegerAttr());
    return makeTranspose(value, invert(order), rewriting);
  }
  if (auto transpose = value.getDefiningOp<TransposeOp>())
    return makeTranspose(transpose.getData(),
                         compose(transpose.getPermutation(rank), invert(order)),
                         rewriting);
  Operation *op = value.getDefiningOp();
  if (!op || !isPassed.lookup(op))
    return makeTranspose(value, invert(order), rewriting);
  std::optional<Order> inner = getOperandOrder(op, order);
  return inner ? undoOperands(op, *inner) : Value();
}

Value Untranspose::undoOperands(Operation *op, ArrayRef<int64_t> order) {
  SmallVector<Value> operands(op->getOperands());
  for (unsigned i = 0, count = getOrderedOperands(op).size(); i < count; ++i) {
    operands[i] = undo(operands[i], order);
    if (!operands[i])
      return {};
  }
  return makeInOrder(op, operands, order, rewriting);
}

/// Replaces the result of an operator by a transposed value. The new operators keep
/// their own names.
static LogicalResult replaceBy(Operation *op, Value value,
                               ArrayRef<int64_t> order, Rewriting &rewriting) {
  Value ordered = makeTranspose(value, order, rewriting);
  if (!ordered)
    return failure();
  rewriting.replace(op->getResult(0), ordered);
  return success();
}

static constexpr StringLiteral cancelTransposesPattern =
    "Transpose(Relu(Transpose(x))) -> Relu(x) [nothing else uses it; a "
    "transpose less]";
static constexpr StringLiteral cancelTransposesOfSumsPattern =
    "Transpose(Softmax(Transpose(x))) -> Softmax(x) [sums as well; a transpose "
    "less]";
template <bool MayRound>
static LogicalResult cancelTransposes(TransposeOp op, Rewriting &rewriting) {
  Value data = op.getData();
  std::optional<int64_t> rank = getRank(data);
  if (!rank || data.getDefiningOp<TransposeOp>())
    return failure();
  Untranspose above(rewriting, MayRound);
  std::optional<Order> order = above.findOrder(data);
  if (!order)
    return failure();
  Order both = compose(*order, op.getPermutation(*rank));
  std::optional<int> more = above.count(data, *order);
  if (!more || *more - 1 + !isInOrder(both) >= 0)
    return failure();
  return replaceBy(op, above.undo(data, *order), both, rewriting);
}

static constexpr StringLiteral joinTransposesPattern =
    "Add(Transpose(x), Transpose(y)) -> Transpose(Add(x, y)) [a transpose "
    "less]";
static constexpr StringLiteral reduceTransposedPattern =
    "ReduceMax(Transpose(x)) -> ReduceMax(x) [the rest in order; a transpose "
    "less]";
static constexpr StringLiteral sumTransposedPattern =
    "ReduceMean(Transpose(x)) -> ReduceMean(x) [the rest in order; a transpose "
    "less]";
template <bool MayRound>
static LogicalResult moveTransposes(Operation *op, Rewriting &rewriting) {
  if (!passesOrder(op, MayRound, rewriting))
    return failure();
  Untranspose above(rewriting, MayRound);
  std::optional<Order> order;
  for (Value operand : getOrderedOperands(op))
    if ((order = above.findOrder(operand)))
      break;
  std::optional<Order> result =
      order ? getResultOrder(op, *order, rewriting) : std::nullopt;
  std::optional<int> more =
      result ? above.countOperands(op, *order) : std::nullopt;
  if (!more || *more + !isInOrder(*result) >= 0)
    return failure();
  return replaceBy(op, above.undoOperands(op, *order), *result, rewriting);
}

void invar::addMeetingTransposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<cancelTransposes<false>>::get(
      "cancel-transposes", Exact, cancelTransposesPattern));
  rules.push_back(RuleFor<cancelTransposes<true>>::get(
      "cancel-transposes-of-sums", Fuse, cancelTransposesOfSumsPattern));
  rules.push_back(
      makeRuleFor<AddOp, SubOp, MulOp, DivOp, PowOp, ModOp, MaxOp, MinOp, SumOp,
                  MeanOp, AndOp, OrOp, XorOp, BitwiseAndOp, BitwiseOrOp,
                  BitwiseXorOp, EqualOp, GreaterOp, GreaterOrEqualOp, LessOp,
                  LessOrEqualOp, WhereOp, PReluOp, ConcatOp>(
          "join-transposes", Exact, joinTransposesPattern,
          moveTransposes<false>));
  rules.push_back(makeRuleFor<ReduceMaxOp, ReduceMinOp, ReduceSumOp,
                              ReduceProdOp, ArgMaxOp, ArgMinOp, SqueezeOp>(
      "reduce-transposed", Exact, reduceTransposedPattern,
      moveTransposes<false>));
  rules.push_back(makeRuleFor<ReduceSumOp, ReduceProdOp, ReduceMeanOp,
                              ReduceL1Op, ReduceL2Op, ReduceLogSumOp,
                              ReduceLogSumExpOp, ReduceSumSquareOp>(
      "sum-transposed", Fuse, sumTransposedPattern, moveTransposes<true>));
}

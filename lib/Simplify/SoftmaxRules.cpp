// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recomposes Softmax and LogSoftmax from exponentials and sums. Both operators subtract
// the greatest element before the exponential, so a subtraction before them is
// redundant.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The axis of a reduction of `x` over one axis that keeps it with size one; none for
/// other values.
template <typename Op>
static std::optional<int64_t> getReducedAxis(Value value, Value x,
                                             const Rewriting &rewriting) {
  auto reduction = value.getDefiningOp<Op>();
  std::optional<int64_t> rank = getRank(x);
  if (!reduction || reduction.getData() != x || !reduction.getKeepdims() ||
      !reduction.getAxes() || !rank)
    return std::nullopt;
  auto axes = getAxes(reduction.getAxes(), *rank, rewriting);
  if (!axes || axes->size() != 1)
    return std::nullopt;
  return axes->front();
}

/// Makes a Softmax or LogSoftmax along an axis. Before opset 13 it must be the last
/// axis.
template <typename Op>
static Value makeAlong(int64_t axis, Value x, Rewriting &rewriting) {
  bool isLast = axis == *getRank(x) - 1;
  if (!isLast && rewriting.getOpset() < 13)
    return {};
  return rewriting.make<Op>(
      x,
      isLast ? IntegerAttr() : rewriting.getBuilder().getI64IntegerAttr(axis));
}

static constexpr StringLiteral makeSoftmaxPattern =
    "Exp(x)/ReduceSum(Exp(x)) -> Softmax(x) [two operators less]";
static LogicalResult makeSoftmax(DivOp op, Rewriting &rewriting) {
  auto exp = op.getA().getDefiningOp<ExpOp>();
  if (!exp || !exp.getOutput().hasNUses(2) || !op.getB().hasOneUse())
    return failure();
  auto axis =
      getReducedAxis<ReduceSumOp>(op.getB(), exp.getOutput(), rewriting);
  if (!axis)
    return failure();
  return rewriting.tryReplace(
      op, makeAlong<SoftmaxOp>(*axis, exp.getInput(), rewriting));
}

static constexpr StringLiteral makeLogSoftmaxPattern =
    "Log(Softmax(x)) -> LogSoftmax(x) [an operator less]";
static LogicalResult makeLogSoftmax(LogOp op, Rewriting &rewriting) {
  auto softmax = op.getInput().getDefiningOp<SoftmaxOp>();
  if (!softmax || !op.getInput().hasOneUse())
    return failure();
  return rewriting.tryReplace(
      op,
      rewriting.make<LogSoftmaxOp>(softmax.getInput(), softmax.getAxisAttr()));
}

static constexpr StringLiteral sumToLogSoftmaxPattern =
    "x - Log(ReduceSum(Exp(x))) -> LogSoftmax(x) [three operators less]";
static LogicalResult makeLogSoftmaxOfSum(SubOp op, Rewriting &rewriting) {
  Value x = op.getA(), logarithm = op.getB();
  auto log = logarithm.getDefiningOp<LogOp>();
  auto sum = log ? log.getInput().getDefiningOp<ReduceSumOp>() : ReduceSumOp();
  auto exp = sum ? sum.getData().getDefiningOp<ExpOp>() : ExpOp();
  if (!exp || exp.getInput() != x || !logarithm.hasOneUse() ||
      !sum->hasOneUse() || !exp->hasOneUse())
    return failure();
  auto axis =
      getReducedAxis<ReduceSumOp>(sum.getReduced(), exp.getOutput(), rewriting);
  return axis ? rewriting.tryReplace(
                    op, makeAlong<LogSoftmaxOp>(*axis, x, rewriting))
              : failure();
}

static constexpr StringLiteral dropSoftmaxShiftPattern =
    "Softmax(x - ReduceMax(x)) -> Softmax(x) [along one axis; two operators "
    "less]";
static constexpr StringLiteral dropLogSoftmaxShiftPattern =
    "LogSoftmax(x - ReduceMax(x)) -> LogSoftmax(x) [along one axis; two "
    "operators less]";
template <typename Op>
static LogicalResult dropShift(Op op, Rewriting &rewriting) {
  auto shifted = op.getInput().template getDefiningOp<SubOp>();
  if (!shifted || !op.getInput().hasOneUse() || !shifted.getB().hasOneUse())
    return failure();
  Value x = shifted.getA();
  auto axis = getReducedAxis<ReduceMaxOp>(shifted.getB(), x, rewriting);
  if (!axis || axis != normalizeAxis(op.getAxis(), *getRank(x)))
    return failure();
  return rewriting.tryReplace(op, rewriting.makeLike(op, x));
}

static constexpr StringLiteral dropSoftmaxFlatteningPattern =
    "Reshape(Softmax(Flatten(x))) -> Softmax(x) [along the last axis, which "
    "stays; two operators less]";
static LogicalResult dropFlattening(ReshapeOp op, Rewriting &rewriting) {
  Operation *softmax = op.getData().getDefiningOp();
  if (!isa_and_nonnull<SoftmaxOp, LogSoftmaxOp>(softmax) ||
      !softmax->hasOneUse())
    return failure();
  Value flat = softmax->getOperand(0);
  Operation *flattening = flat.getDefiningOp();
  if (!isa_and_nonnull<FlattenOp, ReshapeOp>(flattening) || !flat.hasOneUse())
    return failure();
  Value x = flattening->getOperand(0);
  std::optional<int64_t> rank = getRank(x), flatRank = getRank(flat);
  auto axis = softmax->getAttrOfType<IntegerAttr>("axis");
  if (!rank || !flatRank || *rank < 1 || *flatRank < 1 ||
      (axis && normalizeAxis(axis.getInt(), *flatRank) != *flatRank - 1) ||
      !haveSameSize(x, *rank - 1, flat, *flatRank - 1) ||
      !haveSameShape(x, op.getReshaped()))
    return failure();
  auto last = rewriting.getBuilder().getNamedAttr(
      "axis", rewriting.getBuilder().getI64IntegerAttr(-1));
  return rewriting.tryReplace(op, rewriting.makeLike(softmax, x, last));
}

void invar::addSoftmaxRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<dropFlattening>::get("drop-softmax-flattening", Exact,
                                               dropSoftmaxFlatteningPattern));
  rules.push_back(
      RuleFor<makeSoftmax>::get("make-softmax", Recompose, makeSoftmaxPattern));
  rules.push_back(RuleFor<makeLogSoftmax>::get("make-log-softmax", Recompose,
                                               makeLogSoftmaxPattern));
  rules.push_back(RuleFor<makeLogSoftmaxOfSum>::get(
      "sum-to-log-softmax", Recompose, sumToLogSoftmaxPattern));
  rules.push_back(RuleFor<dropShift<SoftmaxOp>>::get(
      "drop-softmax-shift", Recompose, dropSoftmaxShiftPattern));
  rules.push_back(RuleFor<dropShift<LogSoftmaxOp>>::get(
      "drop-log-softmax-shift", Recompose, dropLogSoftmaxShiftPattern));
}

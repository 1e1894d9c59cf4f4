// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces one operator by simpler ones, for compilers. This file has sums, means and
// reductions; other families are in files next to it. There is no way back: no rule of
// another group creates an operator that is decomposed here, and recomposition is
// disabled while decomposition is enabled.
//
// The standard also defines these operators in terms of others, but they stay:
//
//   Relu, GreaterOrEqual, LessOrEqual    nothing is simpler
//   Softmax, LogSoftmax                  kernels compute it in one pass over a row
//   Range, SequenceMap, LinearAttention  a decomposition would need a loop
//   Bernoulli                            a decomposition would draw other numbers
//   FlexAttention                        it contains graphs, and is a preview
//   CastLike                             is a Cast by an exact rule, if its type is known
#include "Formula.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include <limits>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Sums of operands ------------------------------------------------------===//

/// The sum of all operands, from left to right.
static Expression addAll(OperandRange operands, Rewriting &rewriting) {
  Expression total(operands.front(), rewriting);
  for (Value operand : operands.drop_front())
    total = total + Expression(operand, rewriting);
  return total;
}

static constexpr StringLiteral addTwoPattern =
    "Sum(x, y) -> Add(x, y) [a sum of any number of operands less]";
static LogicalResult addTwo(SumOp op, Rewriting &rewriting) {
  if (op.getData_0().size() != 2)
    return failure();
  return rewriting.tryReplace(op, addAll(op.getData_0(), rewriting));
}

static constexpr StringLiteral decomposeSumPattern =
    "Sum(x, y, z) -> x + y + z [decomposition, one way]";
static LogicalResult decomposeSum(SumOp op, Rewriting &rewriting) {
  return rewriting.tryReplace(op, addAll(op.getData_0(), rewriting));
}

static constexpr StringLiteral decomposeMeanPattern =
    "Mean(x, y, z) -> (x + y + z)/3 [decomposition, one way]";
static LogicalResult decomposeMean(MeanOp op, Rewriting &rewriting) {
  return rewriting.tryReplace(op, addAll(op.getData_0(), rewriting) /
                                      double(op.getData_0().size()));
}

static constexpr StringLiteral decomposeClipPattern =
    "Clip(x, a, b) -> Min(Max(x, a), b) [decomposition, one way]";
static LogicalResult decomposeClip(ClipOp op, Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting);
  if (op.getMin())
    x = maximum(x, Expression(op.getMin(), rewriting));
  if (op.getMax())
    x = minimum(x, Expression(op.getMax(), rewriting));
  return rewriting.tryReplace(op, x);
}

//===-- Reductions ------------------------------------------------------------===//

/// Another reduction over the axes of `op`.
template <typename Reduction, typename Op>
static Expression reduceAs(Op op, Expression x, IntegerAttr keepsAxes) {
  return x ? Expression::make<Reduction>(&x.getRewriting(), x, op.getAxes(),
                                         keepsAxes,
                                         op.getNoopWithEmptyAxesAttr())
           : Expression();
}
template <typename Op> static Expression sumAs(Op op, Expression x) {
  return reduceAs<ReduceSumOp>(op, x, op.getKeepdimsAttr());
}

static constexpr StringLiteral decomposeL1Pattern =
    "ReduceL1(x) -> ReduceSum(Abs(x)) [decomposition, one way]";
static LogicalResult decomposeL1(ReduceL1Op op, Rewriting &rewriting) {
  return rewriting.tryReplace(
      op, sumAs(op, abs(Expression(op.getData(), rewriting))));
}

static constexpr StringLiteral decomposeL2Pattern =
    "ReduceL2(x) -> Sqrt(ReduceSum(x*x)) [decomposition, one way]";
static LogicalResult decomposeL2(ReduceL2Op op, Rewriting &rewriting) {
  Expression x(op.getData(), rewriting);
  std::optional<DataType> type = x.getType();
  if (!type)
    return failure();
  // For narrow floats and integers, the root is computed in float32.
  DataType wide =
      *type == DataType::Float64 ? DataType::Float64 : DataType::Float32;
  return rewriting.tryReplace(op,
                              cast(sqrt(cast(sumAs(op, x * x), wide)), *type));
}

static constexpr StringLiteral decomposeLogSumPattern =
    "ReduceLogSum(x) -> Log(ReduceSum(x)) [decomposition, one way]";
static LogicalResult decomposeLogSum(ReduceLogSumOp op, Rewriting &rewriting) {
  return rewriting.tryReplace(
      op, log(sumAs(op, Expression(op.getData(), rewriting))));
}

static constexpr StringLiteral decomposeLogSumExpPattern =
    "ReduceLogSumExp(x) -> Log(ReduceSum(Exp(x - ReduceMax(x)))) + "
    "ReduceMax(x) [decomposition, one way]";
static LogicalResult decomposeLogSumExp(ReduceLogSumExpOp op,
                                        Rewriting &rewriting) {
  std::optional<DataType> type = Expression(op.getData(), rewriting).getType();
  std::optional<DataType> wide = widen(type, DataType::Float32);
  Expression x = cast(Expression(op.getData(), rewriting), wide);
  // The difference of two infinities is NaN, so limit the maximum to finite numbers.
  // Infinite terms stay infinite, and terms of -infinity stay zero.
  double largest = wide == DataType::Float64
                       ? std::numeric_limits<double>::max()
                       : double(std::numeric_limits<float>::max());
  Expression most = reduceAs<ReduceMaxOp>(op, x, IntegerAttr());
  most = minimum(maximum(most, -largest), largest);
  Expression sum = sumAs(op, exp(x - most));
  if (!op.getKeepdims()) // The axes have one element by now.
    most = reduceAs<ReduceMaxOp>(op, most, op.getKeepdimsAttr());
  return rewriting.tryReplace(op, cast(log(sum) + most, type));
}

static constexpr StringLiteral decomposeSumSquarePattern =
    "ReduceSumSquare(x) -> ReduceSum(x*x) [decomposition, one way]";
static LogicalResult decomposeSumSquare(ReduceSumSquareOp op,
                                        Rewriting &rewriting) {
  Expression x(op.getData(), rewriting);
  return rewriting.tryReplace(op, sumAs(op, x * x));
}

static constexpr StringLiteral dropReductionPattern =
    "ReduceSum(x) -> x or Squeeze(x) [over axes of size 1; a reduction less]";
// Engines whose sums start with 0 lose the sign of a -0.
static LogicalResult dropReduction(Operation *op, Rewriting &rewriting) {
  Expression x(op->getOperand(0), rewriting);
  std::optional<int64_t> rank = x.getRank();
  Value list = op->getNumOperands() > 1 ? op->getOperand(1) : Value();
  if (!rank || (list && !rewriting.isConstant(list)))
    return failure();
  SmallVector<int64_t> axes;
  if (list) {
    auto listed = getAxes(list, *rank, rewriting);
    if (!listed)
      return failure();
    axes = std::move(*listed);
  }
  auto getFlag = [&](StringRef name, int64_t value) {
    auto flag = op->getAttrOfType<IntegerAttr>(name);
    return flag ? flag.getInt() : value;
  };
  if (axes.empty() && !getFlag("noop_with_empty_axes", 0))
    axes = llvm::to_vector(llvm::seq(*rank));
  if (!llvm::all_of(axes, [&](int64_t axis) { return x.getSize(axis) == 1; }))
    return failure();
  return rewriting.tryReplace(op,
                              getFlag("keepdims", 1) ? x : squeeze(x, axes));
}

void invar::addDecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<addTwo>::get("add-two", Exact, addTwoPattern));
  rules.push_back(makeRuleFor<ReduceMaxOp, ReduceMeanOp, ReduceMinOp,
                              ReduceProdOp, ReduceSumOp>(
      "drop-reduction", Fuse, dropReductionPattern, dropReduction));
  rules.push_back(RuleFor<decomposeSum>::get("decompose-sum", Decompose,
                                             decomposeSumPattern));
  rules.push_back(RuleFor<decomposeMean>::get("decompose-mean", Decompose,
                                              decomposeMeanPattern));
  rules.push_back(RuleFor<decomposeClip>::get("decompose-clip", Decompose,
                                              decomposeClipPattern));
  rules.push_back(
      RuleFor<decomposeL1>::get("decompose-l1", Decompose, decomposeL1Pattern));
  rules.push_back(
      RuleFor<decomposeL2>::get("decompose-l2", Decompose, decomposeL2Pattern));
  rules.push_back(RuleFor<decomposeLogSum>::get("decompose-log-sum", Decompose,
                                                decomposeLogSumPattern));
  rules.push_back(RuleFor<decomposeLogSumExp>::get(
      "decompose-log-sum-exp", Decompose, decomposeLogSumExpPattern));
  rules.push_back(RuleFor<decomposeSumSquare>::get(
      "decompose-sum-square", Decompose, decomposeSumSquarePattern));
}

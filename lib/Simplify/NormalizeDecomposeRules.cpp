// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decomposes normalizations into elementwise formulas and statistics that broadcast to
// the elements. Operators with a `stash_type` compute in it if it is wider than the
// operand's type.
#include "Formula.h"
#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// The mean of the elements along some axes, the distance of each element from it, and
/// the mean square of the distances.
struct Spread {
  Expression mean, distance, variance;
};
} // namespace

static Spread spreadAlong(Expression x, ArrayRef<int64_t> axes) {
  Expression mean = reduce<ReduceMeanOp>(x, axes);
  Expression distance = x - mean;
  return {mean, distance, reduce<ReduceMeanOp>(distance * distance, axes)};
}

/// Axes [from, to).
static SmallVector<int64_t> axesFrom(int64_t from, int64_t to) {
  return llvm::to_vector(llvm::seq(std::min(from, to), to));
}

/// The axes from `axis` on; empty if they are unknown.
static SmallVector<int64_t> axesFrom(int64_t axis, Expression x) {
  static constexpr int64_t mostAxes = 64;
  std::optional<int64_t> rank = x.getRank();
  if (rank)
    return axesFrom(axis < 0 ? axis + *rank : axis, *rank);
  if (axis < 0 && axis >= -mostAxes)
    return axesFrom(axis, int64_t(0));
  return {};
}

/// A number for each channel, to be broadcast over N x C x D….
static Expression perChannel(Value numbers, int64_t rank,
                             Rewriting &rewriting) {
  return unsqueeze(Expression(numbers, rewriting), axesFrom(1, rank - 1));
}

/// The type that statistics are computed in.
static std::optional<DataType> getWideType(Expression x, int64_t stash) {
  return widen(x.getType(), DataType(stash));
}

static constexpr StringLiteral decomposeBatchnormPattern =
    "BatchNormalization(x, ...) -> x*s + t [decomposition, one way]";
static LogicalResult decomposeBatchNormalization(BatchNormalizationOp op,
                                                 Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  std::optional<int64_t> rank = x.getRank();
  if (!isInference(op) || !rank || *rank < 2)
    return failure();
  Expression mean(op.getInputMean(), rewriting),
      variance(op.getInputVar(), rewriting);
  std::optional<DataType> type = variance.getType();
  Expression scale = cast(Expression(op.getScale(), rewriting), type) /
                     sqrt(variance + double(op.getEpsilon()));
  Expression shift =
      cast(Expression(op.getB(), rewriting), type) - mean * scale;
  auto align = [&](Expression vector) {
    return perChannel(cast(vector, x.getType()), *rank, rewriting);
  };
  return rewriting.tryReplace(op, x * align(scale) + align(shift));
}

static constexpr StringLiteral decomposeTrainingPattern =
    "BatchNormalization(x, ...) -> (x - m)/Sqrt(v + e)*s + t, with m and v of "
    "x [training; decomposition, one way]";
static LogicalResult decomposeTraining(BatchNormalizationOp op,
                                       Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  std::optional<int64_t> rank = x.getRank();
  if (!op.getTrainingMode() || !rank || *rank < 2)
    return failure();
  SmallVector<int64_t> axes = axesFrom(1, *rank);
  axes[0] = 0;
  Spread spread = spreadAlong(x, axes);
  auto align = [&](Value vector) {
    return perChannel(cast(Expression(vector, rewriting), x.getType()), *rank,
                      rewriting);
  };
  Expression y = spread.distance /
                     sqrt(spread.variance + double(op.getEpsilon())) *
                     align(op.getScale()) +
                 align(op.getB());
  double momentum = op.getMomentum();
  auto moveTowards = [&](Value running, Expression batch) {
    Expression old(running, rewriting);
    return old * momentum +
           cast(squeeze(batch, axes), old.getType()) * (1 - momentum);
  };
  Expression mean, variance;
  if (isUsed(op.getRunningMean()))
    mean = moveTowards(op.getInputMean(), spread.mean);
  if (isUsed(op.getRunningVar()))
    variance = moveTowards(op.getInputVar(), spread.variance);
  return replaceAll({{op.getY(), y},
                     {op.getRunningMean(), mean},
                     {op.getRunningVar(), variance}},
                    rewriting);
}

static constexpr StringLiteral decomposeGroupnormPattern =
    "GroupNormalization(x, s, b) -> Reshape((g - m)/Sqrt(v + e))*s + b, with m "
    "and v of the groups g [of known rank; decomposition, one way]";
static LogicalResult decomposeGroupNormalization(GroupNormalizationOp op,
                                                 Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  std::optional<int64_t> rank = x.getRank();
  if (!rank || *rank < 2)
    return failure();
  Expression groups = reshapeTo(cast(x, getWideType(x, op.getStashType())),
                                {Size::copied(), op.getNumGroups(), -1});
  Spread spread = spreadAlong(groups, 2);
  Expression standard =
      spread.distance / sqrt(spread.variance + double(op.getEpsilon()));
  Expression y = cast(reshape(standard, shapeOf(x)), x.getType());
  return rewriting.tryReplace(op,
                              y * perChannel(op.getScale(), *rank, rewriting) +
                                  perChannel(op.getBias(), *rank, rewriting));
}

static constexpr StringLiteral decomposeInstancenormPattern =
    "InstanceNormalization(x, s, b) -> (x - m)/Sqrt(v + e)*s + b, with m and v "
    "of x [of known rank; decomposition, one way]";
static LogicalResult decomposeInstanceNormalization(InstanceNormalizationOp op,
                                                    Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting);
  std::optional<int64_t> rank = x.getRank();
  if (!rank || *rank < 3)
    return failure();
  Spread spread = spreadAlong(x, axesFrom(2, *rank));
  Expression standard =
      spread.distance / sqrt(spread.variance + double(op.getEpsilon()));
  return rewriting.tryReplace(
      op, standard * perChannel(op.getScale(), *rank, rewriting) +
              perChannel(op.getB(), *rank, rewriting));
}

static constexpr StringLiteral decomposeLayernormPattern =
    "LayerNormalization(x, s, b) -> (x - m)/Sqrt(v + e)*s + b, with m and v of "
    "x [decomposition, one way]";
static LogicalResult decomposeLayerNormalization(LayerNormalizationOp op,
                                                 Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  SmallVector<int64_t> axes = axesFrom(op.getAxis(), x);
  if (axes.empty())
    return failure();
  Spread spread = spreadAlong(cast(x, getWideType(x, op.getStashType())), axes);
  Expression deviation = sqrt(spread.variance + double(op.getEpsilon()));
  Expression y = cast(spread.distance / deviation, x.getType()) *
                 Expression(op.getScale(), rewriting);
  if (op.getB())
    y = y + Expression(op.getB(), rewriting);
  DataType stash = DataType(op.getStashType());
  Expression mean, inverse;
  if (isUsed(op.getMean()))
    mean = cast(spread.mean, stash);
  if (isUsed(op.getInvStdDev()))
    inverse = cast(1 / deviation, stash);
  return replaceAll(
      {{op.getY(), y}, {op.getMean(), mean}, {op.getInvStdDev(), inverse}},
      rewriting);
}

static constexpr StringLiteral decomposeLpnormPattern =
    "LpNormalization(x) -> Where(n == 0, 0, x/n), n = ReduceSum(Abs(x)) or "
    "Sqrt(ReduceSum(x*x)) [decomposition, one way]";
static LogicalResult decomposeLpNormalization(LpNormalizationOp op,
                                              Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting);
  Expression norm = op.getP() == 1
                        ? reduce<ReduceSumOp>(abs(x), op.getAxis())
                        : sqrt(reduce<ReduceSumOp>(x * x, op.getAxis()));
  return rewriting.tryReplace(op, where(equal(norm, 0), 0, x / norm));
}

static constexpr StringLiteral decomposeMeanVariancePattern =
    "MeanVarianceNormalization(x) -> (x - m)/(Sqrt(v) + 1e-9), with m and v of "
    "x [decomposition, one way]";
static LogicalResult
decomposeMeanVarianceNormalization(MeanVarianceNormalizationOp op,
                                   Rewriting &rewriting) {
  static constexpr int64_t defaultAxes[] = {0, 2, 3};
  Expression x(op.getX(), rewriting);
  // In narrow types 1e-9 rounds to 0.
  Spread spread = spreadAlong(cast(x, widen(x.getType(), DataType::Float32)),
                              op.getAxes().value_or(defaultAxes));
  return rewriting.tryReplace(
      op, cast(spread.distance / (sqrt(spread.variance) + 1e-9), x.getType()));
}

static constexpr StringLiteral decomposeRmsnormPattern =
    "RMSNormalization(x, s) -> x/Sqrt(ReduceMean(x*x) + e)*s [decomposition, "
    "one way]";
static LogicalResult decomposeRMSNormalization(RMSNormalizationOp op,
                                               Rewriting &rewriting) {
  Expression given(op.getX(), rewriting), scale(op.getScale(), rewriting);
  Expression x = cast(given, getWideType(given, op.getStashType()));
  SmallVector<int64_t> axes = axesFrom(op.getAxis(), x);
  if (axes.empty())
    return failure();
  Expression square = reduce<ReduceMeanOp>(x * x, axes);
  Expression standard = x / sqrt(square + double(op.getEpsilon()));
  return rewriting.tryReplace(op, cast(standard, scale.getType()) * scale);
}

void invar::addNormalizeDecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<decomposeBatchNormalization>::get(
      "decompose-batchnorm", Decompose, decomposeBatchnormPattern));
  rules.push_back(RuleFor<decomposeTraining>::get(
      "decompose-training", Decompose, decomposeTrainingPattern));
  rules.push_back(RuleFor<decomposeGroupNormalization>::get(
      "decompose-groupnorm", Decompose, decomposeGroupnormPattern));
  rules.push_back(RuleFor<decomposeInstanceNormalization>::get(
      "decompose-instancenorm", Decompose, decomposeInstancenormPattern));
  rules.push_back(RuleFor<decomposeLayerNormalization>::get(
      "decompose-layernorm", Decompose, decomposeLayernormPattern));
  rules.push_back(RuleFor<decomposeLpNormalization>::get(
      "decompose-lpnorm", Decompose, decomposeLpnormPattern));
  rules.push_back(RuleFor<decomposeMeanVarianceNormalization>::get(
      "decompose-mean-variance", Decompose, decomposeMeanVariancePattern));
  rules.push_back(RuleFor<decomposeRMSNormalization>::get(
      "decompose-rmsnorm", Decompose, decomposeRmsnormPattern));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A normalization is a formula of each element and of statistics that broadcast to it.
// So none of these tensors is computed before it is read.
#include "../Arithmetic/ArithmeticFormulas.h"
#include "NormalizeFormulas.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Dialect/ONNX/Statistics.h"
#include "invar/Kernels/LocalResponse.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// The mean and the spread of the elements along some axes.
struct Spread {
  Elements mean, variance, inverseDeviation;
};
} // namespace

static llvm::Expected<Spread> spreadBy(Folding &fold, Elements mean,
                                       Elements variance, float epsilon) {
  auto inverse =
      applyInDouble(fold, formula::InverseDeviation{{}, epsilon}, {variance});
  if (!inverse)
    return inverse.takeError();
  return Spread{std::move(mean), std::move(variance), std::move(*inverse)};
}

static llvm::Expected<Spread> spreadAlong(Folding &fold, const Elements &x,
                                          ArrayRef<int64_t> axes,
                                          float epsilon) {
  auto moments = computeStatistics(fold, x, axes, statistics::Moments());
  if (!moments)
    return moments.takeError();
  return spreadBy(fold, (*moments)[0], (*moments)[1], epsilon);
}

/// Standardizes the elements, multiplies them by `scale` and adds `shift`, if it is
/// given.
static llvm::Expected<Elements>
standardize(Folding &fold, const Elements &x, const Spread &spread,
            const Elements &scale, const std::optional<Elements> &shift) {
  auto standard = applyInDouble(fold, formula::Standardize(),
                                {x, spread.mean, spread.inverseDeviation});
  if (!standard)
    return standard;
  DataType to = fold.getType();
  if (!shift)
    return applyInDouble(fold, formula::Mul(), {*standard, scale}, to);
  return applyInDouble(fold, formula::ScaleAndShift(),
                       {*standard, scale, *shift}, to);
}

/// Reshapes a number for each channel so that it broadcasts over N x C x D….
static llvm::Expected<Elements>
perChannel(Folding &fold, const Elements &numbers, int64_t rank) {
  Shape shape(rank, 1);
  shape[1] = numbers.numElements();
  return fold.getBuilder().reshape(numbers, shape);
}

/// The same with a scale and a shift for each channel.
static llvm::Expected<Elements> standardizeChannels(Folding &fold,
                                                    const Elements &x,
                                                    const Spread &spread,
                                                    Value scale, Value shift) {
  auto scales = perChannel(fold, fold.get(scale), x.getRank());
  auto shifts = perChannel(fold, fold.get(shift), x.getRank());
  if (!scales || !shifts)
    return llvm::joinErrors(scales.takeError(), shifts.takeError());
  return standardize(fold, x, spread, *scales, *shifts);
}

/// Axes [from, to).
static SmallVector<int64_t> axesFrom(int64_t from, int64_t to) {
  return llvm::to_vector(llvm::seq(std::min(from, to), to));
}

static llvm::Error expectChannels(const Elements &x) {
  if (x.getRank() >= 2)
    return llvm::Error::success();
  return notFolded("expected at least rank 2, but got " + Twine(x.getRank()));
}

FoldResult BatchNormalizationOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &x = fold.get(getX());
  if (llvm::Error error = expectChannels(x))
    return error;
  if (!getTrainingMode()) {
    if (getNumResults() != 1)
      return notFolded("running statistics are known in training only");
    auto mean = perChannel(fold, fold.get(getInputMean()), x.getRank());
    auto variance = perChannel(fold, fold.get(getInputVar()), x.getRank());
    if (!mean || !variance)
      return llvm::joinErrors(mean.takeError(), variance.takeError());
    auto spread = spreadBy(fold, *mean, *variance, getEpsilon());
    if (!spread)
      return spread.takeError();
    return standardizeChannels(fold, x, *spread, getScale(), getB());
  }
  SmallVector<int64_t> axes = axesFrom(1, x.getRank());
  axes[0] = 0;
  auto spread = spreadAlong(fold, x, axes, getEpsilon());
  if (!spread)
    return spread.takeError();
  auto y = standardizeChannels(fold, x, *spread, getScale(), getB());
  if (!y)
    return y;
  FoldResult::Values values = {*y};
  for (auto [result, running, batch] :
       {std::tuple(getRunningMean(), getInputMean(), spread->mean),
        std::tuple(getRunningVar(), getInputVar(), spread->variance)}) {
    if (!result)
      continue;
    auto own = builder.reshape(batch, {x.getShape()[1]});
    if (!own)
      return own;
    auto moved =
        applyInDouble(fold, formula::MoveTowards{{}, getMomentum()},
                      {fold.get(running), *own}, fold.get(running).getType());
    if (!moved)
      return moved;
    values.push_back(*moved);
  }
  return values;
}

FoldResult DropoutOp::computeValues(Folding &fold) {
  auto isTraining = fold.readScalar<bool>(getTrainingMode(), false);
  auto ratio = fold.readScalar<double>(getRatio(), 0.5);
  if (!isTraining || !ratio)
    return llvm::joinErrors(isTraining.takeError(), ratio.takeError());
  if (*isTraining && *ratio != 0)
    return notFolded("it is random");
  const Elements &data = fold.get(getData());
  if (!getMask())
    return data;
  auto mask = fold.getBuilder().splat<DataType::Bool>(data.getShape(), true);
  if (!mask)
    return mask;
  return FoldResult::Values{data, *mask};
}

FoldResult GroupNormalizationOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &x = fold.get(getX());
  if (llvm::Error error = expectChannels(x))
    return error;
  // N x groups x channels of a group x D…; statistics are over all but the first two
  // axes.
  int64_t groups = getNumGroups();
  Shape shape(x.getShape()), scales(x.getRank() + 1, 1);
  shape[1] /= groups;
  shape.insert(shape.begin() + 1, groups);
  scales[1] = shape[1];
  scales[2] = shape[2];
  auto grouped = builder.reshape(x, shape);
  auto scale = builder.reshape(fold.get(getScale()), scales);
  auto shift = builder.reshape(fold.get(getBias()), scales);
  if (!grouped || !scale || !shift)
    return llvm::joinErrors(
        grouped.takeError(),
        llvm::joinErrors(scale.takeError(), shift.takeError()));
  auto spread = spreadAlong(fold, *grouped, axesFrom(2, grouped->getRank()),
                            getEpsilon());
  if (!spread)
    return spread.takeError();
  auto y = standardize(fold, *grouped, *spread, *scale, *shift);
  return y ? builder.reshape(*y, x.getShape()) : std::move(y);
}

FoldResult InstanceNormalizationOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  if (llvm::Error error = expectChannels(x))
    return error;
  auto spread = spreadAlong(fold, x, axesFrom(2, x.getRank()), getEpsilon());
  if (!spread)
    return spread.takeError();
  return standardizeChannels(fold, x, *spread, getScale(), getB());
}

FoldResult LRNOp::computeValues(Folding &fold) {
  const Elements &data = fold.get(getX());
  if (llvm::Error error = expectChannels(data))
    return error;
  auto x = KernelInput<double>::get(fold, data);
  if (!x)
    return x.takeError();
  if (llvm::Error error = checkSteps(
          {data.numElements(), std::min(getSize(), data.getShape()[1])}))
    return error;
  kernels::LocalResponse response{getAlpha(), getBeta(), getBias(), getSize()};
  return fold.compute<double>(
      Shape(data.getShape()),
      [x = *x, response, threads = fold.getOptions().evaluation.threads](
          MutableArrayRef<double> out) {
        ElementsArray<double> numbers = x.read();
        parallelFor(uint64_t(x.getShape()[0]), 1, threads,
                    [&](uint64_t from, uint64_t to) {
                      kernels::normalizeLocalResponse(
                          response, x.refer(numbers), int64_t(from),
                          int64_t(to), out.data());
                    });
      });
}

FoldResult LayerNormalizationOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &x = fold.get(getX());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), x.getRank());
  if (!axis)
    return notFolded("it has no axis");
  auto spread =
      spreadAlong(fold, x, axesFrom(*axis, x.getRank()), getEpsilon());
  if (!spread)
    return spread.takeError();
  auto y = standardize(fold, x, *spread, fold.get(getScale()),
                       fold.getOptional(getB()));
  if (!y)
    return y;
  FoldResult::Values values = {*y};
  for (auto [result, statistic] :
       {std::pair(getMean(), spread->mean),
        std::pair(getInvStdDev(), spread->inverseDeviation)}) {
    if (!result)
      continue;
    auto stashed = builder.cast(statistic, fold.getType(values.size()));
    if (!stashed)
      return stashed;
    values.push_back(*stashed);
  }
  return values;
}

FoldResult LpNormalizationOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), x.getRank());
  if (!axis)
    return notFolded("it has no axis");
  auto norm =
      computeStatistics(fold, x, *axis, statistics::Norm{double(getP())});
  if (!norm)
    return norm.takeError();
  return applyInDouble(fold, formula::DivideByNorm(), {x, norm->front()},
                       x.getType());
}

FoldResult MeanVarianceNormalizationOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  // The default of the operator, if the attribute is absent.
  static constexpr int64_t defaultAxes[] = {0, 2, 3};
  SmallVector<int64_t> axes;
  for (int64_t given : getAxes().value_or(defaultAxes)) {
    std::optional<int64_t> axis = normalizeAxis(given, x.getRank());
    if (!axis)
      return notFolded("expected axes of " + Twine(x.getRank()) + ", but got " +
                       Twine(given));
    axes.push_back(*axis);
  }
  auto moments = computeStatistics(fold, x, axes, statistics::Moments());
  if (!moments)
    return moments.takeError();
  return applyInDouble(fold, formula::StandardizeByVariance(),
                       {x, (*moments)[0], (*moments)[1]}, x.getType());
}

FoldResult RMSNormalizationOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), x.getRank());
  if (!axis)
    return notFolded("it has no axis");
  auto square = computeStatistics(fold, x, axesFrom(*axis, x.getRank()),
                                  statistics::MeanSquare());
  if (!square)
    return square.takeError();
  auto inverse = applyInDouble(
      fold, formula::InverseDeviation{{}, getEpsilon()}, {square->front()});
  if (!inverse)
    return inverse;
  auto standard = applyInDouble(fold, formula::Mul(), {x, *inverse});
  if (!standard)
    return standard;
  return applyInDouble(fold, formula::Mul(), {*standard, fold.get(getScale())},
                       fold.getType());
}

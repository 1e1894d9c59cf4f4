// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SoftmaxFormulas.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "invar/Dialect/ONNX/SoftmaxSteps.h"
#include "invar/Dialect/ONNX/Statistics.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

template <typename F>
static llvm::Expected<Elements>
normalizeExponentials(Folding &fold, F formula, const Elements &x, int64_t axis,
                      DataType to) {
  std::optional<int64_t> along = normalizeAxis(axis, x.getRank());
  if (!along)
    return notFolded("it has no axis");
  auto sums = computeStatistics(fold, x, *along, statistics::ExponentialSum());
  if (!sums)
    return sums.takeError();
  return applyInDouble(fold, formula, {x, (*sums)[0], (*sums)[1]}, to);
}

static llvm::Expected<Elements> computeHardmax(Folding &fold, const Elements &x,
                                               int64_t givenAxis) {
  const ElementsBuilder &builder = fold.getBuilder();
  std::optional<int64_t> axis = normalizeAxis(givenAxis, x.getRank());
  if (!axis)
    return notFolded("it has no axis");
  auto greatest = computeStatistics(fold, x, *axis, statistics::Greatest());
  if (!greatest)
    return greatest.takeError();
  Shape shape(x.getRank(), 1);
  shape[*axis] = x.getShape()[*axis];
  if (llvm::Error error = fold.checkWork(shape))
    return error;
  std::vector<double> numbers(static_cast<size_t>(shape[*axis]));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  auto places = builder.fromArray<DataType::Float64>(shape, numbers);
  if (!places)
    return places;
  return applyInDouble(fold, formula::Hardmax(), {*places, (*greatest)[1]},
                       x.getType());
}

static llvm::Expected<Elements>
computeLogSoftmax(Folding &fold, const Elements &x, int64_t axis) {
  return normalizeExponentials(fold, formula::LogSoftmax(), x, axis,
                               fold.getType());
}

/// Returns the softmax along an axis, for a 16-bit type.
static llvm::Expected<Elements> computeInSteps(Folding &fold, const Elements &x,
                                               int64_t axis) {
  const ElementsBuilder &builder = fold.getBuilder();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq(x.getRank()));
  std::swap(order[axis], order.back()); // The permutation is its own inverse.
  auto moved = builder.transpose(x, order);
  if (!moved)
    return moved;
  auto numbers = builder.cast(*moved, DataType::Float64);
  if (!numbers)
    return numbers;
  int64_t length = x.getShape()[axis];
  auto rows = fold.compute<double>(
      moved->getShape(),
      [rows = *numbers, length, type = x.getType()](
          MutableArrayRef<double> out, const EvalOptions &options) {
        rows.read<double>(0, out, options);
        for (size_t at = 0; at < out.size(); at += length)
          softmaxInSteps(type, out.slice(at, length));
      });
  return rows ? builder.transpose(*rows, order) : std::move(rows);
}

static llvm::Expected<Elements> computeSoftmax(Folding &fold, const Elements &x,
                                               int64_t givenAxis) {
  std::optional<int64_t> axis = normalizeAxis(givenAxis, x.getRank());
  if (axis && roundsInSteps(x.getType()))
    return computeInSteps(fold, x, *axis);
  return normalizeExponentials(fold, formula::Softmax(), x, givenAxis,
                               fold.getType());
}

FoldResult HardmaxOp::computeValues(Folding &fold) {
  return computeHardmax(fold, fold.get(getInput()), getAxis());
}

FoldResult LogSoftmaxOp::computeValues(Folding &fold) {
  return computeLogSoftmax(fold, fold.get(getInput()), getAxis());
}

FoldResult SoftmaxOp::computeValues(Folding &fold) {
  return computeSoftmax(fold, fold.get(getInput()), getAxis());
}

/// `compute` of the rows of a matrix that x is if it is cut at `axis`.
static llvm::Expected<Elements> computeRows(
    Folding &fold, const Elements &x, int64_t axis,
    llvm::Expected<Elements> (*compute)(Folding &, const Elements &, int64_t)) {
  const ElementsBuilder &builder = fold.getBuilder();
  Shape shape(x.getShape());
  size_t cut = size_t(axis < 0 ? axis + x.getRank() : axis);
  Shape matrix = {1, 1};
  for (auto [i, size] : llvm::enumerate(shape))
    matrix[i >= cut] *= size;
  auto rows = builder.reshape(x, matrix);
  if (!rows)
    return rows;
  auto result = compute(fold, *rows, 1);
  return result ? builder.reshape(*result, shape) : std::move(result);
}

FoldResult HardmaxRowsOp::computeValues(Folding &fold) {
  return computeRows(fold, fold.get(getInput()), getAxis(), computeHardmax);
}

FoldResult LogSoftmaxRowsOp::computeValues(Folding &fold) {
  return computeRows(fold, fold.get(getInput()), getAxis(), computeLogSoftmax);
}

FoldResult SoftmaxRowsOp::computeValues(Folding &fold) {
  return computeRows(fold, fold.get(getInput()), getAxis(), computeSoftmax);
}

//===-- Losses ----------------------------------------------------------------===//

namespace {
/// The parts of a loss besides its scores.
struct LossTerms {
  Value labels, weights;
  std::optional<int64_t> ignored;
  StringRef reduction;
};
} // namespace

/// Returns the class of each label, -1 if it is ignored.
static llvm::Expected<std::vector<int64_t>>
readClasses(Folding &fold, const LossTerms &terms, int64_t classes) {
  auto labels = fold.read<int64_t>(terms.labels);
  if (!labels)
    return labels.takeError();
  std::vector<int64_t> result;
  for (int64_t label : *labels) {
    bool counts = label != terms.ignored;
    if (counts && (label < 0 || label >= classes))
      return notFolded("expected labels below " + Twine(classes) +
                       ", but got " + Twine(label));
    result.push_back(counts ? label : -1);
  }
  return result;
}

/// Computes the loss from N x C x D… log-probabilities.
static llvm::Expected<Elements> computeLoss(Folding &fold,
                                            const Elements &logProbabilities,
                                            const LossTerms &terms) {
  int64_t classes = logProbabilities.getShape()[1];
  llvm::Expected<Shape> to = fold.getShape();
  auto labels = readClasses(fold, terms, classes);
  auto scores = KernelInput<double>::get(fold, logProbabilities);
  auto weights = KernelInput<double>::getOptional(fold, terms.weights);
  if (!to || !labels || !scores || !weights)
    return llvm::joinErrors(
        llvm::joinErrors(to.takeError(), labels.takeError()),
        llvm::joinErrors(scores.takeError(), weights.takeError()));
  bool isReduced = terms.reduction != "none";
  bool isMean = terms.reduction == "mean";
  return fold.compute<double>(*to, [=, labels = std::move(*labels),
                                    scores = *scores, weights = *weights](
                                       MutableArrayRef<double> out) {
    ElementsArray<double> numbers = scores.read();
    std::optional<ElementsArray<double>> factors;
    if (weights)
      factors = weights->read();
    // The positions of one image are contiguous; `places` is the stride of its classes.
    int64_t places = 1;
    for (int64_t size : scores.getShape().drop_front(2))
      places *= size;
    double total = 0, weight = 0;
    for (auto [i, label] : llvm::enumerate(labels)) {
      int64_t at = int64_t(i) / places * classes * places + int64_t(i) % places;
      double factor = label < 0 ? 0 : factors ? (*factors)[label] : 1;
      double loss = label < 0 ? 0 : -numbers[at + label * places] * factor;
      if (!isReduced)
        out[i] = loss;
      total += loss;
      weight += factor;
    }
    if (isReduced)
      out[0] = isMean ? total / weight : total;
  });
}

FoldResult NegativeLogLikelihoodLossOp::computeValues(Folding &fold) {
  return computeLoss(
      fold, fold.get(getInput()),
      {getTarget(), getWeight(), getIgnoreIndex(), getReduction()});
}

FoldResult SoftmaxCrossEntropyLossOp::computeValues(Folding &fold) {
  auto scores =
      normalizeExponentials(fold, formula::LogSoftmax(), fold.get(getScores()),
                            /*axis=*/1, DataType::Float64);
  if (!scores)
    return scores;
  llvm::Expected<Elements> loss = computeLoss(
      fold, *scores,
      {getLabels(), getWeights(), getIgnoreIndex(), getReduction()});
  if (!loss || !getLogProb())
    return loss;
  auto logProbabilities = fold.getBuilder().cast(*scores, fold.getType(1));
  if (!logProbabilities)
    return logProbabilities;
  return FoldResult::Values{*loss, *logProbabilities};
}

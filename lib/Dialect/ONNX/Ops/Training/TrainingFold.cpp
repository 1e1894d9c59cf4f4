// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient is never folded: it depends on the graph that computes its operands, not on
// their values.
#include "TrainingFormulas.h"
#include "invar/Dialect/ONNX/Ops/Training.h"
#include "invar/Dialect/ONNX/Statistics.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// The operands of one tensor, then its results.
using Group = SmallVector<Elements>;
using Step = llvm::function_ref<llvm::Expected<Group>(const Group &)>;
} // namespace

/// Computes a step for each tensor, in doubles that are rounded at the end. Operands
/// and results are grouped by kind, not by tensor.
static FoldResult foldSteps(Folding &fold, ValueRange inputs, size_t kinds,
                            Step step) {
  const ElementsBuilder &builder = fold.getBuilder();
  size_t tensors = inputs.size() / kinds;
  std::vector<Group> results;
  for (size_t i = 0; i < tensors; ++i) {
    Group operands;
    for (size_t kind = 0; kind < kinds; ++kind)
      operands.push_back(fold.get(inputs[kind * tensors + i]));
    llvm::Expected<Group> made = step(operands);
    if (!made)
      return made.takeError();
    results.push_back(std::move(*made));
  }
  FoldResult::Values values;
  for (size_t kind = 0; kind < kinds - 1; ++kind)
    for (size_t i = 0; i < tensors; ++i) {
      auto value = builder.cast(results[i][kind],
                                fold.getType(unsigned(kind * tensors + i)));
      if (!value)
        return value;
      values.push_back(std::move(*value));
    }
  return values;
}

FoldResult AdagradOp::computeValues(Folding &fold) {
  auto rate = fold.readScalar<double>(getR());
  auto count = fold.readScalar<double>(getT());
  if (!rate || !count)
    return llvm::joinErrors(rate.takeError(), count.takeError());
  double norm = getNormCoefficient(), epsilon = getEpsilon();
  double decayed = formula::decayRate(*rate, *count, double(getDecayFactor()));
  return foldSteps(
      fold, getInputs(), 3, [&](const Group &in) -> llvm::Expected<Group> {
        auto g =
            applyInDouble(fold, formula::Regularize{{}, norm}, {in[0], in[1]});
        if (!g)
          return g.takeError();
        auto h = applyInDouble(fold, formula::AddSquare{{}, 1, 1}, {in[2], *g});
        if (!h)
          return h.takeError();
        auto x = applyInDouble(
            fold, formula::ScaledStep<double>{{}, decayed, epsilon, 1},
            {in[0], *g, *h});
        if (!x)
          return x.takeError();
        return Group{*x, *h};
      });
}

FoldResult AdamOp::computeValues(Folding &fold) {
  auto rate = fold.readScalar<double>(getR());
  auto count = fold.readScalar<double>(getT());
  if (!rate || !count)
    return llvm::joinErrors(rate.takeError(), count.takeError());
  double alpha = getAlpha(), beta = getBeta(), epsilon = getEpsilon();
  double norm = getNormCoefficient(),
         shrink = 1 - double(getNormCoefficientPost());
  double adjusted = formula::adjustRate(*rate, *count, alpha, beta);
  return foldSteps(
      fold, getInputs(), 4, [&](const Group &in) -> llvm::Expected<Group> {
        auto g =
            applyInDouble(fold, formula::Regularize{{}, norm}, {in[0], in[1]});
        if (!g)
          return g.takeError();
        auto v = applyInDouble(
            fold, formula::AddMomentum<double>{{}, alpha, 1 - alpha},
            {in[2], *g});
        auto h = applyInDouble(fold, formula::AddSquare{{}, beta, 1 - beta},
                               {in[3], *g});
        if (!v || !h)
          return llvm::joinErrors(v.takeError(), h.takeError());
        auto x = applyInDouble(
            fold, formula::ScaledStep<double>{{}, adjusted, epsilon, shrink},
            {in[0], *v, *h});
        if (!x)
          return x.takeError();
        return Group{*x, *v, *h};
      });
}

FoldResult MomentumOp::computeValues(Folding &fold) {
  auto rate = fold.readScalar<double>(getR());
  auto count = fold.readScalar<double>(getT());
  if (!rate || !count)
    return llvm::joinErrors(rate.takeError(), count.takeError());
  double alpha = getAlpha();
  double share = formula::addedShare(*count, double(getBeta()), 1.0);
  double norm = getNormCoefficient();
  bool looksAhead = getMode() == "nesterov";
  return foldSteps(
      fold, getInputs(), 3, [&](const Group &in) -> llvm::Expected<Group> {
        auto g =
            applyInDouble(fold, formula::Regularize{{}, norm}, {in[0], in[1]});
        if (!g)
          return g.takeError();
        auto v = applyInDouble(
            fold, formula::AddMomentum<double>{{}, alpha, share}, {in[2], *g});
        if (!v)
          return v.takeError();
        auto x =
            looksAhead
                ? applyInDouble(fold,
                                formula::NesterovStep<double>{{}, *rate, alpha},
                                {in[0], *v, *g})
                : applyInDouble(fold, formula::MomentumStep<double>{{}, *rate},
                                {in[0], *v});
        if (!x)
          return x.takeError();
        return Group{*x, *v};
      });
}

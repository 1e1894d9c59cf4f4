// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrainingFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Dialect/ONNX/Ops/Training.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// The operands of one tensor, then its results.
using Group = SmallVector<Value>;
using Step = llvm::function_ref<FailureOr<Group>(ArrayRef<Value> operands)>;
using Combined =
    llvm::function_ref<Number(ArrayRef<Number> elements, Number factor)>;
} // namespace

/// Computes a scalar of type double from the learning rate and the number of steps.
template <typename Op, typename F>
static FailureOr<Value> makeFactor(Op op, Lowering &to, F formula) {
  if (failed(to.expectRanks()))
    return failure();
  Type type = to.getBuilder().getF64Type();
  return to.combine(
      {toScalar(to, to.get(op.getR())), toScalar(to, to.get(op.getT()))}, {},
      type, [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
        auto number = [&](Value element) {
          return toNumber(b, b.getLoc(), element).castTo(type);
        };
        return formula(number(in[0]), number(in[1])).getValue();
      });
}

/// Combines elements of tensors of one shape with a factor.
static FailureOr<Value> combineWith(Lowering &to, ArrayRef<Value> tensors,
                                    Value factor, Combined combined) {
  SmallVector<Value> operands(tensors);
  operands.push_back(factor);
  Type type =
      cast<RankedTensorType>(tensors.front().getType()).getElementType();
  return to.combine(
      operands, to.sizesOf(tensors.front()), type,
      [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
        SmallVector<Number> numbers;
        for (Value element : in)
          numbers.push_back(toNumber(b, b.getLoc(), element).castTo(type));
        return combined(ArrayRef(numbers).drop_back(), numbers.back())
            .getValue();
      });
}

/// Computes a step for each tensor. Operands and results are grouped by kind, not by
/// tensor.
static LogicalResult lowerSteps(Operation *op, Lowering &to, ValueRange inputs,
                                size_t kinds, Step step) {
  size_t tensors = inputs.size() / kinds;
  for (size_t i = 0; i < tensors; ++i) {
    Group operands;
    for (size_t kind = 0; kind < kinds; ++kind)
      operands.push_back(to.get(inputs[kind * tensors + i]));
    FailureOr<Group> made = step(operands);
    if (failed(made))
      return failure();
    for (auto [kind, result] : llvm::enumerate(*made))
      if (failed(to.set(op->getResult(unsigned(kind * tensors + i)), result)))
        return failure();
  }
  return success();
}

static LogicalResult lower(AdagradOp op, Lowering &to) {
  auto rate = makeFactor(op, to, [&](Number rate, Number count) {
    return formula::decayRate(rate, count, double(op.getDecayFactor()));
  });
  if (failed(rate))
    return failure();
  double norm = op.getNormCoefficient(), epsilon = op.getEpsilon();
  return lowerSteps(
      op, to, op.getInputs(), 3, [&](ArrayRef<Value> in) -> FailureOr<Group> {
        auto g = to.apply(formula::Regularize{{}, norm}, {in[0], in[1]});
        if (failed(g))
          return failure();
        auto h = to.apply(formula::AddSquare{{}, 1, 1}, {in[2], *g});
        if (failed(h))
          return failure();
        auto x = combineWith(to, {in[0], *g, *h}, *rate,
                             [&](ArrayRef<Number> n, Number rate) {
                               return formula::ScaledStep<Number>{
                                   {}, rate, epsilon, 1}(n[0], n[1], n[2]);
                             });
        if (failed(x))
          return failure();
        return Group{*x, *h};
      });
}

static LogicalResult lower(AdamOp op, Lowering &to) {
  double alpha = op.getAlpha(), beta = op.getBeta(), epsilon = op.getEpsilon();
  double norm = op.getNormCoefficient(),
         shrink = 1 - double(op.getNormCoefficientPost());
  auto rate = makeFactor(op, to, [&](Number rate, Number count) {
    return formula::adjustRate(rate, count, alpha, beta);
  });
  if (failed(rate))
    return failure();
  return lowerSteps(
      op, to, op.getInputs(), 4, [&](ArrayRef<Value> in) -> FailureOr<Group> {
        auto g = to.apply(formula::Regularize{{}, norm}, {in[0], in[1]});
        if (failed(g))
          return failure();
        auto v = to.apply(formula::AddMomentum<double>{{}, alpha, 1 - alpha},
                          {in[2], *g});
        auto h = to.apply(formula::AddSquare{{}, beta, 1 - beta}, {in[3], *g});
        if (failed(v) || failed(h))
          return failure();
        auto x = combineWith(to, {in[0], *v, *h}, *rate,
                             [&](ArrayRef<Number> n, Number rate) {
                               return formula::ScaledStep<Number>{
                                   {}, rate, epsilon, shrink}(n[0], n[1], n[2]);
                             });
        if (failed(x))
          return failure();
        return Group{*x, *v, *h};
      });
}

static LogicalResult lower(MomentumOp op, Lowering &to) {
  double alpha = op.getAlpha(), norm = op.getNormCoefficient();
  auto rate =
      makeFactor(op, to, [](Number rate, Number /*count*/) { return rate; });
  auto share = makeFactor(op, to, [&](Number /*rate*/, Number count) {
    return formula::addedShare(count, Number(op.getBeta()).like(count),
                               Number(1).like(count));
  });
  if (failed(rate) || failed(share))
    return failure();
  bool looksAhead = op.getMode() == "nesterov";
  return lowerSteps(
      op, to, op.getInputs(), 3, [&](ArrayRef<Value> in) -> FailureOr<Group> {
        auto g = to.apply(formula::Regularize{{}, norm}, {in[0], in[1]});
        if (failed(g))
          return failure();
        auto v = combineWith(
            to, {in[2], *g}, *share, [&](ArrayRef<Number> n, Number share) {
              return formula::AddMomentum<Number>{{}, alpha, share}(n[0], n[1]);
            });
        if (failed(v))
          return failure();
        auto x = combineWith(
            to, {in[0], *v, *g}, *rate, [&](ArrayRef<Number> n, Number rate) {
              if (looksAhead)
                return formula::NesterovStep<Number>{{}, rate, alpha}(
                    n[0], n[1], n[2]);
              return formula::MomentumStep<Number>{{}, rate}(n[0], n[1]);
            });
        if (failed(x))
          return failure();
        return Group{*x, *v};
      });
}

static LogicalResult lower(GradientOp, Lowering &to) {
  return to.decline("derivatives of a graph are not computed");
}

void invar::onnx::addTrainingLowerings(LoweringTable &table) {
  table.add<AdagradOp>(lower);
  table.add<AdamOp>(lower);
  table.add<GradientOp>(lower);
  table.add<MomentumOp>(lower);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decomposes losses into gathers and means, and dynamic quantization, which uses the
// range of the tensor.
#include "Formula.h"
#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr StringLiteral decomposeLikelihoodPattern =
    "NegativeLogLikelihoodLoss(x, t, w) -> ReduceSum(l*v)/ReduceSum(v), with l "
    "= -GatherElements(x, t) and v = Gather(w, t) [decomposition, one way]";
static LogicalResult decomposeLikelihood(NegativeLogLikelihoodLossOp op,
                                         Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting), target(op.getTarget(), rewriting),
      ignored;
  if (std::optional<int64_t> index = op.getIgnoreIndex()) {
    // The ignored index may be out of range.
    ignored = equal(target, double(*index));
    target = where(ignored, 0, target);
    if (!ignored)
      return failure();
  }
  Expression picked = Expression::make<GatherElementsOp>(
      &rewriting, x, unsqueeze(target, 1),
      rewriting.getBuilder().getI64IntegerAttr(1));
  Expression loss = -squeeze(picked, 1), weight;
  if (op.getWeight())
    weight = gather(Expression(op.getWeight(), rewriting), target, 0);
  if (ignored)
    weight = where(ignored, Expression(0).as(x),
                   weight ? weight : Expression(1).as(x));
  if (weight)
    loss = loss * weight;
  if (op.getReduction() == "sum")
    loss = reduceAll<ReduceSumOp>(loss);
  else if (op.getReduction() == "mean")
    loss = weight
               ? reduceAll<ReduceSumOp>(loss) / reduceAll<ReduceSumOp>(weight)
               : reduceAll<ReduceMeanOp>(loss);
  return rewriting.tryReplace(op, loss);
}

static constexpr StringLiteral decomposeCrossEntropyPattern =
    "SoftmaxCrossEntropyLoss(x, t, w) -> "
    "NegativeLogLikelihoodLoss(LogSoftmax(x), t, w) [opset 13; decomposition, "
    "one way]";
static LogicalResult decomposeCrossEntropy(SoftmaxCrossEntropyLossOp op,
                                           Rewriting &rewriting) {
  // Before opset 13, LogSoftmax flattened all further axes.
  if (rewriting.getOpset() < 13)
    return failure();
  Expression logarithm = Expression::make<LogSoftmaxOp>(
      &rewriting, Expression(op.getScores(), rewriting),
      rewriting.getBuilder().getI64IntegerAttr(1));
  Expression loss;
  if (isUsed(op.getOutput()))
    loss = Expression::make<NegativeLogLikelihoodLossOp>(
        &rewriting, logarithm, op.getLabels(), op.getWeights(),
        op.getIgnoreIndexAttr(), op.getReductionAttr());
  return replaceAll({{op.getOutput(), loss}, {op.getLogProb(), logarithm}},
                    rewriting);
}

static constexpr StringLiteral decomposeDynamicQuantizePattern =
    "DynamicQuantizeLinear(x) -> QuantizeLinear(x, s, z), with s and z of "
    "ReduceMin(x) and ReduceMax(x) [decomposition, one way]";
static LogicalResult decomposeDynamicQuantize(DynamicQuantizeLinearOp op,
                                              Rewriting &rewriting) {
  Expression x(op.getX(), rewriting);
  Expression least = minimum(reduceAll<ReduceMinOp>(x), 0);
  Expression most = maximum(reduceAll<ReduceMaxOp>(x), 0);
  // If all elements are zero, any scale works.
  Expression range = most - least;
  Expression scale = where(equal(range, 0), 1, range / 255);
  Expression zero = round(minimum(maximum(0 - least / scale, 0), 255));
  zero = cast(zero, DataType::UInt8);
  Expression y;
  if (isUsed(op.getY()))
    y = Expression::make<QuantizeLinearOp>(
        &rewriting, x, scale, zero, IntegerAttr(), IntegerAttr(), IntegerAttr(),
        IntegerAttr(), IntegerAttr());
  return replaceAll(
      {{op.getY(), y}, {op.getYScale(), scale}, {op.getYZeroPoint(), zero}},
      rewriting);
}

void invar::addLossDecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<decomposeLikelihood>::get("decompose-likelihood",
                                                    Decompose,
                                                    decomposeLikelihoodPattern)
                      .forLowering(true));
  rules.push_back(
      RuleFor<decomposeCrossEntropy>::get("decompose-cross-entropy", Decompose,
                                          decomposeCrossEntropyPattern)
          .forLowering(true));
  rules.push_back(RuleFor<decomposeDynamicQuantize>::get(
      "decompose-dynamic-quantize", Decompose,
      decomposeDynamicQuantizePattern));
}

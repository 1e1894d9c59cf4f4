// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Softmax.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult HardmaxOp::verify() {
  return Check(*this).axis("(C1)", "axis", getAxis(), getInput());
}

LogicalResult LogSoftmaxOp::verify() {
  return Check(*this).axis("(C1)", "axis", getAxis(), getInput());
}

LogicalResult SoftmaxOp::verify() {
  return Check(*this).axis("(C1)", "axis", getAxis(), getInput());
}

static LogicalResult verifyRows(Operation *op, int64_t axis, Value input) {
  std::optional<int64_t> rank = rankOf(input);
  if (!rank || (axis >= -*rank && axis <= *rank))
    return success();
  return op->emitOpError("(C1) expected 'axis' to be in [")
         << -*rank << ", " << *rank << "], but got " << axis;
}

LogicalResult HardmaxRowsOp::verify() {
  return verifyRows(*this, getAxis(), getInput());
}

LogicalResult LogSoftmaxRowsOp::verify() {
  return verifyRows(*this, getAxis(), getInput());
}

LogicalResult SoftmaxRowsOp::verify() {
  return verifyRows(*this, getAxis(), getInput());
}

namespace {
/// An operand of a loss; the two losses name their operands differently.
struct LossOperand {
  StringRef name;
  Value value;
};
} // namespace

static LogicalResult verifyLoss(Operation *op, StringRef reduction,
                                LossOperand scores, LossOperand labels,
                                LossOperand weights) {
  Check check(op);
  check.oneOf("(C1)", "reduction", reduction, {"none", "sum", "mean"})
      .rankAtLeast("(C2)", scores.name, scores.value, 2);
  if (std::optional<int64_t> rank = rankOf(scores.value))
    check.rank("(C2)", labels.name, labels.value, *rank - 1);
  return check.vector("(C3)", weights.name, weights.value,
                      dimOf(scores.value, 1));
}

LogicalResult NegativeLogLikelihoodLossOp::verify() {
  return verifyLoss(*this, getReduction(), {"input", getInput()},
                    {"target", getTarget()}, {"weight", getWeight()});
}

LogicalResult SoftmaxCrossEntropyLossOp::verify() {
  return verifyLoss(*this, getReduction(), {"scores", getScores()},
                    {"labels", getLabels()}, {"weights", getWeights()});
}

//===-- Shapes ----------------------------------------------------------------===//

/// Sets the shape: a loss for each label, or one for all.
static LogicalResult computeLoss(ShapeHelper &shape, StringRef reduction,
                                 Value scores, Value labels) {
  std::optional<DimsExpr> dims;
  if (shape.hasShape(labels))
    dims = shape.getDims(labels);
  if (shape.hasShape(scores)) {
    DimsExpr places = shape.getDims(scores);
    places.erase(places.begin() + 1);
    for (auto [place, label] : llvm::zip(places, dims ? *dims : places))
      if (failed(shape.expectEqual(place, label,
                                   "the places of scores and of labels")))
        return failure();
    dims = std::move(places);
  }
  if (reduction != "none")
    shape.setOutputDims({});
  else if (dims)
    shape.setOutputDims(std::move(*dims));
  return success();
}

LogicalResult NegativeLogLikelihoodLossOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  return computeLoss(shape, getReduction(), in.getInput(), in.getTarget());
}

LogicalResult SoftmaxCrossEntropyLossOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (shape.hasShape(in.getScores()))
    shape.setDimsOf(getLogProb(), shape.getDims(in.getScores()));
  return computeLoss(shape, getReduction(), in.getScores(), in.getLabels());
}

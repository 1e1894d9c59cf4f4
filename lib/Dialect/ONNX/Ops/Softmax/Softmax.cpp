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

namespace {
/// The two losses call their operands differently.
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

LogicalResult HardmaxOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult LogSoftmaxOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult NegativeLogLikelihoodLossOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult SoftmaxCrossEntropyLossOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult SoftmaxOp::computeShape(ShapeHelper &) { return success(); }

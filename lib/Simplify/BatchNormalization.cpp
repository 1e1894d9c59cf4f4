// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

std::optional<std::pair<Value, Value>>
invar::getScaleAndShift(BatchNormalizationOp op, Rewriting &rewriting) {
  for (Value operand : op.getOperands().drop_front())
    if (!rewriting.isConstant(operand) ||
        getElementTypeOrSelf(operand.getType()) !=
            getElementTypeOrSelf(op.getX().getType()))
      return std::nullopt;
  auto epsilon = ElementsBuilder().splat(
      rewriting.getConstant(op.getInputVar())->getType(), {},
      WideNum::ofDouble(double(op.getEpsilon())));
  if (!epsilon) {
    llvm::consumeError(epsilon.takeError());
    return std::nullopt;
  }
  Value variance = rewriting.make<AddOp>(
      op.getInputVar(), rewriting.makeConstant(std::move(*epsilon)));
  Value deviation = variance ? rewriting.make<SqrtOp>(variance) : Value();
  Value scale =
      deviation ? rewriting.make<DivOp>(op.getScale(), deviation) : Value();
  Value moved =
      scale ? rewriting.make<MulOp>(op.getInputMean(), scale) : Value();
  Value shift = moved ? rewriting.make<SubOp>(op.getB(), moved) : Value();
  if (!shift)
    return std::nullopt;
  return std::pair(scale, shift);
}

bool invar::isInference(BatchNormalizationOp op) {
  return !op.getTrainingMode() && op->getNumResults() == 1;
}

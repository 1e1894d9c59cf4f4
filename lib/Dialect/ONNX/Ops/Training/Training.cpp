// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Training.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Checks (C1) and (C2) of the optimizers: `operands` and `results` for each tensor.
template <typename Op>
static Check verifyStep(Op op, size_t operands, size_t results) {
  size_t given = op.getInputs().size(), tensors = given / operands;
  Check check(op);
  check
      .that("(C1)", given % operands == 0 && tensors > 0,
            Twine(operands) + " operands for each tensor", Twine(given))
      .that("(C1)", op.getOutputs().size() == tensors * results,
            Twine(tensors * results) + " results",
            Twine(op.getOutputs().size()))
      .oneElement("(C2)", "R", op.getR())
      .oneElement("(C2)", "T", op.getT());
  return check;
}

LogicalResult AdagradOp::verify() { return verifyStep(*this, 3, 2); }

LogicalResult AdamOp::verify() { return verifyStep(*this, 4, 3); }

LogicalResult MomentumOp::verify() {
  return verifyStep(*this, 3, 2)
      .oneOf("(C3)", "mode", getMode(), {"standard", "nesterov"});
}

LogicalResult GradientOp::verify() {
  size_t others = getZs() ? getZs()->size() : 0;
  return Check(*this)
      .that("(C1)", getXs().size() + others == getInputs().size(),
            "'xs' and 'zs' to name " + Twine(getInputs().size()) + " operands",
            Twine(getXs().size() + others))
      .that("(C2)", getOutputs().size() == getXs().size(),
            Twine(getXs().size()) + " results, one for each of 'xs'",
            Twine(getOutputs().size()));
}

//===-- Shapes ----------------------------------------------------------------===//

/// Sets the type of a result that is the new value of an operand.
static void renew(ShapeHelper &shape, Value operand, unsigned result) {
  shape.setElementType(elementTypeOf(operand), result);
  if (shape.hasShape(operand))
    shape.setOutputDims(shape.getDims(operand), result);
}

/// The results are the new values of all operands except the gradients, which are the
/// second group.
template <typename Op>
static LogicalResult computeStep(Op op, ShapeHelper &shape, size_t groups) {
  auto inputs = shape.operandsOf(op).getInputs();
  size_t tensors = inputs.size() / groups;
  for (size_t i = tensors; i < inputs.size(); ++i) {
    Value tensor = inputs[i % tensors], other = inputs[i];
    if (!shape.hasShape(tensor) || !shape.hasShape(other))
      continue;
    if (shape.getRank(tensor) != shape.getRank(other))
      return op.emitOpError("expected an operand of rank ")
             << *shape.getRank(tensor) << ", but got " << *shape.getRank(other);
    for (auto [left, right] :
         llvm::zip_equal(shape.getDims(tensor), shape.getDims(other)))
      if (failed(shape.expectEqual(left, right,
                                   "the sizes of a tensor and its gradient")))
        return failure();
  }
  for (unsigned i = 0; i < op.getOutputs().size(); ++i)
    renew(shape, inputs[i < tensors ? i : i + tensors], i);
  return success();
}

LogicalResult AdagradOp::computeShape(ShapeHelper &shape) {
  return computeStep(*this, shape, 3);
}

LogicalResult AdamOp::computeShape(ShapeHelper &shape) {
  return computeStep(*this, shape, 4);
}

LogicalResult GradientOp::computeShape(ShapeHelper &shape) {
  auto inputs = shape.operandsOf(*this).getInputs();
  for (unsigned i = 0; i < getOutputs().size(); ++i)
    renew(shape, inputs[i], i);
  return success();
}

LogicalResult MomentumOp::computeShape(ShapeHelper &shape) {
  return computeStep(*this, shape, 3);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Slice.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult CenterCropPadOp::verify() {
  std::optional<int64_t> axes = lengthOf(getAxes());
  return Check(*this)
      .axes("(C1)", "axes", getAxes(), getInputData())
      .vector("(C2)", "shape", getShape(),
              axes ? axes : rankOf(getInputData()));
}

LogicalResult CompressOp::verify() {
  if (!getAxis())
    return success();
  return Check(*this).axis("(C1)", "axis", *getAxis(), getInput());
}

/// Returns the number of elements of a vector, if it is known; a scalar counts as one.
static std::optional<int64_t> countOf(Value vector) {
  return rankOf(vector) == 0 ? 1 : dimOf(vector, 0);
}

LogicalResult SliceOp::verify() {
  std::optional<int64_t> count = countOf(getStarts());
  return Check(*this)
      .vector("(C1)", "starts", getStarts())
      .vector("(C1)", "ends", getEnds(), count)
      .vector("(C1)", "axes", getAxes(), count)
      .vector("(C1)", "steps", getSteps(), count);
}

LogicalResult SplitOp::verify() {
  Check check(*this);
  check.axis("(C1)", "axis", getAxis(), getInput());
  if (std::optional<int64_t> count = getNumOutputs())
    check
        .that("(C2)", !getSplit(), "only one of 'split' and 'num_outputs'",
              "both")
        .oneOf("(C3)", "num_outputs", *count, {int64_t(getNumResults())});
  return check.vector("(C3)", "split", getSplit(), getNumResults());
}

LogicalResult TriluOp::verify() {
  return Check(*this)
      .rankAtLeast("(C1)", "input", getInput(), 2)
      .oneElement("(C2)", "k", getK())
      .flag("(C3)", "upper", getUpper());
}

LogicalResult UniqueOp::verify() {
  Check check(*this);
  if (getAxis())
    check.axis("(C1)", "axis", *getAxis(), getX());
  return check.flag("(C2)", "sorted", getSorted());
}

RuntimeCall UniqueOp::describeCall() {
  RuntimeCall call(*this, "Unique");
  call.add(getX()).set("sorted", getSorted() != 0);
  if (getAxis())
    call.set("axis", *getAxis());
  return call;
}

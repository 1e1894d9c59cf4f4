// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Generate.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult ConstantOfShapeOp::verify() {
  Check check(*this);
  check.vector("(C1)", "input", getInput());
  Type element = Float32Type::get(getContext());
  if (ElementsAttr value = getValueAttr()) {
    element = value.getElementType();
    check.that("(C2)", value.getNumElements() == 1,
               "'value' to have one element", Twine(value.getNumElements()));
  }
  return check.agrees("(C3)", "output", elementTypeOf(getOutput()), element);
}

LogicalResult EyeLikeOp::verify() {
  Check check(*this);
  check.rank("(C1)", "input", getInput(), 2);
  if (getDtype())
    check.dataType("(C2)", "dtype", *getDtype(), getOutput());
  return check;
}

LogicalResult OneHotOp::verify() {
  Check check(*this);
  // One place more than there are axes: the new axis may come last.
  if (std::optional<int64_t> rank = rankOf(getIndices()))
    check.that("(C1)", getAxis() >= -*rank - 1 && getAxis() <= *rank,
               "'axis' to be in [" + Twine(-*rank - 1) + ", " + Twine(*rank) +
                   "]",
               Twine(getAxis()));
  return check.oneElement("(C2)", "depth", getDepth())
      .vector("(C3)", "values", getValues(), 2);
}

LogicalResult RangeOp::verify() {
  return Check(*this)
      .oneElement("(C1)", "start", getStart())
      .oneElement("(C1)", "limit", getLimit())
      .oneElement("(C1)", "delta", getDelta())
      .floatType("(C2)", "stash_type", getStashType());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult ConstantOfShapeOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult EyeLikeOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult OneHotOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult RangeOp::computeShape(ShapeHelper &) { return success(); }

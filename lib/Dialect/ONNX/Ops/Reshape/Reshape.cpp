// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Reshape.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult FlattenOp::verify() {
  std::optional<int64_t> rank = rankOf(getInput());
  if (!rank)
    return success();
  // One place more than there are axes: the cut may be after the last.
  return Check(*this).that("(C1)", getAxis() >= -*rank && getAxis() <= *rank,
                           "'axis' to be in [" + Twine(-*rank) + ", " +
                               Twine(*rank) + "]",
                           Twine(getAxis()));
}

LogicalResult ReshapeOp::verify() {
  return Check(*this)
      .vector("(C1)", "shape", getShape())
      .flag("(C2)", "allowzero", getAllowzero());
}

LogicalResult SqueezeOp::verify() {
  return Check(*this).vector("(C1)", "axes", getAxes());
}

LogicalResult UnsqueezeOp::verify() {
  return Check(*this).vector("(C1)", "axes", getAxes());
}

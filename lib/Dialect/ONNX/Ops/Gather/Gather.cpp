// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Gather.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult GatherOp::verify() {
  return Check(*this).axis("(C1)", "axis", getAxis(), getData());
}

LogicalResult GatherElementsOp::verify() {
  return Check(*this)
      .axis("(C1)", "axis", getAxis(), getData())
      .sameRank("(C2)", "indices", getIndices(), "data", getData());
}

LogicalResult GatherNDOp::verify() {
  Check check(*this);
  check.rankAtLeast("(C1)", "data", getData(), 1)
      .rankAtLeast("(C1)", "indices", getIndices(), 1)
      .atLeast("(C2)", "batch_dims", getBatchDims(), 0);
  for (Value operand : {Value(getData()), Value(getIndices())})
    if (std::optional<int64_t> rank = rankOf(operand))
      check.that("(C2)", getBatchDims() < *rank,
                 "'batch_dims' to be less than the rank " + Twine(*rank),
                 Twine(getBatchDims()));
  std::optional<int64_t> rank = rankOf(getData()),
                         tuple = dimOf(getIndices(), -1);
  if (failed(check) || !rank || !tuple)
    return check;
  int64_t longest = *rank - getBatchDims();
  return check.that("(C3)", *tuple <= longest,
                    "indices of at most " + Twine(longest) + " elements",
                    Twine(*tuple));
}

LogicalResult NonMaxSuppressionOp::verify() {
  return Check(*this)
      .flag("(C1)", "center_point_box", getCenterPointBox())
      .rank("(C2)", "boxes", getBoxes(), 3)
      .rank("(C2)", "scores", getScores(), 3)
      .dim("(C2)", "boxes", getBoxes(), 2, 4);
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult GatherElementsOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult GatherNDOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult GatherOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult NonMaxSuppressionOp::computeShape(ShapeHelper &) {
  return success();
}

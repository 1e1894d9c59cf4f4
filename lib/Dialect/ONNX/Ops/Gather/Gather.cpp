// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Gather.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
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

/// Returns the entries of a vector at `count` known indices.
static std::optional<DimsExpr> pick(ShapeHelper &shape, Value data,
                                    Value indices,
                                    std::optional<int64_t> count) {
  auto entries = shape.getBuilder().getIntsFromArrayAsSymbols(data);
  if (!entries || !count || shape.getRank(data) != 1)
    return std::nullopt;
  DimsExpr picked;
  for (int64_t i = 0; i < *count; ++i) {
    IndexExpr index = shape.getBuilder().getIntFromArrayAsLiteral(indices, i);
    std::optional<int64_t> place =
        index.isLiteral() ? normalizeAxis(index.getLiteral(), entries->size())
                          : std::nullopt;
    picked.push_back(place ? (*entries)[*place] : IndexExpr());
  }
  return picked;
}

LogicalResult GatherOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getData()) || !shape.hasShape(in.getIndices()))
    return success();
  DimsExpr dims = shape.getDims(in.getData()),
           places = shape.getDims(in.getIndices());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), dims.size());
  if (!axis)
    return success();
  dims.erase(dims.begin() + *axis);
  dims.insert(dims.begin() + *axis, places.begin(), places.end());
  shape.setOutputDims(std::move(dims));
  return success();
}

std::optional<DimsExpr> GatherOp::computeEntries(ShapeHelper &shape, unsigned) {
  return pick(shape, getData(), getIndices(),
              shape.getBuilder().getArraySize(getIndices()));
}

LogicalResult GatherElementsOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (shape.hasShape(in.getIndices()))
    shape.setOutputDims(shape.getDims(in.getIndices()));
  else if (std::optional<int64_t> rank = shape.getRank(in.getData()))
    shape.setOutputDims(shape.getQuestionmarks(*rank));
  return success();
}

std::optional<DimsExpr> GatherElementsOp::computeEntries(ShapeHelper &shape,
                                                         unsigned) {
  return pick(shape, getData(), getIndices(),
              shape.getBuilder().getArraySize(getIndices()));
}

LogicalResult GatherNDOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getData()) || !shape.hasShape(in.getIndices()))
    return success();
  DimsExpr data = shape.getDims(in.getData()),
           dims = shape.getDims(in.getIndices());
  IndexExpr tuple = dims.pop_back_val();
  for (int64_t i = 0; i < getBatchDims(); ++i)
    if (failed(shape.expectEqual(data[i], dims[i], "batch axis " + Twine(i))))
      return failure();
  if (!tuple.isLiteral())
    return success();
  dims.append(data.begin() + getBatchDims() + tuple.getLiteral(), data.end());
  shape.setOutputDims(std::move(dims));
  return success();
}

std::optional<DimsExpr> GatherNDOp::computeEntries(ShapeHelper &shape,
                                                   unsigned result) {
  // Tuples of one index into a vector: one for each entry of the result.
  if (dimOf(getIndices(), -1) != 1)
    return std::nullopt;
  return pick(
      shape, getData(), getIndices(),
      shape.getBuilder().getArraySize(getOperation()->getResult(result)));
}

LogicalResult NonMaxSuppressionOp::computeShape(ShapeHelper &shape) {
  // The number of remaining boxes depends on the data.
  shape.setOutputDims({shape.getQuestionmark(), 3});
  return success();
}

RuntimeCall NonMaxSuppressionOp::describeCall() {
  RuntimeCall call(*this, "NonMaxSuppression");
  call.add(getBoxes()).add(getScores());
  call.add(getMaxOutputBoxesPerClass()).add(getIouThreshold());
  call.add(getScoreThreshold());
  call.set("is_centered", getCenterPointBox() != 0);
  return call;
}

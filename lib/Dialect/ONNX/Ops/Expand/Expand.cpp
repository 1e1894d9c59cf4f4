// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Expand.h"

#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult ExpandOp::verify() {
  return Check(*this).vector("(C1)", "shape", getShape());
}

LogicalResult TileOp::verify() {
  return Check(*this).vector("(C1)", "repeats", getRepeats(),
                             rankOf(getInput()));
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult ExpandOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  auto target = shape.getBuilder().getIntsFromArrayAsSymbols(in.getShape());
  if (!shape.hasShape(in.getInput()) || !target)
    return success();
  if (failed(shape::checkSizes(shape, "shape", *target, "(C2)")))
    return failure();
  FailureOr<DimsExpr> dims =
      shape.broadcast({shape.getDims(in.getInput()), *target});
  if (failed(dims))
    return failure();
  shape.setOutputDims(std::move(*dims));
  return success();
}

std::optional<DimsExpr> ExpandOp::computeEntries(ShapeHelper &shape, unsigned) {
  auto entries = shape.getBuilder().getIntsFromArrayAsSymbols(getInput());
  auto count = shape.getBuilder().getArraySize(getOutput());
  if (entries && count && entries->size() == 1)
    return DimsExpr(*count, entries->front());
  return entries;
}

LogicalResult TileOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  IndexExprBuilder &builder = shape.getBuilder();
  if (!shape.hasShape(in.getInput())) {
    if (std::optional<int64_t> rank = builder.getArraySize(in.getRepeats()))
      shape.setOutputDims(shape.getQuestionmarks(*rank));
    return success();
  }
  DimsExpr dims = shape.getDims(in.getInput());
  auto repeats =
      builder.getIntsFromArrayAsSymbols(in.getRepeats(), dims.size());
  if (!repeats)
    return success();
  if (failed(shape::checkSizes(shape, "repeats", *repeats, "(C2)")))
    return failure();
  for (auto [size, times] : llvm::zip_equal(dims, *repeats))
    size = size * times;
  shape.setOutputDims(std::move(dims));
  return success();
}

std::optional<DimsExpr> TileOp::computeEntries(ShapeHelper &shape, unsigned) {
  auto entries = shape.getBuilder().getIntsFromArrayAsSymbols(getInput());
  auto count = shape.getBuilder().getArraySize(getOutput());
  if (!entries || !count)
    return std::nullopt;
  DimsExpr repeated;
  for (int64_t i = 0; i < *count; ++i)
    repeated.push_back((*entries)[i % entries->size()]);
  return repeated;
}

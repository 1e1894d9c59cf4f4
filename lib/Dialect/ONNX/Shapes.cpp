// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Shapes.h"

using namespace mlir;
using namespace invar;

static void setAll(ShapeHelper &shape, const DimsExpr &dims) {
  for (unsigned i = 0; i < shape.getOperation()->getNumResults(); ++i)
    shape.setOutputDims(dims, i);
}

LogicalResult onnx::shape::sameAsFirst(ShapeHelper &shape) {
  if (shape.hasShape(shape.getOperands().front()))
    setAll(shape, shape.getDims(shape.getOperands().front()));
  return success();
}

LogicalResult onnx::shape::broadcastAll(ShapeHelper &shape) {
  FailureOr<std::optional<DimsExpr>> dims =
      shape.broadcast(shape.getOperands());
  if (succeeded(dims) && *dims)
    setAll(shape, **dims);
  return dims;
}

LogicalResult onnx::shape::scalar(ShapeHelper &shape) {
  setAll(shape, DimsExpr());
  return success();
}

std::optional<DimsExpr> onnx::shape::elementwise(
    ShapeHelper &shape,
    llvm::function_ref<IndexExpr(ArrayRef<IndexExpr>)> function) {
  SmallVector<DimsExpr> lists;
  size_t count = 1;
  for (Value operand : shape.getOperands()) {
    auto list = shape.getBuilder().getIntsFromArrayAsSymbols(operand);
    if (!list)
      return std::nullopt;
    // A list of one is repeated as often as the others have entries.
    if (list->size() != 1)
      count = list->size();
    lists.push_back(std::move(*list));
  }
  DimsExpr result;
  for (size_t i = 0; i < count; ++i) {
    DimsExpr entries;
    for (const DimsExpr &list : lists)
      entries.push_back(list.size() == 1 ? list[0] : list[i]);
    result.push_back(function(entries));
  }
  return result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Shapes.h"

#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

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

LogicalResult onnx::shape::matMul(ShapeHelper &shape, Value left, Value right) {
  if (!shape.hasShape(left) || !shape.hasShape(right))
    return success();
  DimsExpr a = shape.getDims(left), b = shape.getDims(right);
  bool isRow = a.size() == 1, isColumn = b.size() == 1;
  if (failed(shape.expectEqual(a.back(), isColumn ? b[0] : b[b.size() - 2],
                               "the sizes that are multiplied over")))
    return failure();
  FailureOr<DimsExpr> dims =
      shape.broadcast({DimsExpr(ArrayRef(a).drop_back(isRow ? 1 : 2)),
                       DimsExpr(ArrayRef(b).drop_back(isColumn ? 1 : 2))});
  if (failed(dims))
    return failure();
  if (!isRow)
    dims->push_back(a[a.size() - 2]);
  if (!isColumn)
    dims->push_back(b.back());
  shape.setOutputDims(std::move(*dims));
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
    // A list of one entry is repeated to the length of the others.
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

Type onnx::shape::typeOr(std::optional<int64_t> number, Value value) {
  if (!number)
    return elementTypeOf(value);
  std::optional<DataType> type = dataTypeFromNumber(*number);
  return type ? elements::toType(value.getContext(), *type) : Type();
}

FailureOr<std::optional<SmallVector<int64_t>>>
onnx::shape::readAxes(ShapeHelper &shape, Value axes, int64_t rank,
                      llvm::StringLiteral label) {
  auto given = shape.getBuilder().getIntsFromArrayAsLiterals(axes);
  if (!given)
    return std::optional<SmallVector<int64_t>>();
  Check check(shape.getOperation());
  for (int64_t &axis : *given) {
    std::optional<int64_t> front = normalizeAxis(axis, rank);
    check.that(label, front.has_value(),
               "axes in [" + Twine(-rank) + ", " + Twine(rank) + ")",
               Twine(axis));
    axis = front.value_or(0);
  }
  if (failed(check))
    return failure();
  return given;
}

LogicalResult onnx::shape::checkSizes(ShapeHelper &shape, StringRef what,
                                      ArrayRef<IndexExpr> sizes,
                                      llvm::StringLiteral label) {
  Check check(shape.getOperation());
  for (IndexExpr size : sizes)
    check.that(label, !size.isLiteral() || size.getLiteral() >= 0,
               "the entries of '" + what + "' to be at least 0",
               Twine(size.getShape()));
  return check;
}

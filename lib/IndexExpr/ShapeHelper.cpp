// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/IndexExpr/ShapeHelper.h"

#include "invar/Support/ElementCount.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace invar;

#include "invar/IndexExpr/ShapeInterfaces.cpp.inc"

ShapeHelper::ShapeHelper(Operation *op, ValueRange operands,
                         IndexExprBuilder &builder)
    : op(op), operands(operands), builder(builder),
      results(op->getNumResults()) {}

/// Checks that a result can have these sizes, as far as they are known.
static LogicalResult checkSizes(Operation *op, unsigned result,
                                ArrayRef<IndexExpr> dims) {
  ElementCount count;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const IndexExpr &dim = dims[axis];
    if (dim.isLiteral() ? count.multiply(dim.getLiteral())
                        : !dim.isImpossible())
      continue;
    if (dim.isLiteral() && dim.getLiteral() >= 0)
      return op->emitOpError("expected at most ")
             << ElementCount::most << " elements in result " << result
             << ", but got more";
    return op->emitOpError("expected a size of 0 to ")
           << INT64_MAX << " for axis " << axis << " of result " << result
           << ", but got "
           << (dim.isLiteral() ? llvm::to_string(dim) : "one beyond 64 bits");
  }
  return success();
}

LogicalResult ShapeHelper::computeShape() {
  if (failed(cast<ShapeOpInterface>(op).computeShape(*this)))
    return failure();
  for (unsigned result = 0; result < results.size(); ++result)
    if (hasOutputDims(result) &&
        failed(checkSizes(op, result, getOutputDims(result))))
      return failure();
  return success();
}

SmallVector<OpFoldResult> ShapeHelper::getOutputSizes(unsigned result) {
  SmallVector<OpFoldResult> sizes;
  for (IndexExpr dim : getOutputDims(result))
    sizes.push_back(dim.getOpFoldResult(getScope()));
  return sizes;
}

void ShapeHelper::setDimsOf(Value result, DimsExpr dims) {
  if (result)
    setOutputDims(std::move(dims), cast<OpResult>(result).getResultNumber());
}

void ShapeHelper::setElementTypeOf(Value result, Type type) {
  if (result)
    setElementType(type, cast<OpResult>(result).getResultNumber());
}

std::optional<int64_t> invar::normalizeAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

IndexExpr ShapeHelper::getDim(Value value, int64_t axis) {
  std::optional<int64_t> front = normalizeAxis(axis, *getRank(value));
  assert(front && "expected an axis of the value; verifiers check it");
  return builder.getShapeAsDim(value, *front);
}

DimsExpr ShapeHelper::getQuestionmarks(int64_t rank) {
  DimsExpr dims;
  for (int64_t i = 0; i < rank; ++i)
    dims.push_back(getQuestionmark());
  return dims;
}

IndexExpr invar::broadcastSizes(IndexExpr left, IndexExpr right) {
  if (left.isLiteral(1) || left.isKnownEqual(right))
    return right;
  if (right.isLiteral(1))
    return left;
  if (left.isLiteral() && right.isLiteral())
    return IndexExpr();
  // If one size is not 1, the other must be 1 or equal to it.
  if (!left.getBounds().contains(1))
    return left;
  if (!right.getBounds().contains(1))
    return right;
  // Both forms are equal whenever the sizes broadcast. Use the shorter one.
  IndexExpr one = IndexExpr::select(left == 1, right, left);
  IndexExpr other = IndexExpr::select(right == 1, left, right);
  return other.getLength() < one.getLength() ? other : one;
}

FailureOr<DimsExpr> ShapeHelper::broadcast(ArrayRef<DimsExpr> shapes) {
  DimsExpr result;
  for (const DimsExpr &shape : shapes) {
    if (shape.size() > result.size())
      result.insert(result.begin(), shape.size() - result.size(), IndexExpr(1));
    size_t offset = result.size() - shape.size();
    for (auto [i, size] : llvm::enumerate(shape)) {
      IndexExpr &both = result[offset + i];
      IndexExpr joined = broadcastSizes(both, size);
      if (both.isLiteral() && size.isLiteral() && joined.isUndefined())
        return op->emitOpError("expected sizes that broadcast, but got ")
               << both.getLiteral() << " and " << size.getLiteral();
      both = joined.isDefined() ? joined : getQuestionmark();
    }
  }
  return result;
}

FailureOr<std::optional<DimsExpr>> ShapeHelper::broadcast(ValueRange values) {
  SmallVector<DimsExpr> shapes;
  for (Value value : values) {
    if (!hasShape(value))
      return std::optional<DimsExpr>();
    shapes.push_back(getDims(value));
  }
  FailureOr<DimsExpr> result = broadcast(shapes);
  if (failed(result))
    return failure();
  return std::optional(std::move(*result));
}

LogicalResult ShapeHelper::expectEqual(IndexExpr left, IndexExpr right,
                                       const Twine &what) {
  if (left.isUndefined() || right.isUndefined() ||
      builder.assumeEqual(left, right))
    return success();
  return op->emitOpError("expected ")
         << what << " to agree, but got " << llvm::to_string(left) << " and "
         << llvm::to_string(right);
}

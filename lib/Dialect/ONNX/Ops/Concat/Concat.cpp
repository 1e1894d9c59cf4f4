// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Concat.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static RankedTensorType getRanked(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static bool isEmpty(Value value) {
  RankedTensorType type = getRanked(value);
  return type && llvm::is_contained(type.getShape(), 0);
}

SmallVector<Value> ConcatOp::getParts(ValueRange operands, int64_t axis) {
  if (operands.empty())
    return {};
  // The first operand that may have elements determines the rank.
  auto found = llvm::find_if_not(operands, isEmpty);
  RankedTensorType model =
      getRanked(found == operands.end() ? operands.front() : *found);
  auto addsNothing = [&](Value operand) {
    if (!isEmpty(operand))
      return false;
    RankedTensorType type = getRanked(operand);
    if (model && model.getRank() != type.getRank())
      return true;
    std::optional<int64_t> front = normalizeAxis(axis, type.getRank());
    return front && type.getDimSize(*front) == 0;
  };
  SmallVector<Value> parts(operands);
  llvm::erase_if(parts, addsNothing);
  if (parts.empty())
    parts.push_back(operands.front());
  return parts;
}

LogicalResult ConcatOp::verify() {
  Check check(*this);
  check.that("(C1)", !getInputs().empty(), "an operand", "none");
  // The sizes that the operands so far have in common.
  SmallVector<int64_t> shape;
  bool known = false;
  for (Value input : getParts(getInputs(), getAxis())) {
    RankedTensorType type = getRanked(input);
    if (!type)
      continue;
    check.axis("(C2)", "axis", getAxis(), input);
    if (!std::exchange(known, true))
      shape.assign(type.getShape().begin(), type.getShape().end());
    check.that("(C3)", type.getRank() == int64_t(shape.size()),
               "operands of rank " + Twine(shape.size()),
               Twine(type.getRank()));
    if (failed(check))
      return check;
    int64_t axis = getAxis() < 0 ? getAxis() + type.getRank() : getAxis();
    for (auto [i, size] : llvm::enumerate(type.getShape())) {
      if (int64_t(i) == axis || ShapedType::isDynamic(size))
        continue;
      if (ShapedType::isDynamic(shape[i]))
        shape[i] = size;
      check.that("(C3)", size == shape[i],
                 "axis " + Twine(i) + " of the operands to have size " +
                     Twine(shape[i]),
                 Twine(size));
    }
  }
  return check;
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult ConcatOp::computeShape(ShapeHelper &shape) {
  std::optional<DimsExpr> dims;
  bool allKnown = true;
  IndexExpr total = 0;
  for (Value part : getParts(shape.getOperands(), getAxis())) {
    if (!shape.hasShape(part)) {
      allKnown = false;
      continue;
    }
    DimsExpr sizes = shape.getDims(part);
    std::optional<int64_t> axis = normalizeAxis(getAxis(), sizes.size());
    if (!axis || (dims && dims->size() != sizes.size()))
      return success();
    total = total + sizes[*axis];
    if (!dims) {
      dims = std::move(sizes);
      continue;
    }
    for (auto [i, size] : llvm::enumerate(sizes)) {
      IndexExpr &both = (*dims)[i];
      if (int64_t(i) == *axis)
        continue;
      if (failed(shape.expectEqual(both, size,
                                   "axis " + Twine(i) + " of the operands")))
        return failure();
      if (size.isLiteral() || both.isQuestionmark())
        both = size;
    }
  }
  if (!dims)
    return success();
  (*dims)[*normalizeAxis(getAxis(), dims->size())] =
      allKnown ? total : shape.getQuestionmark();
  shape.setOutputDims(std::move(*dims));
  return success();
}

std::optional<DimsExpr> ConcatOp::computeEntries(ShapeHelper &shape, unsigned) {
  DimsExpr entries;
  for (Value input : getInputs()) {
    auto part = shape.getBuilder().getIntsFromArrayAsSymbols(input);
    if (!part)
      return std::nullopt;
    entries.append(*part);
  }
  return entries;
}

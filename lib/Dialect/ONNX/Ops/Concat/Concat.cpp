// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Concat.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Runtimes skip empty operands of any shape.
static bool isEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && llvm::is_contained(type.getShape(), 0);
}

LogicalResult ConcatOp::verify() {
  Check check(*this);
  check.that("(C1)", !getInputs().empty(), "an operand", "none");
  // The sizes that the operands so far have in common.
  SmallVector<int64_t> shape;
  bool known = false;
  for (Value input : getInputs()) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type || isEmpty(input))
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
  // If all operands are empty, the first determines the shape.
  if (!getInputs().empty() && llvm::all_of(getInputs(), isEmpty))
    check.axis("(C2)", "axis", getAxis(), getInputs().front());
  return check;
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult ConcatOp::computeShape(ShapeHelper &shape) {
  std::optional<DimsExpr> dims;
  bool allKnown = true;
  IndexExpr total = 0;
  for (Value input : shape.getOperands()) {
    if (!shape.hasShape(input)) {
      allKnown = false;
      continue;
    }
    DimsExpr sizes = shape.getDims(input);
    // An empty operand may have another shape, unless it is the only operand.
    bool skipped = isEmpty(input) && shape.getOperands().size() > 1;
    std::optional<int64_t> axis = normalizeAxis(getAxis(), sizes.size());
    if (skipped && (!axis || (dims && dims->size() != sizes.size()) ||
                    sizes[*axis].isLiteral(0)))
      continue;
    if (!axis)
      return success();
    total = total + sizes[*axis];
    if (!dims) {
      dims = std::move(sizes);
      continue;
    }
    for (auto [i, size] : llvm::enumerate(sizes)) {
      IndexExpr &both = (*dims)[i];
      if (int64_t(i) == *axis || skipped)
        continue;
      if (failed(shape.expectEqual(both, size,
                                   "axis " + Twine(i) + " of the operands")))
        return failure();
      if (size.isLiteral() || both.isQuestionmark())
        both = size;
    }
  }
  if (!dims && !allKnown)
    return success();
  if (!dims) // All are empty; use the first one.
    dims = shape.getDims(shape.getOperands().front());
  else
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

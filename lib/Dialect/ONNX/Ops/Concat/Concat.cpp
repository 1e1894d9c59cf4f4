// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Concat.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Runtimes skip empty operands, whatever their shape.
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
  return check;
}

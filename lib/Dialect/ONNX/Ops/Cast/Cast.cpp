// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Cast.h"

#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr StringRef roundModes[] = {"up", "down", "nearest"};

LogicalResult BitCastOp::verify() {
  Check check(*this);
  check.dataType("(C1)", "to", getTo(), getOutput());
  std::optional<DataType> to = dataTypeFromNumber(getTo());
  Type element = elementTypeOf(getInput());
  std::optional<DataType> from =
      element ? elements::toDataType(element) : std::nullopt;
  if (to && from)
    check.that("(C2)", getBitWidth(*to) == getBitWidth(*from),
               "a type of " + Twine(getBitWidth(*from)) + " bits",
               getName(*to) + " of " + Twine(getBitWidth(*to)));
  return check;
}

LogicalResult CastOp::verify() {
  return Check(*this)
      .dataType("(C1)", "to", getTo(), getOutput())
      .oneOf("(C2)", "round_mode", getRoundMode(), roundModes)
      .flag("(C3)", "saturate", getSaturate());
}

LogicalResult CastLikeOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "round_mode", getRoundMode(), roundModes)
      .flag("(C2)", "saturate", getSaturate());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult BitCastOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult CastLikeOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult CastOp::computeShape(ShapeHelper &) { return success(); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Logic.h"

#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult BitShiftOp::verify() {
  return Check(*this).oneOf("(C2)", "direction", getDirection(),
                            {"LEFT", "RIGHT"});
}

//===-- Entries of shapes -----------------------------------------------------===//

using Entry = ArrayRef<IndexExpr>;

std::optional<DimsExpr> AndOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] & in[1]; });
}

std::optional<DimsExpr> NotOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return !in[0]; });
}

std::optional<DimsExpr> OrOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] | in[1]; });
}

std::optional<DimsExpr> XorOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] != in[1]; });
}

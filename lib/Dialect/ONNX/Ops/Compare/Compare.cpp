// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Compare.h"

#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult IsInfOp::verify() {
  return Check(*this)
      .flag("(C1)", "detect_negative", getDetectNegative())
      .flag("(C1)", "detect_positive", getDetectPositive());
}

//===-- Entries of shapes -----------------------------------------------------===//

using Entry = ArrayRef<IndexExpr>;

std::optional<DimsExpr> EqualOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] == in[1]; });
}

std::optional<DimsExpr> GreaterOp::computeEntries(ShapeHelper &shape,
                                                  unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] > in[1]; });
}

std::optional<DimsExpr> GreaterOrEqualOp::computeEntries(ShapeHelper &shape,
                                                         unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] >= in[1]; });
}

std::optional<DimsExpr> LessOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] < in[1]; });
}

std::optional<DimsExpr> LessOrEqualOp::computeEntries(ShapeHelper &shape,
                                                      unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] <= in[1]; });
}

std::optional<DimsExpr> WhereOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(
      shape, [](Entry in) { return IndexExpr::select(in[0], in[1], in[2]); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"

#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult ClipOp::verify() {
  return Check(*this)
      .oneElement("(C1)", "min", getMin())
      .oneElement("(C1)", "max", getMax());
}

LogicalResult ModOp::verify() {
  return Check(*this).flag("(C2)", "fmod", getFmod());
}

template <typename Op> static LogicalResult verifyVariadic(Op op) {
  return Check(op).that("(C2)", op->getNumOperands() > 0, "an operand", "none");
}

LogicalResult MaxOp::verify() { return verifyVariadic(*this); }
LogicalResult MeanOp::verify() { return verifyVariadic(*this); }
LogicalResult MinOp::verify() { return verifyVariadic(*this); }
LogicalResult SumOp::verify() { return verifyVariadic(*this); }

//===-- Entries of shapes -----------------------------------------------------===//

using Entry = ArrayRef<IndexExpr>;

std::optional<DimsExpr> AbsOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) {
    return IndexExpr::max(in[0], IndexExpr(0) - in[0]);
  });
}

std::optional<DimsExpr> AddOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] + in[1]; });
}

/// Division rounded towards zero. Undefined if a sign is unknown, because the direction
/// is then unknown too.
static IndexExpr truncDiv(IndexExpr left, IndexExpr right) {
  if (left.isAtLeast(0) && right.isAtLeast(0))
    return left.floorDiv(right);
  if (!left.isLiteral() || !right.isLiteral())
    return IndexExpr();
  return (left.getLiteral() < 0) == (right.getLiteral() < 0)
             ? left.floorDiv(right)
             : left.ceilDiv(right);
}

std::optional<DimsExpr> DivOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape,
                            [](Entry in) { return truncDiv(in[0], in[1]); });
}

std::optional<DimsExpr> MaxOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) {
    IndexExpr most = in[0];
    for (IndexExpr entry : in.drop_front())
      most = IndexExpr::max(most, entry);
    return most;
  });
}

std::optional<DimsExpr> MinOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) {
    IndexExpr least = in[0];
    for (IndexExpr entry : in.drop_front())
      least = IndexExpr::min(least, entry);
    return least;
  });
}

std::optional<DimsExpr> ModOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [&](Entry in) {
    return getFmod() ? in[0] - truncDiv(in[0], in[1]) * in[1] : in[0] % in[1];
  });
}

std::optional<DimsExpr> MulOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] * in[1]; });
}

std::optional<DimsExpr> NegOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape,
                            [](Entry in) { return IndexExpr(0) - in[0]; });
}

std::optional<DimsExpr> SubOp::computeEntries(ShapeHelper &shape, unsigned) {
  return shape::elementwise(shape, [](Entry in) { return in[0] - in[1]; });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Reduce.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

template <typename Op> static LogicalResult verifyArg(Op op) {
  return Check(op)
      .axis("(C1)", "axis", op.getAxis(), op.getData())
      .flag("(C2)", "keepdims", op.getKeepdims())
      .flag("(C2)", "select_last_index", op.getSelectLastIndex());
}

LogicalResult ArgMaxOp::verify() { return verifyArg(*this); }
LogicalResult ArgMinOp::verify() { return verifyArg(*this); }

template <typename Op> static LogicalResult verifyCumulative(Op op) {
  return Check(op)
      .oneElement("(C1)", "axis", op.getAxis())
      .flag("(C2)", "exclusive", op.getExclusive())
      .flag("(C2)", "reverse", op.getReverse());
}

LogicalResult CumProdOp::verify() { return verifyCumulative(*this); }
LogicalResult CumSumOp::verify() { return verifyCumulative(*this); }

template <typename Op> static LogicalResult verifyReduction(Op op) {
  return Check(op)
      .vector("(C1)", "axes", op.getAxes())
      .flag("(C2)", "keepdims", op.getKeepdims())
      .flag("(C2)", "noop_with_empty_axes", op.getNoopWithEmptyAxes());
}

LogicalResult ReduceL1Op::verify() { return verifyReduction(*this); }
LogicalResult ReduceL2Op::verify() { return verifyReduction(*this); }
LogicalResult ReduceLogSumOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceLogSumExpOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceMaxOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceMeanOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceMinOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceProdOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceSumOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceSumSquareOp::verify() { return verifyReduction(*this); }

LogicalResult TopKOp::verify() {
  return Check(*this)
      .axis("(C1)", "axis", getAxis(), getX())
      .oneElement("(C2)", "K", getK())
      .flag("(C3)", "largest", getLargest())
      .flag("(C3)", "sorted", getSorted());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult ArgMaxOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ArgMinOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult CumProdOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult CumSumOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceL1Op::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceL2Op::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceLogSumExpOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult ReduceLogSumOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceMaxOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceMeanOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceMinOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceProdOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceSumOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ReduceSumSquareOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult TopKOp::computeShape(ShapeHelper &) { return success(); }

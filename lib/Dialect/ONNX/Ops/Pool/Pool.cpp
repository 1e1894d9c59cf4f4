// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Pool.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// (C1) to (C3) of the pools that move a window.
template <typename Op> static Check verifyPool(Op op) {
  Check check(op);
  check.oneOf("(C1)", "auto_pad", op.getAutoPad(), autoPads)
      .window("(C2)", "(C3)",
              {op.getKernelShape(), op.getStrides(), op.getDilations(),
               op.getPads(), spatialRank(op.getX())});
  return check;
}

LogicalResult AveragePoolOp::verify() {
  return verifyPool(*this)
      .flag("(C4)", "ceil_mode", getCeilMode())
      .flag("(C4)", "count_include_pad", getCountIncludePad());
}

LogicalResult GlobalLpPoolOp::verify() {
  return Check(*this).atLeast("(C1)", "p", getP(), 1);
}

LogicalResult LpPoolOp::verify() {
  return verifyPool(*this)
      .flag("(C4)", "ceil_mode", getCeilMode())
      .atLeast("(C5)", "p", getP(), 1);
}

LogicalResult MaxPoolOp::verify() {
  return verifyPool(*this)
      .flag("(C4)", "ceil_mode", getCeilMode())
      .flag("(C4)", "storage_order", getStorageOrder());
}

LogicalResult MaxRoiPoolOp::verify() {
  return Check(*this)
      .length("(C1)", "pooled_shape", getPooledShape().size(), 2)
      .eachAtLeast("(C1)", "pooled_shape", getPooledShape(), 1)
      .rank("(C2)", "X", getX(), 4)
      .rank("(C2)", "rois", getRois(), 2)
      .dim("(C2)", "rois", getRois(), 1, 5);
}

LogicalResult MaxUnpoolOp::verify() {
  return Check(*this)
      .window("(C1)", "(C2)",
              {getKernelShape(), getStrides(), /*dilations=*/std::nullopt,
               getPads(), spatialRank(getX())})
      .sameRank("(C3)", "I", getI(), "X", getX());
}

LogicalResult RoiAlignOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "mode", getMode(), {"avg", "max"})
      .oneOf("(C2)", "coordinate_transformation_mode",
             getCoordinateTransformationMode(),
             {"half_pixel", "output_half_pixel"})
      .atLeast("(C3)", "output_height", getOutputHeight(), 1)
      .atLeast("(C3)", "output_width", getOutputWidth(), 1)
      .atLeast("(C3)", "sampling_ratio", getSamplingRatio(), 0)
      .rank("(C4)", "X", getX(), 4)
      .rank("(C4)", "rois", getRois(), 2)
      .dim("(C4)", "rois", getRois(), 1, 4)
      .vector("(C4)", "batch_indices", getBatchIndices(), dimOf(getRois(), 0));
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult AveragePoolOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult GlobalLpPoolOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult LpPoolOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult MaxPoolOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult MaxRoiPoolOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult MaxUnpoolOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult RoiAlignOp::computeShape(ShapeHelper &) { return success(); }

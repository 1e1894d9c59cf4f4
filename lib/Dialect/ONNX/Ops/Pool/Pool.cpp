// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Pool.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Checks (C1) to (C3) of the pools with a moving window.
template <typename Op> static Check verifyPool(Op op) {
  Check check(op);
  check.oneOf("(C1)", "auto_pad", op.getAutoPad(), autoPads)
      .rankAtLeast("(C3)", "X", op.getX(), 2)
      .window("(C2)", "(C3)",
              {op.getKernelShape(), op.getStrides(), op.getDilations(),
               op.getPads(), spatialRank(op.getX())})
      .length("(C3)", "kernel_shape", op.getKernelShape().size(),
              spatialRank(op.getX()));
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
      .rankAtLeast("(C2)", "X", getX(), 2)
      .window("(C1)", "(C2)",
              {getKernelShape(), getStrides(), /*dilations=*/std::nullopt,
               getPads(), spatialRank(getX())})
      .length("(C2)", "kernel_shape", getKernelShape().size(),
              spatialRank(getX()))
      .sameRank("(C3)", "I", getI(), "X", getX())
      .vector("(C4)", "output_shape", getOutputShape(), rankOf(getX()));
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

static DimsExpr toDims(ArrayRef<int64_t> sizes) {
  return DimsExpr(sizes.begin(), sizes.end());
}

/// Returns the window of a pool with a moving window; `X` must have a known rank.
template <typename Op>
static FailureOr<SlidingWindow> slideWindow(Op op, ShapeHelper &shape,
                                            Check::Label label) {
  DimsExpr x = shape.getDims(shape.operandsOf(op).getX());
  return slideOver(shape, label, ArrayRef(x).drop_front(2),
                   toDims(op.getKernelShape()), op.getAutoPad(),
                   {op.getKernelShape(), op.getStrides(), op.getDilations(),
                    op.getPads(), std::nullopt},
                   op.getCeilMode() ? Overhang::Counted : Overhang::Truncated);
}

/// Sets the shape of all results: N x C x the window's output.
template <typename Op>
static LogicalResult computePool(Op op, ShapeHelper &shape) {
  auto in = shape.operandsOf(op);
  DimsExpr dims;
  if (shape.hasShape(in.getX())) {
    FailureOr<SlidingWindow> window = op.computeWindow(shape);
    if (failed(window))
      return failure();
    dims = {shape.getDim(in.getX(), 0), shape.getDim(in.getX(), 1)};
    llvm::append_range(dims, window->output);
  } else {
    dims = shape.getQuestionmarks(op.getKernelShape().size() + 2);
  }
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    shape.setOutputDims(dims, i);
  return success();
}

FailureOr<SlidingWindow> AveragePoolOp::computeWindow(ShapeHelper &shape) {
  return slideWindow(*this, shape, "(C5)");
}

LogicalResult AveragePoolOp::computeShape(ShapeHelper &shape) {
  return computePool(*this, shape);
}

FailureOr<SlidingWindow> LpPoolOp::computeWindow(ShapeHelper &shape) {
  return slideWindow(*this, shape, "(C6)");
}

LogicalResult LpPoolOp::computeShape(ShapeHelper &shape) {
  return computePool(*this, shape);
}

FailureOr<SlidingWindow> MaxPoolOp::computeWindow(ShapeHelper &shape) {
  return slideWindow(*this, shape, "(C5)");
}

LogicalResult MaxPoolOp::computeShape(ShapeHelper &shape) {
  return computePool(*this, shape);
}

/// All spatial axes get size one.
static LogicalResult computeGlobalPool(ShapeHelper &shape, Value x) {
  if (!shape.hasShape(x))
    return success();
  DimsExpr dims = shape.getDims(x);
  for (size_t axis = 2; axis < dims.size(); ++axis)
    dims[axis] = 1;
  shape.setOutputDims(std::move(dims));
  return success();
}

LogicalResult GlobalAveragePoolOp::computeShape(ShapeHelper &shape) {
  return computeGlobalPool(shape, shape.operandsOf(*this).getX());
}

LogicalResult GlobalLpPoolOp::computeShape(ShapeHelper &shape) {
  return computeGlobalPool(shape, shape.operandsOf(*this).getX());
}

LogicalResult GlobalMaxPoolOp::computeShape(ShapeHelper &shape) {
  return computeGlobalPool(shape, shape.operandsOf(*this).getX());
}

FailureOr<SlidingWindow> MaxUnpoolOp::computeWindow(ShapeHelper &shape) {
  DimsExpr x = shape.getDims(shape.operandsOf(*this).getX());
  return spreadOver(shape, "(C5)", ArrayRef(x).drop_front(2),
                    toDims(getKernelShape()), "NOTSET",
                    {getKernelShape(), getStrides(), /*dilations=*/std::nullopt,
                     getPads(), std::nullopt});
}

LogicalResult MaxUnpoolOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  std::optional<int64_t> rank = shape.getRank(in.getX());
  std::optional<DimsExpr> given;
  if (in.getOutputShape())
    given =
        shape.getBuilder().getIntsFromArrayAsSymbols(in.getOutputShape(), rank);
  if (!rank) {
    shape.setOutputDims(
        given ? *given : shape.getQuestionmarks(getKernelShape().size() + 2));
    return success();
  }
  DimsExpr dims = shape.getDims(in.getX());
  if (given) {
    for (unsigned axis : {0, 1})
      if (failed(shape.expectEqual(dims[axis], (*given)[axis],
                                   "batch and channels of 'X' and of "
                                   "'output_shape'")))
        return failure();
    llvm::copy(llvm::drop_begin(*given, 2), dims.begin() + 2);
  } else {
    FailureOr<SlidingWindow> window = computeWindow(shape);
    if (failed(window))
      return failure();
    llvm::copy(window->output, dims.begin() + 2);
  }
  shape.setOutputDims(std::move(dims));
  return success();
}

/// Returns the number of boxes and the number of channels; the caller appends the sizes
/// of the result for each box.
static DimsExpr boxesOf(ShapeHelper &shape, Value x, Value rois) {
  return {shape.hasShape(rois) ? shape.getDim(rois, 0)
                               : shape.getQuestionmark(),
          shape.hasShape(x) ? shape.getDim(x, 1) : shape.getQuestionmark()};
}

LogicalResult MaxRoiPoolOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  DimsExpr dims = boxesOf(shape, in.getX(), in.getRois());
  llvm::append_range(dims, getPooledShape());
  shape.setOutputDims(std::move(dims));
  return success();
}

LogicalResult RoiAlignOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  DimsExpr dims = boxesOf(shape, in.getX(), in.getRois());
  if (shape.getRank(in.getBatchIndices()) == 1) {
    IndexExpr indices = shape.getDim(in.getBatchIndices(), 0);
    if (failed(shape.expectEqual(dims[0], indices,
                                 "the number of boxes and of 'batch_indices'")))
      return failure();
    if (dims[0].isQuestionmark())
      dims[0] = indices;
  }
  dims.append({IndexExpr(getOutputHeight()), IndexExpr(getOutputWidth())});
  shape.setOutputDims(std::move(dims));
  return success();
}

//===-- Calls -----------------------------------------------------------------===//

FailureOr<RuntimeCall> MaxPoolOp::describeCall(ShapeHelper &shape) {
  FailureOr<SlidingWindow> window = computeWindow(shape);
  if (failed(window))
    return failure();
  DimsExpr x = shape.getDims(shape.operandsOf(*this).getX());
  RuntimeCall call(*this, "MaxPool");
  call.add(getX()).addWindow(*window, ArrayRef(x).drop_front(2));
  call.set("by_columns", getStorageOrder() != 0);
  return call;
}

FailureOr<RuntimeCall> MaxUnpoolOp::describeCall(ShapeHelper &shape) {
  FailureOr<SlidingWindow> window = computeWindow(shape);
  if (failed(window) || failed(computeShape(shape)))
    return failure();
  DimsExpr pooled = shape.getDims(shape.operandsOf(*this).getX());
  llvm::copy(window->output, pooled.begin() + 2);
  RuntimeCall call(*this, "MaxUnpool");
  call.add(getX()).add(getI()).addNumbers(pooled);
  call.addNumbers(shape.getOutputDims());
  return call;
}

RuntimeCall MaxRoiPoolOp::describeCall() {
  RuntimeCall call(*this, "MaxRoiPool");
  call.add(getX()).add(getRois());
  call.set("height", getPooledShape()[0]).set("width", getPooledShape()[1]);
  call.set("scale", double(getSpatialScale()));
  return call;
}

RuntimeCall RoiAlignOp::describeCall() {
  RuntimeCall call(*this, "RoiAlign");
  call.add(getX()).add(getRois()).add(getBatchIndices());
  call.set("height", getOutputHeight()).set("width", getOutputWidth());
  call.set("scale", double(getSpatialScale()));
  call.set("samples", getSamplingRatio());
  call.set("half_pixel", getCoordinateTransformationMode() == "half_pixel");
  call.set("takes_greatest", getMode() == "max");
  return call;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Signal.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

template <typename Op> static LogicalResult verifyWindow(Op op) {
  return Check(op)
      .dataType("(C1)", "output_datatype", op.getOutputDatatype(),
                op.getOutput())
      .oneElement("(C2)", "size", op.getSize())
      .flag("(C3)", "periodic", op.getPeriodic());
}

LogicalResult BlackmanWindowOp::verify() { return verifyWindow(*this); }
LogicalResult HammingWindowOp::verify() { return verifyWindow(*this); }
LogicalResult HannWindowOp::verify() { return verifyWindow(*this); }

LogicalResult DFTOp::verify() {
  Check check(*this);
  check.flag("(C1)", "inverse", getInverse())
      .flag("(C1)", "onesided", getOnesided())
      .rankAtLeast("(C2)", "input", getInput(), 2)
      .oneElement("(C3)", "dft_length", getDftLength())
      .oneElement("(C3)", "axis", getAxis());
  if (std::optional<int64_t> parts = dimOf(getInput(), -1))
    check.that("(C2)", *parts == 1 || *parts == 2,
               "the last axis of 'input' to have 1 or 2 elements",
               Twine(*parts));
  return check;
}

LogicalResult MelWeightMatrixOp::verify() {
  return Check(*this)
      .dataType("(C1)", "output_datatype", getOutputDatatype(), getOutput())
      .oneElement("(C2)", "num_mel_bins", getNumMelBins())
      .oneElement("(C2)", "dft_length", getDftLength())
      .oneElement("(C2)", "sample_rate", getSampleRate())
      .oneElement("(C2)", "lower_edge_hertz", getLowerEdgeHertz())
      .oneElement("(C2)", "upper_edge_hertz", getUpperEdgeHertz());
}

LogicalResult STFTOp::verify() {
  return Check(*this)
      .flag("(C1)", "onesided", getOnesided())
      .rankAtLeast("(C2)", "signal", getSignal(), 2)
      .oneElement("(C3)", "frame_step", getFrameStep())
      .oneElement("(C3)", "frame_length", getFrameLength())
      .vector("(C4)", "window", getWindow());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult BlackmanWindowOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult DFTOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult HammingWindowOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult HannWindowOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult MelWeightMatrixOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult STFTOp::computeShape(ShapeHelper &) { return success(); }

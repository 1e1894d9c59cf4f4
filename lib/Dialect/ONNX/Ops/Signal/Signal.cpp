// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Signal.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

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
  std::optional<int64_t> rank = rankOf(getSignal());
  return Check(*this)
      .flag("(C1)", "onesided", getOnesided())
      .that("(C2)", !rank || *rank == 2 || *rank == 3,
            "'signal' to have rank 2 or 3", Twine(rank.value_or(0)))
      .oneElement("(C3)", "frame_step", getFrameStep())
      .oneElement("(C3)", "frame_length", getFrameLength())
      .vector("(C4)", "window", getWindow());
}

//===-- Shapes ----------------------------------------------------------------===//

/// Reads a number from an operand. If it is known at compile time, it must be at least
/// `least`.
static IndexExpr readNumber(ShapeHelper &shape, Check &check,
                            Check::Label label, StringRef what, Value operand,
                            int64_t least) {
  IndexExpr number = shape.getBuilder().getIntAsSymbol(operand);
  if (number.isLiteral())
    check.atLeast(label, what, number.getLiteral(), least);
  return number;
}

/// The number of distinct frequencies of a transform of real numbers.
static IndexExpr oneSided(IndexExpr length) { return length.floorDiv(2) + 1; }

static Type typeOfNumber(MLIRContext *context, int64_t number) {
  std::optional<DataType> type = dataTypeFromNumber(number);
  return type ? elements::toType(context, *type) : Type();
}

template <typename Op>
static LogicalResult computeWindowShape(Op op, ShapeHelper &shape) {
  Check check(op);
  shape.setOutputDims({readNumber(shape, check, "(C4)", "size",
                                  shape.operandsOf(op).getSize(), 0)});
  shape.setElementType(typeOfNumber(op.getContext(), op.getOutputDatatype()));
  return check;
}

LogicalResult BlackmanWindowOp::computeShape(ShapeHelper &shape) {
  return computeWindowShape(*this, shape);
}

LogicalResult HammingWindowOp::computeShape(ShapeHelper &shape) {
  return computeWindowShape(*this, shape);
}

LogicalResult HannWindowOp::computeShape(ShapeHelper &shape) {
  return computeWindowShape(*this, shape);
}

LogicalResult DFTOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getInput()))
    return success();
  DimsExpr dims = shape.getDims(in.getInput());
  int64_t last = int64_t(dims.size()) - 1;
  bool toReal = getOnesided() && getInverse();
  Check check(*this);
  IndexExpr axis = shape.getBuilder().getIntAsSymbol(in.getAxis(), -2);
  if (axis.isLiteral()) {
    std::optional<int64_t> place =
        normalizeAxis(axis.getLiteral(), int64_t(dims.size()));
    check.that("(C4)", place && *place < last,
               "'axis' to be in [" + Twine(-last - 1) + ", " + Twine(last) +
                   ") and not the last",
               Twine(axis.getLiteral()));
  }
  IndexExpr given;
  if (in.getDftLength())
    given =
        readNumber(shape, check, "(C5)", "dft_length", in.getDftLength(), 1);
  for (int64_t i = 0; i < last; ++i) {
    IndexExpr length = in.getDftLength() ? given
                       : toReal          ? (dims[i] - 1) * 2
                                         : dims[i];
    if (getOnesided() && !toReal)
      length = oneSided(length);
    // The axis may be unknown; then it is compared with each axis.
    IndexExpr isAxis = axis == i | axis == i - last - 1;
    dims[i] = IndexExpr::select(isAxis, length, dims[i]);
  }
  dims[last] = toReal ? 1 : 2;
  shape.setOutputDims(std::move(dims));
  return check;
}

LogicalResult MelWeightMatrixOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  Check check(*this);
  IndexExpr length =
      readNumber(shape, check, "(C3)", "dft_length", in.getDftLength(), 0);
  IndexExpr bands =
      readNumber(shape, check, "(C3)", "num_mel_bins", in.getNumMelBins(), 0);
  shape.setOutputDims({oneSided(length), bands});
  shape.setElementType(typeOfNumber(getContext(), getOutputDatatype()));
  return check;
}

LogicalResult STFTOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  bool known = shape.hasShape(in.getSignal());
  IndexExpr batch =
      known ? shape.getDim(in.getSignal(), 0) : shape.getQuestionmark();
  IndexExpr signal =
      known ? shape.getDim(in.getSignal(), 1) : shape.getQuestionmark();
  // A window of one element may be a scalar.
  IndexExpr window;
  if (in.getWindow())
    window = shape.hasShape(in.getWindow())
                 ? shape.getBuilder().getNumElements(in.getWindow())
                 : shape.getQuestionmark();
  Check check(*this);
  IndexExpr frame = in.getFrameLength()
                        ? shape.getBuilder().getIntAsSymbol(in.getFrameLength())
                    : in.getWindow() ? window
                                     : signal;
  IndexExpr step =
      readNumber(shape, check, "(C5)", "frame_step", in.getFrameStep(), 1);
  if (failed(check))
    return check;
  if (window.isLiteral() && frame.isLiteral())
    check.that("(C6)", window.getLiteral() == frame.getLiteral(),
               "a frame of " + Twine(window.getLiteral()) +
                   ", the length of the window",
               Twine(frame.getLiteral()));
  if (signal.isLiteral() && frame.isLiteral())
    check.that("(C6)",
               frame.getLiteral() >= 0 &&
                   frame.getLiteral() <= signal.getLiteral(),
               "a frame of at most " + Twine(signal.getLiteral()) +
                   ", the length of the signal",
               Twine(frame.getLiteral()));
  // At run time the step may be invalid, and the division must not trap.
  if (shape.getScope().canEmit())
    step = IndexExpr::max(step, 1);
  IndexExpr frames = (signal - frame).floorDiv(step) + 1;
  shape.setOutputDims(
      {batch, frames, getOnesided() ? oneSided(frame) : frame, 2});
  return check;
}

//===-- Calls -----------------------------------------------------------------===//

RuntimeCall STFTOp::describeCall() {
  RuntimeCall call(*this, "STFT");
  call.add(getSignal()).add(getFrameStep()).add(getWindow());
  call.add(getFrameLength()).set("onesided", getOnesided() != 0);
  return call;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Conv.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult CausalConvWithStateOp::verify() {
  std::optional<int64_t> channels = dimOf(getInput(), 1);
  return Check(*this)
      .oneOf("(C1)", "activation", getActivation(), {"none", "silu", "swish"})
      .rank("(C2)", "input", getInput(), 3)
      .rank("(C2)", "weight", getWeight(), 3)
      .rank("(C2)", "past_state", getPastState(), 3)
      .dim("(C2)", "weight", getWeight(), 0, channels)
      .dim("(C2)", "weight", getWeight(), 1, 1)
      .vector("(C3)", "bias", getBias(), channels);
}

LogicalResult Col2ImOp::verify() {
  std::optional<int64_t> axes = dimOf(getImageShape(), 0);
  return Check(*this).window("(C1)", "(C2)",
                             {/*kernelShape=*/std::nullopt, getStrides(),
                              getDilations(), getPads(),
                              axes ? axes : dimOf(getBlockShape(), 0)});
}

LogicalResult ConvOp::verify() {
  return verifyConvolution(*this, getX(), getW(), getB(), getAutoPad(),
                           getGroup(),
                           {getKernelShape(), getStrides(), getDilations(),
                            getPads(), std::nullopt});
}

LogicalResult ConvTransposeOp::verify() {
  std::optional<int64_t> axes = spatialRank(getX());
  if (!axes)
    axes = spatialRank(getW());
  Check check(*this);
  check.oneOf("(C1)", "auto_pad", getAutoPad(), autoPads)
      .window("(C2)", "(C3)",
              {getKernelShape(), getStrides(), getDilations(), getPads(), axes})
      .length("(C3)", "output_padding", lengthOf(getOutputPadding()), axes)
      .atLeast("(C4)", "group", getGroup(), 1)
      .dim("(C5)", "W", getW(), 0, dimOf(getX(), 1));
  // Some exporters list the batch and the channels too; runtimes take the last entries.
  std::optional<int64_t> outputShape = lengthOf(getOutputShape());
  if (axes && outputShape && *outputShape != *axes + 2)
    check.length("(C3)", "output_shape", outputShape, axes);
  if (std::optional<int64_t> channels = dimOf(getW(), 0);
      channels && getGroup() >= 1)
    check.that("(C4)", *channels % getGroup() == 0,
               "'group' to divide the " + Twine(*channels) + " channels",
               Twine(getGroup()));
  return check;
}

LogicalResult DeformConvOp::verify() {
  Check check(*this);
  check
      .window("(C1)", "(C2)",
              {getKernelShape(), getStrides(), getDilations(), getPads(),
               spatialRank(getX())})
      .atLeast("(C3)", "group", getGroup(), 1)
      .atLeast("(C3)", "offset_group", getOffsetGroup(), 1);
  std::optional<int64_t> channels = dimOf(getX(), 1);
  if (failed(check) || !channels)
    return check;
  return check
      .that("(C3)", *channels % getGroup() == 0,
            "'group' to divide the " + Twine(*channels) + " channels",
            Twine(getGroup()))
      .that("(C3)", *channels % getOffsetGroup() == 0,
            "'offset_group' to divide the " + Twine(*channels) + " channels",
            Twine(getOffsetGroup()));
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult CausalConvWithStateOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult Col2ImOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ConvOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ConvTransposeOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult DeformConvOp::computeShape(ShapeHelper &) { return success(); }

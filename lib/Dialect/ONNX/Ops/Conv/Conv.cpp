// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Conv.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"

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
  return Check(*this)
      .window("(C1)", "(C2)",
              {/*kernelShape=*/std::nullopt, getStrides(), getDilations(),
               getPads(), axes ? axes : dimOf(getBlockShape(), 0)})
      .rank("(C3)", "input", getInput(), 3)
      .rank("(C3)", "image_shape", getImageShape(), 1)
      .rank("(C3)", "block_shape", getBlockShape(), 1)
      .dim("(C3)", "block_shape", getBlockShape(), 0, axes);
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
      .rankAtLeast("(C3)", "X", getX(), 2)
      .window("(C2)", "(C3)",
              {getKernelShape(), getStrides(), getDilations(), getPads(), axes})
      .length("(C3)", "output_padding", lengthOf(getOutputPadding()), axes)
      .atLeast("(C4)", "group", getGroup(), 1)
      .rankAtLeast("(C5)", "W", getW(), 2)
      .sameRank("(C5)", "W", getW(), "X", getX())
      .dim("(C5)", "W", getW(), 0, dimOf(getX(), 1));
  // Some exporters also list the batch and the channels; runtimes use the last entries.
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
  check.rankAtLeast("(C2)", "X", getX(), 2)
      .window("(C1)", "(C2)",
              {getKernelShape(), getStrides(), getDilations(), getPads(),
               spatialRank(getX())})
      .atLeast("(C3)", "group", getGroup(), 1)
      .atLeast("(C3)", "offset_group", getOffsetGroup(), 1)
      .rankAtLeast("(C4)", "W", getW(), 2)
      .sameRank("(C4)", "W", getW(), "X", getX())
      .sameRank("(C4)", "offset", getOffset(), "X", getX())
      .sameRank("(C4)", "mask", getMask(), "X", getX());
  std::optional<int64_t> channels = dimOf(getX(), 1);
  if (failed(check) || !channels)
    return check;
  return check
      .that("(C3)", *channels % getGroup() == 0,
            "'group' to divide the " + Twine(*channels) + " channels",
            Twine(getGroup()))
      .that("(C3)", *channels % getOffsetGroup() == 0,
            "'offset_group' to divide the " + Twine(*channels) + " channels",
            Twine(getOffsetGroup()))
      .dim("(C4)", "W", getW(), 1, *channels / getGroup());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult CausalConvWithStateOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  DimsExpr state = shape.getQuestionmarks(3);
  if (shape.hasShape(in.getPastState()))
    state = shape.getDims(in.getPastState());
  if (shape.hasShape(in.getWeight())) {
    DimsExpr weight = shape.getDims(in.getWeight());
    if (failed(shape.expectEqual(state[1], weight[0],
                                 "the channels of state and weights")) ||
        failed(shape.expectEqual(state[2], weight[2] - 1,
                                 "the length of the state and of a filter "
                                 "without its last tap")))
      return failure();
    state[1] = weight[0];
    state[2] = weight[2] - 1;
  }
  DimsExpr output = {state[0], state[1], shape.getQuestionmark()};
  if (shape.hasShape(in.getInput())) {
    output = shape.getDims(in.getInput());
    for (unsigned axis : {0, 1})
      if (failed(shape.expectEqual(output[axis], state[axis],
                                   "batch and channels of input and state")))
        return failure();
    state[0] = output[0];
    state[1] = output[1];
  }
  shape.setDimsOf(getOutput(), std::move(output));
  shape.setDimsOf(getPresentState(), std::move(state));
  return success();
}

namespace {
/// The sizes that a Col2Im lists, if they are known.
struct ImageAndBlock {
  DimsExpr image, block;
};
} // namespace

static std::optional<ImageAndBlock> readSizes(Col2ImOp op, ShapeHelper &shape) {
  auto in = shape.operandsOf(op);
  IndexExprBuilder &builder = shape.getBuilder();
  std::optional<int64_t> axes = builder.getArraySize(in.getImageShape());
  if (!axes)
    axes = builder.getArraySize(in.getBlockShape());
  if (!axes)
    return std::nullopt;
  auto image = builder.getIntsFromArrayAsSymbols(in.getImageShape(), axes);
  auto block = builder.getIntsFromArrayAsSymbols(in.getBlockShape(), axes);
  if (!image || !block)
    return std::nullopt;
  return ImageAndBlock{std::move(*image), std::move(*block)};
}

FailureOr<SlidingWindow> Col2ImOp::computeWindow(ShapeHelper &shape) {
  std::optional<ImageAndBlock> sizes = readSizes(*this, shape);
  if (!sizes)
    return failure();
  for (IndexExpr size : sizes->block)
    if (failed(Check(*this).that(
            "(C4)", !size.isLiteral() || size.getLiteral() >= 1,
            "entries of 'block_shape' to be at least 1",
            Twine(size.isLiteral() ? size.getLiteral() : 0))))
      return failure();
  int64_t axes = sizes->image.size();
  return slideOver(shape, "(C4)", sizes->image, std::move(sizes->block),
                   "NOTSET",
                   {/*kernelShape=*/std::nullopt, getStrides(), getDilations(),
                    getPads(), axes},
                   Overhang::None);
}

LogicalResult Col2ImOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  std::optional<ImageAndBlock> sizes = readSizes(*this, shape);
  if (!sizes)
    return success();
  FailureOr<SlidingWindow> window = computeWindow(shape);
  if (failed(window))
    return failure();
  IndexExpr elements = 1, blocks = 1;
  for (auto [size, count] : llvm::zip_equal(window->kernel, window->output)) {
    elements = elements * size;
    blocks = blocks * count;
  }
  DimsExpr dims = shape.getQuestionmarks(2);
  if (shape.hasShape(in.getInput())) {
    DimsExpr input = shape.getDims(in.getInput());
    if (failed(shape.expectEqual(input[2], blocks,
                                 "the number of columns and of blocks")))
      return failure();
    // At run time a block may be empty, and the division must not trap.
    if (shape.getScope().canEmit())
      elements = IndexExpr::max(elements, 1);
    dims = {input[0], input[1].floorDiv(elements)};
  }
  llvm::append_range(dims, sizes->image);
  shape.setOutputDims(std::move(dims));
  return success();
}

FailureOr<SlidingWindow> ConvOp::computeWindow(ShapeHelper &shape) {
  return onnx::computeWindow(shape, "(C6)", convolutionOf(*this, shape));
}

LogicalResult ConvOp::computeShape(ShapeHelper &shape) {
  return onnx::computeShape(shape, "(C6)", convolutionOf(*this, shape));
}

FailureOr<SlidingWindow> ConvTransposeOp::computeWindow(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  DimsExpr x = shape.getDims(in.getX());
  ArrayRef<IndexExpr> places = ArrayRef(x).drop_front(2);
  Window::List sizes = getOutputShape();
  if (sizes)
    sizes = sizes->take_back(places.size());
  if (sizes && sizes->empty())
    sizes = std::nullopt;
  return spreadOver(
      shape, "(C6)", places, getKernel(shape, getKernelShape(), in.getW()),
      getAutoPad(),
      {getKernelShape(), getStrides(), getDilations(), getPads(), std::nullopt},
      getOutputPadding(), sizes);
}

LogicalResult ConvTransposeOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  bool hasWeights = shape.hasShape(in.getW());
  std::optional<int64_t> rank =
      findRank(shape, in.getX(), in.getW(), getKernelShape());
  if (!rank)
    return success();
  DimsExpr dims = shape.getQuestionmarks(*rank);
  if (hasWeights)
    dims[1] = shape.getDim(in.getW(), 1) * getGroup();
  if (shape.hasShape(in.getX())) {
    dims[0] = shape.getDim(in.getX(), 0);
    if (hasWeights && failed(shape.expectEqual(shape.getDim(in.getX(), 1),
                                               shape.getDim(in.getW(), 0),
                                               "the channels of 'X' and 'W'")))
      return failure();
    if (hasWeights || lengthOf(getKernelShape())) {
      FailureOr<SlidingWindow> window = computeWindow(shape);
      if (failed(window))
        return failure();
      llvm::copy(window->output, dims.begin() + 2);
    }
  }
  shape.setOutputDims(std::move(dims));
  return success();
}

FailureOr<SlidingWindow> DeformConvOp::computeWindow(ShapeHelper &shape) {
  return onnx::computeWindow(shape, "(C5)", convolutionOf(*this, shape));
}

LogicalResult DeformConvOp::computeShape(ShapeHelper &shape) {
  if (failed(onnx::computeShape(shape, "(C5)", convolutionOf(*this, shape))))
    return failure();
  if (!shape.hasOutputDims())
    return success();
  auto in = shape.operandsOf(*this);
  const DimsExpr &dims = shape.getOutputDims();
  // Both have an entry for each position of the window.
  for (Value taps : {in.getOffset(), in.getMask()}) {
    if (shape.getRank(taps) != dims.size())
      continue;
    for (auto [axis, size] : llvm::enumerate(dims))
      if (axis != 1 &&
          failed(shape.expectEqual(size, shape.getDim(taps, axis),
                                   "the places of the kernel and of the "
                                   "offsets and masks for them")))
        return failure();
  }
  return success();
}

//===-- Calls -----------------------------------------------------------------===//

FailureOr<RuntimeCall> Col2ImOp::describeCall(ShapeHelper &shape) {
  FailureOr<SlidingWindow> window = computeWindow(shape);
  if (failed(window))
    return failure();
  RuntimeCall call(*this, "Col2Im");
  call.add(getInput()).addWindow(*window, readSizes(*this, shape)->image);
  return call;
}

FailureOr<RuntimeCall> DeformConvOp::describeCall(ShapeHelper &shape) {
  FailureOr<SlidingWindow> window = computeWindow(shape);
  if (failed(window))
    return failure();
  DimsExpr x = shape.getDims(shape.operandsOf(*this).getX());
  RuntimeCall call(*this, "DeformConv");
  call.add(getX()).add(getW()).add(getOffset()).add(getB()).add(getMask());
  call.addWindow(*window, ArrayRef(x).drop_front(2));
  call.set("groups", getGroup()).set("offset_groups", getOffsetGroup());
  return call;
}

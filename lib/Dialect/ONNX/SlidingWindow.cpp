// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/SlidingWindow.h"

#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns an entry of a list, or `otherwise` if the list is empty or not given.
static IndexExpr getEntry(Window::List list, size_t i, int64_t otherwise) {
  return list && i < list->size() ? (*list)[i] : otherwise;
}

/// Whether a size is negative for all sizes of the inputs.
static bool isNegative(IndexExpr size) {
  return size.isDefined() && size.getBounds().most < 0;
}

namespace {
struct Pads {
  IndexExpr begin = 0, end = 0;
};
} // namespace

/// Returns the pads that the operator lists. They count only without `auto_pad`.
static Pads getListed(const Window &given, StringRef autoPad, size_t i,
                      size_t axes) {
  if (autoPad != "NOTSET")
    return {};
  return {getEntry(given.pads, i, 0), getEntry(given.pads, i + axes, 0)};
}

static bool isSame(StringRef autoPad) { return autoPad.starts_with("SAME"); }

static void addAxis(SlidingWindow &window, IndexExpr stride, IndexExpr dilation,
                    Pads pads, IndexExpr output) {
  window.strides.push_back(stride);
  window.dilations.push_back(dilation);
  window.padsBegin.push_back(pads.begin);
  window.padsEnd.push_back(pads.end);
  window.output.push_back(output);
}

DimsExpr invar::onnx::getKernel(ShapeHelper &shape, Window::List listed,
                                Value w) {
  if (listed && !listed->empty())
    return DimsExpr(listed->begin(), listed->end());
  return DimsExpr(ArrayRef(shape.getDims(w)).drop_front(2));
}

/// Returns the number of positions of a window in a padded image.
static IndexExpr countPlaces(ShapeHelper &shape, IndexExpr padded,
                             IndexExpr extent, IndexExpr stride,
                             IndexExpr padsEnd, Overhang overhang) {
  IndexExpr room = padded - extent;
  // A position may overhang the end by less than a stride, but must not begin in the
  // padding after the image.
  if (overhang == Overhang::Counted)
    return IndexExpr::min(room + stride, padded - padsEnd).ceilDiv(stride);
  // A symbolic expression assumes that the window fits. With both cases it would not
  // simplify when windows slide over the results of windows.
  if (overhang == Overhang::Truncated &&
      (room.isLiteral() || shape.getScope().canEmit()))
    return IndexExpr::select(room < 0, room.ceilDiv(stride),
                             room.floorDiv(stride)) +
           1;
  return room.floorDiv(stride) + 1;
}

FailureOr<SlidingWindow>
invar::onnx::slideOver(ShapeHelper &shape, Check::Label label,
                       ArrayRef<IndexExpr> image, DimsExpr kernel,
                       StringRef autoPad, const Window &given,
                       Overhang overhang) {
  SlidingWindow window;
  for (auto [i, size] : llvm::enumerate(image)) {
    IndexExpr stride = getEntry(given.strides, i, 1);
    IndexExpr dilation = getEntry(given.dilations, i, 1);
    IndexExpr extent = (kernel[i] - 1) * dilation + 1;
    if (isSame(autoPad)) {
      IndexExpr count = size.ceilDiv(stride);
      IndexExpr total = IndexExpr::max((count - 1) * stride + extent - size, 0);
      IndexExpr begin =
          autoPad == "SAME_LOWER" ? total.ceilDiv(2) : total.floorDiv(2);
      addAxis(window, stride, dilation, {begin, total - begin}, count);
      continue;
    }
    Pads pads = getListed(given, autoPad, i, image.size());
    IndexExpr padded = size + pads.begin + pads.end;
    IndexExpr count =
        countPlaces(shape, padded, extent, stride, pads.end, overhang);
    if (isNegative(overhang == Overhang::None ? padded - extent : count))
      return LogicalResult(
          Check(shape.getOperation())
              .that(label, false,
                    "a window that fits into the padded size " +
                        llvm::to_string(padded) + " of spatial axis " +
                        Twine(i),
                    llvm::to_string(extent)));
    // At run time, too, a size must not be negative for any image.
    if (shape.getScope().canEmit())
      count = IndexExpr::max(count, 0);
    addAxis(window, stride, dilation, pads, count);
  }
  window.kernel = std::move(kernel);
  return window;
}

FailureOr<SlidingWindow>
invar::onnx::spreadOver(ShapeHelper &shape, Check::Label label,
                        ArrayRef<IndexExpr> places, DimsExpr kernel,
                        StringRef autoPad, const Window &given,
                        Window::List outputPadding, Window::List sizes) {
  SlidingWindow window;
  for (auto [i, count] : llvm::enumerate(places)) {
    IndexExpr stride = getEntry(given.strides, i, 1);
    IndexExpr dilation = getEntry(given.dilations, i, 1);
    IndexExpr full = (count - 1) * stride + getEntry(outputPadding, i, 0) +
                     (kernel[i] - 1) * dilation + 1;
    Pads pads = getListed(given, autoPad, i, places.size());
    IndexExpr size = full - pads.begin - pads.end;
    if (sizes || isSame(autoPad)) {
      // The padding removes the excess. If there is no excess, the result is smaller
      // than the size that SAME asks for.
      IndexExpr wanted = sizes ? IndexExpr((*sizes)[i]) : count * stride;
      IndexExpr total = IndexExpr::max(full - wanted, 0);
      pads.begin =
          autoPad == "SAME_UPPER" ? total.floorDiv(2) : total.ceilDiv(2);
      pads.end = total - pads.begin;
      size = sizes ? wanted : full - total;
    }
    if (isNegative(size))
      return LogicalResult(
          Check(shape.getOperation())
              .that(label, false,
                    "a size for spatial axis " + Twine(i) + " of the result",
                    llvm::to_string(size)));
    if (shape.getScope().canEmit())
      size = IndexExpr::max(size, 0);
    addAxis(window, stride, dilation, pads, size);
  }
  window.kernel = std::move(kernel);
  return window;
}

//===-- Convolutions ----------------------------------------------------------===//

std::optional<int64_t> invar::onnx::findRank(ShapeHelper &shape, Value x,
                                             Value w, Window::List kernel) {
  for (Value operand : {x, w})
    if (std::optional<int64_t> rank = shape.getRank(operand))
      return rank;
  std::optional<int64_t> axes = lengthOf(kernel);
  return axes ? *axes + 2 : axes;
}

FailureOr<SlidingWindow>
invar::onnx::computeWindow(ShapeHelper &shape, Check::Label label,
                           const Convolution &convolution) {
  DimsExpr x = shape.getDims(convolution.x);
  return slideOver(
      shape, label, ArrayRef(x).drop_front(2),
      getKernel(shape, convolution.window.kernelShape, convolution.w),
      convolution.autoPad, convolution.window, Overhang::None);
}

/// Checks that the operands agree: channels, features, and the kernel shape if it is
/// listed.
static LogicalResult expectAgreement(ShapeHelper &shape,
                                     const Convolution &convolution) {
  if (!shape.hasShape(convolution.w))
    return success();
  DimsExpr w = shape.getDims(convolution.w);
  if (shape.hasShape(convolution.x) &&
      failed(shape.expectEqual(shape.getDim(convolution.x, 1),
                               w[1] * convolution.group,
                               "the channels of input and weights")))
    return failure();
  if (convolution.b && shape.getRank(convolution.b) == 1 &&
      failed(shape.expectEqual(shape.getDim(convolution.b, 0), w[0],
                               "the features of bias and weights")))
    return failure();
  DimsExpr kernel =
      getKernel(shape, convolution.window.kernelShape, convolution.w);
  for (auto [listed, size] : llvm::zip(kernel, ArrayRef(w).drop_front(2)))
    if (failed(shape.expectEqual(
            listed, size, "the kernel's sizes as listed and as weights")))
      return failure();
  return success();
}

LogicalResult invar::onnx::computeShape(ShapeHelper &shape, Check::Label label,
                                        const Convolution &convolution) {
  Window::List kernel = convolution.window.kernelShape;
  bool hasWeights = shape.hasShape(convolution.w);
  std::optional<int64_t> rank =
      findRank(shape, convolution.x, convolution.w, kernel);
  if (!rank)
    return success();
  if (failed(expectAgreement(shape, convolution)))
    return failure();
  DimsExpr dims = shape.getQuestionmarks(*rank);
  if (hasWeights)
    dims[1] = shape.getDim(convolution.w, 0);
  if (shape.hasShape(convolution.x)) {
    dims[0] = shape.getDim(convolution.x, 0);
    if (hasWeights || lengthOf(kernel)) {
      FailureOr<SlidingWindow> window =
          computeWindow(shape, label, convolution);
      if (failed(window))
        return failure();
      llvm::copy(window->output, dims.begin() + 2);
    }
  }
  shape.setOutputDims(std::move(dims));
  return success();
}

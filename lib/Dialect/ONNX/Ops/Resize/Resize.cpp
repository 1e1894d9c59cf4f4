// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Resize.h"

#include "ResizeAxes.h"
#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Kernels/GridSample.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult AffineGridOp::verify() {
  Check check(*this);
  check.flag("(C1)", "align_corners", getAlignCorners())
      .rank("(C2)", "theta", getTheta(), 3)
      .vector("(C3)", "size", getSize());
  // A scalar passes as a vector of one element.
  if (std::optional<int64_t> count =
          rankOf(getSize()) == 0 ? 1 : dimOf(getSize(), 0))
    check.that("(C3)", *count == 4 || *count == 5,
               "'size' to have 4 or 5 elements", Twine(*count));
  return check;
}

LogicalResult GridSampleOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "mode", getMode(), {"linear", "nearest", "cubic"})
      .oneOf("(C2)", "padding_mode", getPaddingMode(),
             {"zeros", "border", "reflection"})
      .flag("(C3)", "align_corners", getAlignCorners())
      .rankAtLeast("(C5)", "X", getX(), 3)
      .rankAtLeast("(C5)", "grid", getGrid(), 3)
      .sameRank("(C4)", "grid", getGrid(), "X", getX())
      .dim("(C4)", "grid", getGrid(), -1, spatialRank(getX()));
}

LogicalResult ResizeOp::verify() {
  Check check(*this);
  check.oneOf("(C1)", "mode", getMode(), {"nearest", "linear", "cubic"})
      .oneOf("(C2)", "coordinate_transformation_mode",
             getCoordinateTransformationMode(),
             {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
              "align_corners", "asymmetric", "tf_crop_and_resize",
              "tf_half_pixel_for_nn"})
      .oneOf("(C3)", "nearest_mode", getNearestMode(),
             {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})
      .oneOf("(C4)", "keep_aspect_ratio_policy", getKeepAspectRatioPolicy(),
             {"stretch", "not_larger", "not_smaller"})
      .flag("(C5)", "antialias", getAntialias())
      .flag("(C5)", "exclude_outside", getExcludeOutside())
      .axes("(C7)", "axes", getAxes(), getX());
  // Older exporters write an empty tensor for an operand that is not given.
  auto isGiven = [](Value value) {
    return value && dimOf(value, 0).value_or(0) != 0;
  };
  auto lengthOf = [](Value value) -> std::optional<int64_t> {
    std::optional<int64_t> length = value ? dimOf(value, 0) : std::nullopt;
    return length == 0 ? std::nullopt : length;
  };
  std::optional<int64_t> axes =
      getAxes() ? std::optional(int64_t(getAxes()->size())) : rankOf(getX());
  return check
      .that("(C6)", getScales() || getSizes(), "'scales' or 'sizes'", "neither")
      .notBoth("(C6)", "scales", isGiven(getScales()), "sizes",
               isGiven(getSizes()))
      .length("(C8)", "scales", lengthOf(getScales()), axes)
      .length("(C8)", "sizes", lengthOf(getSizes()), axes);
}

LogicalResult UpsampleOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "mode", getMode(), {"nearest", "linear", "cubic"})
      .vector("(C2)", "scales", getScales(), rankOf(getX()));
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult AffineGridOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  // N x C and the spatial sizes; `theta` has as many rows as there are spatial sizes.
  std::optional<int64_t> count = shape.getBuilder().getArraySize(in.getSize());
  if (!count && dimOf(in.getTheta(), 1))
    count = *dimOf(in.getTheta(), 1) + 2;
  auto sizes =
      shape.getBuilder().getIntsFromArrayAsSymbols(in.getSize(), count);
  if (!sizes)
    return success();
  if (shape.hasShape(in.getTheta()) &&
      failed(shape.expectEqual(shape.getDim(in.getTheta(), 0), sizes->front(),
                               "the batches of 'theta' and 'size'")))
    return failure();
  sizes->erase(sizes->begin() + 1);
  sizes->push_back(*count - 2);
  shape.setOutputDims(std::move(*sizes));
  return success();
}

LogicalResult GridSampleOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  bool known = shape.hasShape(in.getX());
  if (!shape.hasShape(in.getGrid())) {
    if (known) {
      DimsExpr dims = shape.getQuestionmarks(*shape.getRank(in.getX()));
      std::copy_n(shape.getDims(in.getX()).begin(), 2, dims.begin());
      shape.setOutputDims(std::move(dims));
    }
    return success();
  }
  DimsExpr dims = shape.getDims(in.getGrid());
  dims.pop_back();
  if (known && failed(shape.expectEqual(shape.getDim(in.getX(), 0), dims[0],
                                        "the batches of 'X' and 'grid'")))
    return failure();
  dims.insert(dims.begin() + 1,
              known ? shape.getDim(in.getX(), 1) : shape.getQuestionmark());
  shape.setOutputDims(std::move(dims));
  return success();
}

SmallVector<int64_t> ResizeOp::getResizedAxes(int64_t rank) {
  std::optional<ArrayRef<int64_t>> given = getAxes();
  if (!given)
    return llvm::to_vector(llvm::seq<int64_t>(rank));
  SmallVector<int64_t> axes;
  for (int64_t axis : *given)
    if (std::optional<int64_t> front = normalizeAxis(axis, rank))
      axes.push_back(*front);
  return axes;
}

/// Multiplies sizes of axes by factors.
static LogicalResult scale(ShapeHelper &shape, Check::Label label,
                           DimsExpr &dims, ArrayRef<int64_t> axes,
                           Value scales) {
  IndexExprBuilder &builder = shape.getBuilder();
  Check check(shape.getOperation());
  for (auto [i, axis] : llvm::enumerate(axes)) {
    std::optional<double> factor =
        builder.getFloatFromArrayAsLiteral(scales, i);
    check.that(label, !factor || *factor > 0, "scales greater than 0",
               llvm::formatv("{0}", factor.value_or(0)).str());
    dims[axis] = builder.getScaled(dims[axis], scales, i);
  }
  return check;
}

/// Scales all axes by one factor, the least (or largest) that `sizes` ask for:
/// round(factor · size), halves up.
static DimsExpr keepAspectRatio(ShapeHelper &shape, ArrayRef<IndexExpr> from,
                                ArrayRef<IndexExpr> sizes, bool isLeast) {
  auto isLiteral = [](IndexExpr size) { return size.isLiteral(); };
  DimsExpr result;
  if (llvm::all_of(from, isLiteral) && llvm::all_of(sizes, isLiteral)) {
    // Runtimes divide in float, which matters near a half.
    std::optional<float> factor;
    for (auto [size, old] : llvm::zip(sizes, from)) {
      float each = float(size.getLiteral()) / float(old.getLiteral());
      factor = !factor   ? each
               : isLeast ? std::min(*factor, each)
                         : std::max(*factor, each);
    }
    for (IndexExpr old : from) {
      float size = std::round(*factor * float(old.getLiteral()));
      // The size exceeds 64 bits, or there was a division by zero.
      result.push_back(size >= 0 && size < 0x1p63f ? IndexExpr(int64_t(size))
                                                   : shape.getQuestionmark());
    }
    return result;
  }
  // Rounding is monotonic, so the least rounded size is the rounded least size.
  for (IndexExpr old : from) {
    IndexExpr best;
    for (auto [size, other] : llvm::zip(sizes, from)) {
      // At run time a size may be zero, and the division must not trap.
      IndexExpr divisor =
          shape.getScope().canEmit() ? IndexExpr::max(other, 1) : other;
      IndexExpr rounded = (size * old * 2 + divisor).floorDiv(divisor * 2);
      best = !best.isDefined() ? rounded
             : isLeast         ? IndexExpr::min(best, rounded)
                               : IndexExpr::max(best, rounded);
    }
    result.push_back(best);
  }
  return result;
}

/// Whether a list of scales or sizes is given, as far as is known. An empty list counts
/// as left out.
static bool mayBeGiven(Value list) { return list && dimOf(list, 0) != 0; }

LogicalResult ResizeOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  SmallVector<int64_t> axes = getResizedAxes(int64_t(dims.size()));
  bool hasScales = mayBeGiven(in.getScales()),
       hasSizes = mayBeGiven(in.getSizes());
  if (hasScales == hasSizes) { // It is unknown which is given.
    for (int64_t axis : axes)
      dims[axis] = shape.getQuestionmark();
    shape.setOutputDims(std::move(dims));
    return success();
  }
  Check check(*this);
  if (hasScales) {
    if (failed(scale(shape, "(C9)", dims, axes, in.getScales())))
      return failure();
  } else {
    DimsExpr from, sizes;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      from.push_back(dims[axis]);
      sizes.push_back(
          shape.getBuilder().getIntFromArrayAsSymbol(in.getSizes(), i));
      if (sizes.back().isLiteral())
        check.that("(C9)", sizes.back().getLiteral() >= 0,
                   "sizes of at least 0", Twine(sizes.back().getLiteral()));
    }
    if (getKeepAspectRatioPolicy() != "stretch")
      sizes = keepAspectRatio(shape, from, sizes,
                              getKeepAspectRatioPolicy() == "not_larger");
    for (auto [axis, size] : llvm::zip(axes, sizes))
      dims[axis] = size;
  }
  shape.setOutputDims(std::move(dims));
  return check;
}

LogicalResult UpsampleOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  auto axes = llvm::to_vector(llvm::seq<int64_t>(dims.size()));
  if (failed(scale(shape, "(C3)", dims, axes, in.getScales())))
    return failure();
  shape.setOutputDims(std::move(dims));
  return success();
}

//===-- Calls -----------------------------------------------------------------===//

FailureOr<RuntimeCall> ResizeOp::describeCall(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  bool hasScales = mayBeGiven(in.getScales()),
       hasSizes = mayBeGiven(in.getSizes());
  if ((hasScales && hasSizes) || failed(computeShape(shape)))
    return failure();
  SmallVector<int64_t> axes = getResizedAxes(*shape.getRank(in.getX()));
  kernels::Coordinates coordinates = getCoordinates(*this);
  RuntimeCall call(*this, "Resize");
  call.add(getX()).addNumbers(shape.getOutputDims());
  call.add(hasScales ? getScales() : Value());
  call.add(coordinates == kernels::Coordinates::TfCropAndResize ? getRoi()
                                                                : Value());
  if (!hasScales)
    call.add(getSizes());
  kernels::Filter filter = getFilter(*this);
  call.set("axes", axes).set("coordinates", int64_t(coordinates));
  call.set("aspect", int64_t(getAspect(*this)));
  call.set("takes_nearest", getMode() == "nearest");
  call.set("nearest", int64_t(getNearest(*this)));
  call.set("interpolation", int64_t(filter.interpolation));
  call.set("cubic_coefficient", filter.cubicCoefficient);
  call.set("antialias", filter.antialias);
  call.set("exclude_outside", filter.excludeOutside);
  call.set("outside", double(getExtrapolationValue()));
  return call;
}

FailureOr<RuntimeCall> UpsampleOp::describeCall(ShapeHelper &shape) {
  if (failed(computeShape(shape)))
    return failure();
  RuntimeCall call(*this, "Resize");
  call.add(getX()).addNumbers(shape.getOutputDims()).add(getScales());
  kernels::Filter filter = getFilter(*this);
  call.set("axes",
           llvm::to_vector(llvm::seq<int64_t>(shape.getOutputDims().size())));
  call.set("coordinates", int64_t(kernels::Coordinates::Asymmetric));
  call.set("takes_nearest", getMode() == "nearest");
  call.set("nearest", int64_t(kernels::Nearest::Floor));
  call.set("interpolation", int64_t(filter.interpolation));
  call.set("cubic_coefficient", filter.cubicCoefficient);
  return call;
}

RuntimeCall GridSampleOp::describeCall() {
  using kernels::Outside;
  auto outside = llvm::StringSwitch<Outside>(getPaddingMode())
                     .Case("border", Outside::Border)
                     .Case("reflection", Outside::Reflection)
                     .Default(Outside::Zeros);
  RuntimeCall call(*this, "GridSample");
  call.add(getX()).add(getGrid());
  call.set("align_corners", getAlignCorners() != 0);
  call.set("outside", int64_t(outside));
  call.set("takes_nearest", getMode() == "nearest");
  call.set("is_cubic", getMode() == "cubic");
  return call;
}

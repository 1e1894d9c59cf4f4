// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Resize.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult AffineGridOp::verify() {
  Check check(*this);
  check.flag("(C1)", "align_corners", getAlignCorners())
      .rank("(C2)", "theta", getTheta(), 3)
      .vector("(C3)", "size", getSize());
  if (std::optional<int64_t> count = dimOf(getSize(), 0))
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
  // Older exporters write an empty tensor for the one that is not meant.
  auto isGiven = [](Value value) {
    return value && dimOf(value, 0).value_or(0) != 0;
  };
  return check
      .that("(C6)", getScales() || getSizes(), "'scales' or 'sizes'", "neither")
      .notBoth("(C6)", "scales", isGiven(getScales()), "sizes",
               isGiven(getSizes()));
}

LogicalResult UpsampleOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "mode", getMode(), {"nearest", "linear", "cubic"})
      .vector("(C2)", "scales", getScales(), rankOf(getX()));
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult AffineGridOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult GridSampleOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult ResizeOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult UpsampleOp::computeShape(ShapeHelper &) { return success(); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How Resize changes an axis, for folding and for lowering.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_RESIZE_RESIZEAXES_H
#define INVAR_LIB_DIALECT_ONNX_OPS_RESIZE_RESIZEAXES_H

#include "invar/Dialect/ONNX/Ops/Resize.h"
#include "invar/Kernels/Resample.h"
#include "llvm/ADT/StringSwitch.h"

namespace invar::onnx {

/// One axis of a tensor and how it is resized.
struct AxisChange {
  int64_t axis;
  kernels::ResizedAxis resized;
};

inline kernels::Coordinates getCoordinates(ResizeOp op) {
  using kernels::Coordinates;
  return llvm::StringSwitch<Coordinates>(op.getCoordinateTransformationMode())
      .Case("half_pixel_symmetric", Coordinates::HalfPixelSymmetric)
      .Case("pytorch_half_pixel", Coordinates::PytorchHalfPixel)
      .Case("align_corners", Coordinates::AlignCorners)
      .Case("asymmetric", Coordinates::Asymmetric)
      .Case("tf_crop_and_resize", Coordinates::TfCropAndResize)
      .Case("tf_half_pixel_for_nn", Coordinates::TfHalfPixelForNN)
      .Default(Coordinates::HalfPixel);
}

inline kernels::Nearest getNearest(ResizeOp op) {
  using kernels::Nearest;
  return llvm::StringSwitch<Nearest>(op.getNearestMode())
      .Case("round_prefer_ceil", Nearest::HalfUp)
      .Case("floor", Nearest::Floor)
      .Case("ceil", Nearest::Ceil)
      .Default(Nearest::HalfDown);
}

inline kernels::Filter getFilter(ResizeOp op) {
  return {op.getMode() == "cubic" ? kernels::Interpolation::Cubic
                                  : kernels::Interpolation::Linear,
          op.getCubicCoeffA(), op.getAntialias() != 0,
          op.getExcludeOutside() != 0};
}
inline kernels::Filter getFilter(UpsampleOp op) {
  return {op.getMode() == "cubic" ? kernels::Interpolation::Cubic
                                  : kernels::Interpolation::Linear,
          /*cubicCoefficient=*/-0.75, /*antialias=*/false,
          /*excludeOutside=*/false};
}

/// Whether an axis stays unchanged.
inline bool isUnchanged(const kernels::ResizedAxis &axis) {
  return axis.scale == 1 && axis.from == axis.to && axis.cropStart == 0 &&
         axis.cropEnd == 1 &&
         axis.coordinates != kernels::Coordinates::TfHalfPixelForNN;
}

/// Sets all scales to the one that keeps the aspect ratio; does nothing for "stretch".
inline void keepAspectRatio(ResizeOp op, llvm::MutableArrayRef<double> scales) {
  if (op.getKeepAspectRatioPolicy() != "stretch" && !scales.empty())
    llvm::fill(scales, op.getKeepAspectRatioPolicy() == "not_larger"
                           ? *llvm::min_element(scales)
                           : *llvm::max_element(scales));
}

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_RESIZE_RESIZEAXES_H

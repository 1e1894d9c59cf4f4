// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of Resize as kernels understand them.
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

inline kernels::Aspect getAspect(ResizeOp op) {
  using kernels::Aspect;
  return llvm::StringSwitch<Aspect>(op.getKeepAspectRatioPolicy())
      .Case("not_larger", Aspect::Least)
      .Case("not_smaller", Aspect::Greatest)
      .Default(Aspect::Stretch);
}

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_RESIZE_RESIZEAXES_H

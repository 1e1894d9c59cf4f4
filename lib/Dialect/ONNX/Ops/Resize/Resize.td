// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AffineGridOp : ONNX_Op<"AffineGrid", 20, [Pure]> {
  let summary = "sampling positions of an affine transform";
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  let arguments = (ins
      T1:$theta, Var<"T2", TensorIn<[Int64]>>:$size, IntOr<0>:$align_corners);
  let results = (outs T1:$grid);
}

def ONNX_GridSampleOp : ONNX_Op<"GridSample", 22, [Pure]> {
  let summary = "an image sampled at given positions";
  defvar T1 = Var<"T1", TensorIn<PlainTypes>>;
  let arguments = (ins
      T1:$X, Var<"T2", TensorIn<Floats>>:$grid, IntOr<0>:$align_corners,
      StrOr<"linear">:$mode, StrOr<"zeros">:$padding_mode);
  let results = (outs T1:$Y);
}

def ONNX_ResizeOp : ONNX_Op<"Resize", 19, [Pure]> {
  let summary = "a tensor resampled to another size";
  defvar T1 = Var<"T1", TensorIn<PlainTypes>>;
  let arguments = (ins
      T1:$X, Optional<Var<"T2", TensorIn<[Float, Float16, Double]>>>:$roi,
      Optional<TensorIn<[Float]>>:$scales, Optional<TensorIn<[Int64]>>:$sizes,
      IntOr<0>:$antialias, OptIntList:$axes,
      StrOr<"half_pixel">:$coordinate_transformation_mode,
      RealOr<"-0.75">:$cubic_coeff_a, IntOr<0>:$exclude_outside,
      RealOr<"0.0">:$extrapolation_value,
      StrOr<"stretch">:$keep_aspect_ratio_policy, StrOr<"nearest">:$mode,
      StrOr<"round_prefer_floor">:$nearest_mode);
  let results = (outs T1:$Y);
}

def ONNX_UpsampleOp : ONNX_Op<"Upsample", 10, [Pure]> {
  let summary = "a tensor enlarged by whole or real factors (the older Resize)";
  let deprecated = 1;
  defvar T = Var<"T", TensorIn<ClassicTypes>>;
  let arguments = (ins T:$X, TensorIn<[Float]>:$scales, StrOr<"nearest">:$mode);
  let results = (outs T:$Y);
}

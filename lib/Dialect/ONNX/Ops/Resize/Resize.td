// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AffineGridOp : ONNX_Op<"AffineGrid", 20, [Pure, Folds]> {
  let summary = "sampling positions of an affine transform";
  let description = [{
    `theta` holds a matrix of 2 x 3 or 3 x 4 for each image, `size` the shape N x C x (D
    x) H x W of what is to be sampled.

    - (C1) `align_corners` is 0 or 1.
    - (C2) `theta` has rank 3.
    - (C3) `size` is a vector of 4 or 5 elements.
  }];
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  let arguments = (ins
      T1:$theta, Var<"T2", TensorIn<[Int64]>>:$size, IntOr<0>:$align_corners);
  let results = (outs T1:$grid);
  let hasVerifier = 1;
}

def ONNX_GridSampleOp : ONNX_Op<"GridSample", 22, [Pure, Folds]> {
  let summary = "an image sampled at given positions";
  let description = [{
    Positions are in [-1, 1] along each spatial axis; the last axis of `grid` holds them.

    - (C1) `mode` is "linear", "nearest" or "cubic".
    - (C2) `padding_mode` is "zeros", "border" or "reflection".
    - (C3) `align_corners` is 0 or 1.
    - (C4) `grid` has the rank of `X`, and its last axis an element for each spatial axis.
    - (C5) `X` and `grid` have at least rank 3.
  }];
  defvar T1 = Var<"T1", TensorIn<PlainTypes>>;
  let arguments = (ins
      T1:$X, Var<"T2", TensorIn<Floats>>:$grid, IntOr<0>:$align_corners,
      StrOr<"linear">:$mode, StrOr<"zeros">:$padding_mode);
  let results = (outs T1:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_ResizeOp : ONNX_Op<"Resize", 19, [Pure, Folds]> {
  let summary = "a tensor resampled to another size";
  let description = [{
    The new size is given by factors or as such, for the `axes` or all of them. Runtimes
    use `roi` for positions only: the size does not depend on it.
    `coordinate_transformation_mode` says how positions of the result map to the
    operand's.

    - (C1) `mode` is "nearest", "linear" or "cubic".
    - (C2) `coordinate_transformation_mode` is "half_pixel", "half_pixel_symmetric",
      "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize" or, of an
      older opset, "tf_half_pixel_for_nn".
    - (C3) `nearest_mode` is "round_prefer_floor", "round_prefer_ceil", "floor" or "ceil".
    - (C4) `keep_aspect_ratio_policy` is "stretch", "not_larger" or "not_smaller".
    - (C5) `antialias` and `exclude_outside` are 0 or 1.
    - (C6) one of `scales` and `sizes` is given; the other is left out or empty.
    - (C7) `axes` are distinct axes of `X`.
    - (C8) `scales` and `sizes` have an entry for each axis that is meant.
    - (C9) scales are greater than 0, sizes at least 0.
  }];
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
  let hasVerifier = 1;
  let extraClassDeclaration = callDeclaration # [{
    /// The axes to resize, counted from the front: `axes`, or all.
    ::llvm::SmallVector<int64_t> getResizedAxes(int64_t rank);
  }];
}

def ONNX_UpsampleOp : ONNX_Op<"Upsample", 10, [Pure, Folds]> {
  let summary = "a tensor enlarged by whole or real factors (the older Resize)";
  let description = [{
    - (C1) `mode` is "nearest", "linear" or "cubic".
    - (C2) `scales` is a vector with an element for each axis of `X`.
    - (C3) scales are greater than 0.
  }];
  let deprecated = 1;
  defvar T = Var<"T", TensorIn<ClassicTypes>>;
  let arguments = (ins T:$X, TensorIn<[Float]>:$scales, StrOr<"nearest">:$mode);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = callDeclaration;
}

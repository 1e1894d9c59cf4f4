// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// A pool over all spatial axes, which keep size one.
class GlobalPoolOp<string name, dag attributes = (ins)> : ONNX_Op<name, 22, [Pure, Folds]> {
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = !con((ins T:$X), attributes);
  let results = (outs T:$Y);
}

def ONNX_AveragePoolOp : ONNX_Op<"AveragePool", 22, [Pure, Folds]> {
  let summary = "the mean over a moving window";
  let description = [{
    Positions in the padding count in the mean only with `count_include_pad`. With
    `ceil_mode` a last window that is not full counts too.

    - (C1) `auto_pad` is "NOTSET", "SAME_UPPER", "SAME_LOWER" or "VALID".
    - (C2) the entries of `kernel_shape`, `strides` and `dilations` are at least 1.
    - (C3) `kernel_shape`, `strides` and `dilations` have an entry for each spatial axis,
      `pads` has two.
    - (C4) `ceil_mode` and `count_include_pad` are 0 or 1.
    - (C5) the window fits into the padded `X`.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, StrOr<"NOTSET">:$auto_pad, IntOr<0>:$ceil_mode,
      IntOr<0>:$count_include_pad, OptIntList:$dilations, IntList:$kernel_shape,
      OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = windowDeclaration;
}

def ONNX_GlobalAveragePoolOp : GlobalPoolOp<"GlobalAveragePool"> {
  let summary = "the mean over all spatial axes";
}

def ONNX_GlobalLpPoolOp : GlobalPoolOp<"GlobalLpPool", (ins IntOr<2>:$p)> {
  let summary = "the p-norm over all spatial axes";
  let description = [{
    - (C1) `p` is at least 1.
  }];
  let hasVerifier = 1;
}

def ONNX_GlobalMaxPoolOp : GlobalPoolOp<"GlobalMaxPool"> {
  let summary = "the largest element over all spatial axes";
}

def ONNX_LpPoolOp : ONNX_Op<"LpPool", 22, [Pure, Folds]> {
  let summary = "the p-norm over a moving window";
  let description = [{
    - (C1) `auto_pad` is "NOTSET", "SAME_UPPER", "SAME_LOWER" or "VALID".
    - (C2) the entries of `kernel_shape`, `strides` and `dilations` are at least 1.
    - (C3) `kernel_shape`, `strides` and `dilations` have an entry for each spatial axis,
      `pads` has two.
    - (C4) `ceil_mode` is 0 or 1.
    - (C5) `p` is at least 1.
    - (C6) the window fits into the padded `X`.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, StrOr<"NOTSET">:$auto_pad, IntOr<0>:$ceil_mode, OptIntList:$dilations,
      IntList:$kernel_shape, IntOr<2>:$p, OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = windowDeclaration;
}

def ONNX_MaxPoolOp : ONNX_Op<"MaxPool", 22, [Pure, Folds]> {
  let summary = "the largest element over a moving window, and where it is";
  let description = [{
    `Indices` are positions in the flattened `X`, by rows or, with `storage_order` 1, by
    columns.

    - (C1) `auto_pad` is "NOTSET", "SAME_UPPER", "SAME_LOWER" or "VALID".
    - (C2) the entries of `kernel_shape`, `strides` and `dilations` are at least 1.
    - (C3) `kernel_shape`, `strides` and `dilations` have an entry for each spatial axis,
      `pads` has two.
    - (C4) `ceil_mode` and `storage_order` are 0 or 1.
    - (C5) the window fits into the padded `X`.
  }];
  defvar T = Var<"T", TensorIn<!listconcat(Floats, [UInt8, Int8])>>;
  let arguments = (ins
      T:$X, StrOr<"NOTSET">:$auto_pad, IntOr<0>:$ceil_mode, OptIntList:$dilations,
      IntList:$kernel_shape, OptIntList:$pads, IntOr<0>:$storage_order,
      OptIntList:$strides);
  let results = (outs T:$Y, Optional<Var<"I", TensorIn<[Int64]>>>:$Indices);
  let hasVerifier = 1;
  let extraClassDeclaration = windowCallDeclaration;
}

def ONNX_MaxRoiPoolOp : ONNX_Op<"MaxRoiPool", 22, [Pure, Folds]> {
  let summary = "the largest element over each part of given boxes";
  let description = [{
    A row of `rois` is the batch index and two corners: [batch, x1, y1, x2, y2].

    - (C1) `pooled_shape` is two sizes of at least 1.
    - (C2) `X` has rank 4 and `rois` is a matrix of 5 columns.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, T:$rois, IntList:$pooled_shape, RealOr<"1.0">:$spatial_scale);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_MaxUnpoolOp : ONNX_Op<"MaxUnpool", 22, [Pure, Folds]> {
  let summary = "elements put back where a MaxPool took them from";
  let description = [{
    - (C1) the entries of `kernel_shape` and `strides` are at least 1.
    - (C2) `kernel_shape` and `strides` have an entry for each spatial axis, `pads` has
      two.
    - (C3) `I` has the rank of `X`.
    - (C4) `output_shape` has an entry for each axis of `X`, those of batch and channels as
      `X` has them.
    - (C5) the padding leaves something of the result.
  }];
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  defvar T2 = Var<"T2", TensorIn<[Int64]>>;
  let arguments = (ins
      T1:$X, T2:$I, Optional<T2>:$output_shape, IntList:$kernel_shape,
      OptIntList:$pads, OptIntList:$strides);
  let results = (outs T1:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = windowCallDeclaration;
}

def ONNX_RoiAlignOp : ONNX_Op<"RoiAlign", 22, [Pure, Folds]> {
  let summary = "samples of given boxes, interpolated without rounding";
  let description = [{
    A row of `rois` is two corners, [x1, y1, x2, y2]; `batch_indices` says which image it
    is of. Without a `sampling_ratio` the number of samples follows from the box's size.

    - (C1) `mode` is "avg" or "max".
    - (C2) `coordinate_transformation_mode` is "half_pixel" or "output_half_pixel".
    - (C3) `output_height` and `output_width` are at least 1, `sampling_ratio` is at least
      0.
    - (C4) `X` has rank 4, `rois` is a matrix of 4 columns and `batch_indices` a vector of
      as many elements as it has rows.
  }];
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  let arguments = (ins
      T1:$X, T1:$rois, Var<"T2", TensorIn<[Int64]>>:$batch_indices,
      StrOr<"half_pixel">:$coordinate_transformation_mode, StrOr<"avg">:$mode,
      IntOr<1>:$output_height, IntOr<1>:$output_width, IntOr<0>:$sampling_ratio,
      RealOr<"1.0">:$spatial_scale);
  let results = (outs T1:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

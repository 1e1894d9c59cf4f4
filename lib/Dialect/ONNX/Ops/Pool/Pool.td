// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AveragePoolOp : ONNX_Op<"AveragePool", 22, [Pure]> {
  let summary = "the mean over a moving window";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, StrOr<"NOTSET">:$auto_pad, IntOr<0>:$ceil_mode,
      IntOr<0>:$count_include_pad, OptIntList:$dilations, IntList:$kernel_shape,
      OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$Y);
}

def ONNX_GlobalAveragePoolOp : ONNX_Op<"GlobalAveragePool", 22, [Pure]> {
  let summary = "the mean over all spatial axes";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_GlobalLpPoolOp : ONNX_Op<"GlobalLpPool", 22, [Pure]> {
  let summary = "the p-norm over all spatial axes";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, IntOr<2>:$p);
  let results = (outs T:$Y);
}

def ONNX_GlobalMaxPoolOp : ONNX_Op<"GlobalMaxPool", 22, [Pure]> {
  let summary = "the largest element over all spatial axes";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_LpPoolOp : ONNX_Op<"LpPool", 22, [Pure]> {
  let summary = "the p-norm over a moving window";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, StrOr<"NOTSET">:$auto_pad, IntOr<0>:$ceil_mode, OptIntList:$dilations,
      IntList:$kernel_shape, IntOr<2>:$p, OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$Y);
}

def ONNX_MaxPoolOp : ONNX_Op<"MaxPool", 22, [Pure]> {
  let summary = "the largest element over a moving window, and where it is";
  defvar T = Var<"T", TensorIn<!listconcat(Floats, [UInt8, Int8])>>;
  let arguments = (ins
      T:$X, StrOr<"NOTSET">:$auto_pad, IntOr<0>:$ceil_mode, OptIntList:$dilations,
      IntList:$kernel_shape, OptIntList:$pads, IntOr<0>:$storage_order,
      OptIntList:$strides);
  let results = (outs T:$Y, Optional<Var<"I", TensorIn<[Int64]>>>:$Indices);
}

def ONNX_MaxRoiPoolOp : ONNX_Op<"MaxRoiPool", 22, [Pure]> {
  let summary = "the largest element over each part of given boxes";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, T:$rois, IntList:$pooled_shape, RealOr<"1.0">:$spatial_scale);
  let results = (outs T:$Y);
}

def ONNX_MaxUnpoolOp : ONNX_Op<"MaxUnpool", 22, [Pure]> {
  let summary = "elements put back where a MaxPool took them from";
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  defvar T2 = Var<"T2", TensorIn<[Int64]>>;
  let arguments = (ins
      T1:$X, T2:$I, Optional<T2>:$output_shape, IntList:$kernel_shape,
      OptIntList:$pads, OptIntList:$strides);
  let results = (outs T1:$output);
}

def ONNX_RoiAlignOp : ONNX_Op<"RoiAlign", 22, [Pure]> {
  let summary = "samples of given boxes, interpolated without rounding";
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  let arguments = (ins
      T1:$X, T1:$rois, Var<"T2", TensorIn<[Int64]>>:$batch_indices,
      StrOr<"half_pixel">:$coordinate_transformation_mode, StrOr<"avg">:$mode,
      IntOr<1>:$output_height, IntOr<1>:$output_width, IntOr<0>:$sampling_ratio,
      RealOr<"1.0">:$spatial_scale);
  let results = (outs T1:$Y);
}

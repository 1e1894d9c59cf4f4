// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_CausalConvWithStateOp : ONNX_Op<"CausalConvWithState", 27, [Pure]> {
  let summary = "a depthwise convolution over the past, carrying its state along";
  defvar T = Var<"T", TensorIn<[Float, Float16, BFloat16]>>;
  let arguments = (ins
      T:$input, T:$weight, Optional<T>:$bias, Optional<T>:$past_state,
      StrOr<"none">:$activation);
  let results = (outs T:$output, T:$present_state);
}

def ONNX_Col2ImOp : ONNX_Op<"Col2Im", 18, [Pure]> {
  let summary = "columns of blocks added back into an image";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  defvar FixedInt64 = TensorIn<[Int64]>;
  let arguments = (ins
      T:$input, FixedInt64:$image_shape, FixedInt64:$block_shape,
      OptIntList:$dilations, OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$output);
}

def ONNX_ConvOp : ONNX_Op<"Conv", 22, [Pure]> {
  let summary = "a convolution";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, Optional<T>:$B, StrOr<"NOTSET">:$auto_pad, OptIntList:$dilations,
      IntOr<1>:$group, OptIntList:$kernel_shape, OptIntList:$pads,
      OptIntList:$strides);
  let results = (outs T:$Y);
}

def ONNX_ConvTransposeOp : ONNX_Op<"ConvTranspose", 22, [Pure]> {
  let summary = "the transpose of a convolution: its gradient, used as an upsampling";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, Optional<T>:$B, StrOr<"NOTSET">:$auto_pad, OptIntList:$dilations,
      IntOr<1>:$group, OptIntList:$kernel_shape, OptIntList:$output_padding,
      OptIntList:$output_shape, OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$Y);
}

def ONNX_DeformConvOp : ONNX_Op<"DeformConv", 22, [Pure]> {
  let summary = "a convolution whose taps are moved by learned offsets";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, T:$offset, Optional<T>:$B, Optional<T>:$mask,
      OptIntList:$dilations, IntOr<1>:$group, OptIntList:$kernel_shape,
      IntOr<1>:$offset_group, OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$Y);
}

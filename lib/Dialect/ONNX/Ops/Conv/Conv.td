// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_CausalConvWithStateOp : ONNX_Op<"CausalConvWithState", 27, [Pure, Folds]> {
  let summary = "a depthwise convolution over the past, carrying its state along";
  let description = [{
    The state holds the last positions before the input, one fewer than the kernel has, so
    that a sequence can be fed in pieces.

    - (C1) `activation` is "none", "silu" or "swish".
    - (C2) `input`, `weight` and `past_state` have rank 3, and `weight` a filter of one
      channel for each channel of `input`.
    - (C3) `bias` has an element for each channel.
  }];
  defvar T = Var<"T", TensorIn<[Float, Float16, BFloat16]>>;
  let arguments = (ins
      T:$input, T:$weight, Optional<T>:$bias, Optional<T>:$past_state,
      StrOr<"none">:$activation);
  let results = (outs T:$output, T:$present_state);
  let hasVerifier = 1;
}

def ONNX_Col2ImOp : ONNX_Op<"Col2Im", 18, [Pure, Folds]> {
  let summary = "columns of blocks added back into an image";
  let description = [{
    The inverse of cutting an image into (overlapping) blocks: elements that meet are
    added. `image_shape` and `block_shape` have an element for each spatial axis.

    - (C1) the entries of `strides` and `dilations` are at least 1.
    - (C2) `strides` and `dilations` have an entry for each spatial axis, `pads` has two.
    - (C3) `input` has rank 3, and `image_shape` and `block_shape` are vectors of one
      length.
    - (C4) the sizes of a block are at least 1, and it fits into the padded image.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  defvar FixedInt64 = TensorIn<[Int64]>;
  let arguments = (ins
      T:$input, FixedInt64:$image_shape, FixedInt64:$block_shape,
      OptIntList:$dilations, OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$output);
  let hasVerifier = 1;
  /// computeWindow() requires known sizes.
  let extraClassDeclaration = windowCallDeclaration;
}

def ONNX_ConvOp : ONNX_Op<"Conv", 22, [Pure, Folds]> {
  let summary = "a convolution";
  let description = [{
    `X` is N x C x D1 x D2 …, `W` is M x C/group x K1 x K2 …; `kernel_shape`, when not
    given, is taken from `W`. `pads` lists all beginnings, then all ends, and counts only
    when `auto_pad` is NOTSET.

    - (C1) `auto_pad` is "NOTSET", "SAME_UPPER", "SAME_LOWER" or "VALID".
    - (C2) the entries of `kernel_shape`, `strides` and `dilations` are at least 1.
    - (C3) `kernel_shape`, `strides` and `dilations` have an entry for each spatial axis,
      `pads` has two.
    - (C4) `group` is at least 1 and divides the channels and the features.
    - (C5) `W` has the rank of `X` and the channels of a group, and `B` an element for
      each feature.
    - (C6) the kernel fits into the padded `X`.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, Optional<T>:$B, StrOr<"NOTSET">:$auto_pad, OptIntList:$dilations,
      IntOr<1>:$group, OptIntList:$kernel_shape, OptIntList:$pads,
      OptIntList:$strides);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = windowDeclaration;
}

def ONNX_ConvTransposeOp : ONNX_Op<"ConvTranspose", 22, [Pure, Folds]> {
  let summary = "the transpose of a convolution: its gradient, used as an upsampling";
  let description = [{
    `W` is C x M/group x K1 x K2 …. The padding is either given by `pads` or found from
    `output_shape`, which may also list N and C.

    - (C1) `auto_pad` is "NOTSET", "SAME_UPPER", "SAME_LOWER" or "VALID".
    - (C2) the entries of `kernel_shape`, `strides` and `dilations` are at least 1.
    - (C3) `kernel_shape`, `strides`, `dilations`, `output_padding` and `output_shape`
      have an entry for each spatial axis, `pads` has two.
    - (C4) `group` is at least 1 and divides the channels.
    - (C5) `W` has the rank and the channels of `X`.
    - (C6) the padding leaves something of the result.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, Optional<T>:$B, StrOr<"NOTSET">:$auto_pad, OptIntList:$dilations,
      IntOr<1>:$group, OptIntList:$kernel_shape, OptIntList:$output_padding,
      OptIntList:$output_shape, OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = windowDeclaration;
}

def ONNX_DeformConvOp : ONNX_Op<"DeformConv", 22, [Pure, Folds]> {
  let summary = "a convolution whose taps are moved by learned offsets";
  let description = [{
    `offset` says, for each output position, kernel position and spatial axis, how far a
    tap is moved; `mask` weights the taps.

    - (C1) the entries of `kernel_shape`, `strides` and `dilations` are at least 1.
    - (C2) `kernel_shape`, `strides` and `dilations` have an entry for each spatial axis,
      `pads` has two.
    - (C3) `group` and `offset_group` are at least 1 and divide the channels.
    - (C4) `W`, `offset` and `mask` have the rank of `X`, and `W` the channels of a group.
    - (C5) the kernel fits into the padded `X`.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, T:$offset, Optional<T>:$B, Optional<T>:$mask,
      OptIntList:$dilations, IntOr<1>:$group, OptIntList:$kernel_shape,
      IntOr<1>:$offset_group, OptIntList:$pads, OptIntList:$strides);
  let results = (outs T:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = windowCallDeclaration;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// The types to which real numbers are quantized.
defvar Quantized = !listconcat(Float8s, Float6s, [Float4E2M1, UInt16, Int16, UInt8, Int8,
                                                  UInt4, Int4, UInt2, Int2]);

def ONNX_ConvIntegerOp : ONNX_Op<"ConvInteger", 10, [Pure, Folds]> {
  let summary = "a convolution of 8-bit integers, summed in 32 bits";
  let description = [{
    - (C1) `auto_pad` is "NOTSET", "SAME_UPPER", "SAME_LOWER" or "VALID".
    - (C2) the entries of `kernel_shape`, `strides` and `dilations` are at least 1.
    - (C3) `kernel_shape`, `strides` and `dilations` have an entry for each spatial axis,
      `pads` has two.
    - (C4) `group` is at least 1 and divides the channels and the features.
    - (C5) the weights have the rank of `x` and the channels of a group, and the bias an
      element for each feature.
    - (C6) the kernel fits into the padded `x`.
  }];
  defvar T1 = Var<"T1", TensorIn<[UInt8, Int8]>>;
  defvar T2 = Var<"T2", TensorIn<[UInt8, Int8]>>;
  let arguments = (ins
      T1:$x, T2:$w, Optional<T1>:$x_zero_point, Optional<T2>:$w_zero_point,
      StrOr<"NOTSET">:$auto_pad, OptIntList:$dilations, IntOr<1>:$group,
      OptIntList:$kernel_shape, OptIntList:$pads, OptIntList:$strides);
  let results = (outs Var<"T3", TensorIn<[Int32]>>:$y);
  let hasVerifier = 1;
  let extraClassDeclaration = windowDeclaration;
}

def ONNX_DequantizeLinearOp : ONNX_Op<"DequantizeLinear", 28, [Pure, Folds]> {
  let summary = "quantized elements as real numbers";
  let description = [{
    One scale stands for the whole tensor, a vector of scales has one for each index of
    `axis`, and with `block_size` a scale stands for so many indices of it.

    - (C1) `axis` is an axis of `x`, unless there is only one scale.
    - (C2) `block_size` is at least 0, and with it the scale has the rank of `x`.
    - (C3) a vector of scales has an element for each index of `axis`, and with `block_size`
      there is a scale for each block of it.
    - (C4) the zero point has the shape of the scale.
    - (C5) `output_dtype` is 0 or the number of a data type, the result's.
  }];
  defvar T1 = Var<"T1", TensorIn<!listconcat(Quantized, [Int32])>>;
  let arguments = (ins
      T1:$x, Var<"T2", TensorIn<[Float, Float16, BFloat16, Float8E8M0]>>:$x_scale,
      Optional<T1>:$x_zero_point, IntOr<1>:$axis, IntOr<0>:$block_size,
      IntOr<0>:$output_dtype);
  let results = (outs Var<"T3", TensorIn<[Float, Float16, BFloat16]>>:$y);
  let hasVerifier = 1;
}

def ONNX_DynamicQuantizeLinearOp : ONNX_Op<"DynamicQuantizeLinear", 11, [Pure, Folds]> {
  let summary = "elements quantized to 8 bits by their own range";
  defvar T2 = Var<"T2", TensorIn<[UInt8]>>;
  let arguments = (ins Var<"T1", TensorIn<[Float]>>:$x);
  let results = (outs T2:$y, TensorIn<[Float]>:$y_scale, T2:$y_zero_point);
}

def ONNX_MatMulIntegerOp : ONNX_Op<"MatMulInteger", 10, [Pure, Folds]> {
  let summary = "a matrix product of 8-bit integers, summed in 32 bits";
  let description = [{
    - (C1) both operands have at least rank 1 and agree in the axis that is summed over,
      and the others broadcast.
  }];
  defvar T1 = Var<"T1", TensorIn<[UInt8, Int8]>>;
  defvar T2 = Var<"T2", TensorIn<[UInt8, Int8]>>;
  let arguments = (ins
      T1:$A, T2:$B, Optional<T1>:$a_zero_point, Optional<T2>:$b_zero_point);
  let results = (outs Var<"T3", TensorIn<[Int32]>>:$Y);
  let hasVerifier = 1;
}

def ONNX_QLinearConvOp : ONNX_Op<"QLinearConv", 10, [Pure, Folds]> {
  let summary = "a convolution of quantized tensors, quantized again";
  let description = [{
    - (C1) `auto_pad` is "NOTSET", "SAME_UPPER", "SAME_LOWER" or "VALID".
    - (C2) the entries of `kernel_shape`, `strides` and `dilations` are at least 1.
    - (C3) `kernel_shape`, `strides` and `dilations` have an entry for each spatial axis,
      `pads` has two.
    - (C4) `group` is at least 1 and divides the channels and the features.
    - (C5) the weights have the rank of `x` and the channels of a group, and the bias an
      element for each feature.
    - (C6) the kernel fits into the padded `x`.
  }];
  defvar T1 = Var<"T1", TensorIn<[UInt8, Int8]>>;
  defvar FixedFloat = TensorIn<[Float]>;
  defvar T2 = Var<"T2", TensorIn<[UInt8, Int8]>>;
  defvar T3 = Var<"T3", TensorIn<[UInt8, Int8]>>;
  let arguments = (ins
      T1:$x, FixedFloat:$x_scale, T1:$x_zero_point, T2:$w, FixedFloat:$w_scale,
      T2:$w_zero_point, FixedFloat:$y_scale, T3:$y_zero_point,
      Optional<Var<"T4", TensorIn<[Int32]>>>:$B, StrOr<"NOTSET">:$auto_pad,
      OptIntList:$dilations, IntOr<1>:$group, OptIntList:$kernel_shape,
      OptIntList:$pads, OptIntList:$strides);
  let results = (outs T3:$y);
  let hasVerifier = 1;
  let extraClassDeclaration = windowDeclaration;
}

def ONNX_QLinearMatMulOp : ONNX_Op<"QLinearMatMul", 21, [Pure, Folds]> {
  let summary = "a matrix product of quantized tensors, quantized again";
  let description = [{
    - (C1) both operands have at least rank 1 and agree in the axis that is summed over,
      and the others broadcast.
  }];
  defvar T1 = Var<"T1", TensorIn<!listconcat(Float8s, [UInt8, Int8])>>;
  defvar TS = Var<"TS", TensorIn<[Float, Float16, BFloat16]>>;
  defvar T2 = Var<"T2", TensorIn<!listconcat(Float8s, [UInt8, Int8])>>;
  defvar T3 = Var<"T3", TensorIn<!listconcat(Float8s, [UInt8, Int8])>>;
  let arguments = (ins
      T1:$a, TS:$a_scale, T1:$a_zero_point, T2:$b, TS:$b_scale, T2:$b_zero_point,
      TS:$y_scale, T3:$y_zero_point);
  let results = (outs T3:$y);
  let hasVerifier = 1;
}

def ONNX_QuantizeLinearOp : ONNX_Op<"QuantizeLinear", 28, [Pure, Folds]> {
  let summary = "real numbers quantized by scale and zero point";
  let description = [{
    One scale stands for the whole tensor, a vector of scales has one for each index of
    `axis`, and with `block_size` a scale stands for so many indices of it. `precision` is
    the type of the division.

    - (C1) `axis` is an axis of `x`, unless there is only one scale.
    - (C2) `block_size` is at least 0, and with it the scale has the rank of `x`.
    - (C3) a vector of scales has an element for each index of `axis`, and with `block_size`
      there is a scale for each block of it.
    - (C4) the zero point has the shape of the scale.
    - (C5) `output_dtype` is 0 or the number of a data type, the result's.
    - (C6) `precision` is 0 or the number of a float type.
    - (C7) `saturate` is 0 or 1.
  }];
  defvar T3 = Var<"T3", TensorIn<Quantized>>;
  let arguments = (ins
      Var<"T1", TensorIn<[Float, Int32, Float16, BFloat16]>>:$x,
      Var<"T2", TensorIn<[Float, Int32, Float16, BFloat16, Float8E8M0]>>:$y_scale,
      Optional<T3>:$y_zero_point, IntOr<1>:$axis, IntOr<0>:$block_size,
      IntOr<0>:$output_dtype, IntOr<0>:$precision, IntOr<1>:$saturate);
  let results = (outs T3:$y);
  let hasVerifier = 1;
}

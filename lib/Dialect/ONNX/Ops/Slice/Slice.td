// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_CenterCropPadOp : ONNX_Op<"CenterCropPad", 18, [Pure]> {
  let summary = "axes cropped or padded around their centre to given sizes";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$input_data, Var<"Tind", TensorIn<IndexTypes>>:$shape, OptIntList:$axes);
  let results = (outs T:$output_data);
}

def ONNX_CompressOp : ONNX_Op<"Compress", 28, [Pure]> {
  let summary = "the slices for which a condition holds";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Var<"T1", TensorIn<[Bool]>>:$condition, OptInt:$axis);
  let results = (outs T:$output);
}

def ONNX_SliceOp : ONNX_Op<"Slice", 13, [Pure]> {
  let summary = "a part of a tensor by starts, ends and steps";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  defvar Tind = Var<"Tind", TensorIn<IndexTypes>>;
  let arguments = (ins
      T:$data, Tind:$starts, Tind:$ends, Optional<Tind>:$axes,
      Optional<Tind>:$steps);
  let results = (outs T:$output);
}

def ONNX_SplitOp : ONNX_Op<"Split", 18, [Pure]> {
  let summary = "a tensor cut into parts along an axis";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$input, Optional<TensorIn<[Int64]>>:$split, IntOr<0>:$axis,
      OptInt:$num_outputs);
  let results = (outs Variadic<T>:$outputs);
}

def ONNX_TriluOp : ONNX_Op<"Trilu", 14, [Pure]> {
  let summary = "the upper or lower triangle of each matrix";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$input, Optional<TensorIn<[Int64]>>:$k, IntOr<1>:$upper);
  let results = (outs T:$output);
}

def ONNX_UniqueOp : ONNX_Op<"Unique", 28, [Pure]> {
  let summary = "distinct elements or slices, with where and how often they occur";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  defvar FixedInt64 = TensorIn<[Int64]>;
  let arguments = (ins T:$X, OptInt:$axis, IntOr<1>:$sorted);
  let results = (outs
      T:$Y, Optional<FixedInt64>:$indices, Optional<FixedInt64>:$inverse_indices,
      Optional<FixedInt64>:$counts);
}

def ONNX_NonZeroOp : ONNX_Op<"NonZero", 13, [Pure]> {
  let summary = "the indices of the elements that are not zero";
  let arguments = (ins Var<"T", TensorIn<PlainTypes>>:$X);
  let results = (outs TensorIn<[Int64]>:$Y);
}

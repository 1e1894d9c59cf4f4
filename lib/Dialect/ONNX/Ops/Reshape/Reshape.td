// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_FlattenOp : ONNX_Op<"Flatten", 25, [Pure]> {
  let summary = "a tensor as a matrix, cut at an axis";
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$input, IntOr<1>:$axis);
  let results = (outs T:$output);
}

def ONNX_IdentityOp : ONNX_Op<"Identity", 25, [Pure]> {
  let summary = "its operand";
  defvar V = Var<"V", TypeSet<AllTypes25, ClassicTypes, ClassicTypes, ClassicTypes>>;
  let arguments = (ins V:$input);
  let results = (outs V:$output);
}

def ONNX_ReshapeOp : ONNX_Op<"Reshape", 25, [Pure]> {
  let summary = "the same elements in another shape";
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$data, TensorIn<[Int64]>:$shape, IntOr<0>:$allowzero);
  let results = (outs T:$reshaped);
}

def ONNX_ShapeOp : ONNX_Op<"Shape", 25, [Pure]> {
  let summary = "the shape of a tensor, or a part of it";
  let arguments = (ins Var<"T", TensorIn<AllTypes25>>:$data, OptInt:$end, IntOr<0>:$start);
  let results = (outs Var<"T1", TensorIn<[Int64]>>:$shape);
}

def ONNX_SizeOp : ONNX_Op<"Size", 25, [Pure]> {
  let summary = "the number of elements of a tensor";
  let arguments = (ins Var<"T", TensorIn<AllTypes25>>:$data);
  let results = (outs Var<"T1", TensorIn<[Int64]>>:$size);
}

def ONNX_SqueezeOp : ONNX_Op<"Squeeze", 25, [Pure]> {
  let summary = "axes of size one taken away";
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$data, Optional<TensorIn<[Int64]>>:$axes);
  let results = (outs T:$squeezed);
}

def ONNX_UnsqueezeOp : ONNX_Op<"Unsqueeze", 25, [Pure]> {
  let summary = "axes of size one put in";
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins T:$data, TensorIn<[Int64]>:$axes);
  let results = (outs T:$expanded);
}

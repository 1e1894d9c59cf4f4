// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ScatterOp : ONNX_Op<"Scatter", 11, [Pure]> {
  let summary = "elements of a tensor replaced by index along an axis (the older ScatterElements)";
  let deprecated = 1;
  defvar T = Var<"T", TensorIn<ClassicTypes>>;
  let arguments = (ins
      T:$data, Var<"Tind", TensorIn<IndexTypes>>:$indices, T:$updates,
      IntOr<0>:$axis);
  let results = (outs T:$output);
}

def ONNX_ScatterElementsOp : ONNX_Op<"ScatterElements", 18, [Pure]> {
  let summary = "elements of a tensor replaced or updated by index along an axis";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$data, Var<"Tind", TensorIn<IndexTypes>>:$indices, T:$updates,
      IntOr<0>:$axis, StrOr<"none">:$reduction);
  let results = (outs T:$output);
}

def ONNX_ScatterNDOp : ONNX_Op<"ScatterND", 18, [Pure]> {
  let summary = "slices of a tensor replaced or updated by tuples of indices";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$data, TensorIn<[Int64]>:$indices, T:$updates, StrOr<"none">:$reduction);
  let results = (outs T:$output);
}

def ONNX_TensorScatterOp : ONNX_Op<"TensorScatter", 24, [Pure]> {
  let summary = "new entries written into a cache along an axis";
  defvar T =
      Var<"T", TensorIn<!listconcat(PlainTypes, !listconcat(Float8s, [UInt4, Int4, Float4E2M1,
      Float8E8M0]))>>;
  let arguments = (ins
      T:$past_cache, T:$update, Optional<TensorIn<[Int64]>>:$write_indices,
      IntOr<-2>:$axis, StrOr<"linear">:$mode);
  let results = (outs T:$present_cache);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ScatterOp : ONNX_Op<"Scatter", 11, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "elements replaced by index along an axis (the older ScatterElements)";
  let description = [{
    - (C1) `axis` is an axis of `data`.
    - (C2) `indices` and `updates` have the rank of `data` and agree in shape.
  }];
  let deprecated = 1;
  defvar T = Var<"T", TensorIn<ClassicTypes>>;
  let arguments = (ins
      T:$data, Var<"Tind", TensorIn<IndexTypes>>:$indices, T:$updates,
      IntOr<0>:$axis);
  let results = (outs T:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_ScatterElementsOp : ONNX_Op<"ScatterElements", 18, [Pure, Folds, Entries]> {
  let shape = "sameAsFirst";
  let summary = "elements of a tensor replaced or updated by index along an axis";
  let description = [{
    - (C1) `axis` is an axis of `data`.
    - (C2) `indices` and `updates` have the rank of `data` and agree in shape.
    - (C3) `reduction` is "none", "add", "mul", "max" or "min".
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$data, Var<"Tind", TensorIn<IndexTypes>>:$indices, T:$updates,
      IntOr<0>:$axis, StrOr<"none">:$reduction);
  let results = (outs T:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_ScatterNDOp : ONNX_Op<"ScatterND", 18, [Pure, Folds, Entries]> {
  let shape = "sameAsFirst";
  let summary = "slices of a tensor replaced or updated by tuples of indices";
  let description = [{
    - (C1) `data` and `indices` have at least rank 1.
    - (C2) the tuples of `indices` are no longer than `data` has axes, and `updates` has
      the axes of `indices` but the last, then those of `data` past a tuple.
    - (C3) `reduction` is "none", "add", "mul", "max" or "min".
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins
      T:$data, TensorIn<[Int64]>:$indices, T:$updates, StrOr<"none">:$reduction);
  let results = (outs T:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_TensorScatterOp : ONNX_Op<"TensorScatter", 24, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "new entries written into a cache along an axis";
  let description = [{
    `update` is written at `write_indices`, or at the beginning; in "circular" mode what
    runs past the end goes on at the beginning.

    - (C1) `axis` is an axis of `past_cache` and not the first.
    - (C2) `update` has the rank of `past_cache`.
    - (C3) `mode` is "linear" or "circular".
    - (C4) `write_indices` has one element for each batch.
  }];
  defvar T = Var<"T", TensorIn<!listconcat(PlainTypes, Float8s,
                                           [UInt4, Int4, Float4E2M1, Float8E8M0])>>;
  let arguments = (ins
      T:$past_cache, T:$update, Optional<TensorIn<[Int64]>>:$write_indices,
      IntOr<-2>:$axis, StrOr<"linear">:$mode);
  let results = (outs T:$present_cache);
  let hasVerifier = 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ArgMaxOp : ONNX_Op<"ArgMax", 13, [Pure]> {
  let summary = "the index of the largest element along an axis";
  let arguments = (ins
      Var<"T", TensorIn<Numbers>>:$data, IntOr<0>:$axis, IntOr<1>:$keepdims,
      IntOr<0>:$select_last_index);
  let results = (outs TensorIn<[Int64]>:$reduced);
}

def ONNX_ArgMinOp : ONNX_Op<"ArgMin", 13, [Pure]> {
  let summary = "the index of the smallest element along an axis";
  let arguments = (ins
      Var<"T", TensorIn<Numbers>>:$data, IntOr<0>:$axis, IntOr<1>:$keepdims,
      IntOr<0>:$select_last_index);
  let results = (outs TensorIn<[Int64]>:$reduced);
}

def ONNX_CumProdOp : ONNX_Op<"CumProd", 26, [Pure]> {
  let summary = "running products along an axis";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$x, Var<"T2", TensorIn<IndexTypes>>:$axis, IntOr<0>:$exclusive,
      IntOr<0>:$reverse);
  let results = (outs T:$y);
}

def ONNX_CumSumOp : ONNX_Op<"CumSum", 14, [Pure]> {
  let summary = "running sums along an axis";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$x, Var<"T2", TensorIn<IndexTypes>>:$axis, IntOr<0>:$exclusive,
      IntOr<0>:$reverse);
  let results = (outs T:$y);
}

def ONNX_ReduceL1Op : ONNX_Op<"ReduceL1", 18, [Pure]> {
  let summary = "the sum of magnitudes over axes";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceL2Op : ONNX_Op<"ReduceL2", 18, [Pure]> {
  let summary = "the Euclidean norm over axes";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceLogSumOp : ONNX_Op<"ReduceLogSum", 28, [Pure]> {
  let summary = "the logarithm of the sum over axes";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceLogSumExpOp : ONNX_Op<"ReduceLogSumExp", 28, [Pure]> {
  let summary = "the logarithm of the sum of exponentials over axes";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceMaxOp : ONNX_Op<"ReduceMax", 20, [Pure]> {
  let summary = "the largest element over axes";
  defvar T = Var<"T", TensorIn<!listconcat(WideNumbers, [UInt8, Int8, Bool])>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceMeanOp : ONNX_Op<"ReduceMean", 18, [Pure]> {
  let summary = "the mean over axes";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceMinOp : ONNX_Op<"ReduceMin", 20, [Pure]> {
  let summary = "the smallest element over axes";
  defvar T = Var<"T", TensorIn<!listconcat(WideNumbers, [UInt8, Int8, Bool])>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceProdOp : ONNX_Op<"ReduceProd", 18, [Pure]> {
  let summary = "the product over axes";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceSumOp : ONNX_Op<"ReduceSum", 13, [Pure]> {
  let summary = "the sum over axes";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ReduceSumSquareOp : ONNX_Op<"ReduceSumSquare", 18, [Pure]> {
  let summary = "the sum of squares over axes";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_TopKOp : ONNX_Op<"TopK", 24, [Pure]> {
  let summary = "the k largest or smallest elements along an axis, and where they are";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins
      T:$X, TensorIn<[Int64]>:$K, IntOr<-1>:$axis, IntOr<1>:$largest,
      IntOr<1>:$sorted);
  let results = (outs T:$Values, Var<"I", TensorIn<[Int64]>>:$Indices);
}

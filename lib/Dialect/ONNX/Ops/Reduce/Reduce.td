// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// Ordered types: ReduceMax and ReduceMin take more types than sums do.
defvar Ordered = !listconcat(WideNumbers, [UInt8, Int8, Bool]);

/// The index of an extreme element along an axis.
class ArgOp<string name> : ONNX_Op<name, 13, [Pure, Folds]> {
  let description = [{
    Of equal elements the first counts, or the last with `select_last_index`. The axis
    stays with size one unless `keepdims` is 0.

    - (C1) `axis` is an axis of `data`.
    - (C2) `keepdims` and `select_last_index` are 0 or 1.
  }];
  let arguments = (ins
      Var<"T", TensorIn<Numbers>>:$data, IntOr<0>:$axis, IntOr<1>:$keepdims,
      IntOr<0>:$select_last_index);
  let results = (outs TensorIn<[Int64]>:$reduced);
  let hasVerifier = 1;
}

/// The accumulated value along an axis, up to each element.
class CumulativeOp<string name, int version> : ONNX_Op<name, version, [Pure, Entries, Folds]> {
  let shape = "sameAsFirst";
  let description = [{
    With `exclusive` an element does not count for its own place; with `reverse` the
    axis is gone through from its end.

    - (C1) `axis` has one element.
    - (C2) `exclusive` and `reverse` are 0 or 1.
  }];
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins
      T:$x, Var<"T2", TensorIn<IndexTypes>>:$axis, IntOr<0>:$exclusive,
      IntOr<0>:$reverse);
  let results = (outs T:$y);
  let hasVerifier = 1;
}

/// Axes reduced to one element each.
class ReductionOp<string name, int version, list<ScalarType> types = WideNumbers,
                  list<Trait> traits = []>
    : ONNX_Op<name, version, !listconcat([Pure, Reduction, Folds], traits)> {
  let shape = "reduce";
  let description = [{
    Without `axes`, or with none in it, all axes are reduced, or with
    `noop_with_empty_axes` none. Reduced axes stay with size one unless `keepdims` is 0.

    - (C1) `axes` is a vector.
    - (C2) `keepdims` and `noop_with_empty_axes` are 0 or 1.
    - (C3) `axes` are axes of `data`.
  }];
  defvar T = Var<"T", TensorIn<types>>;
  let arguments = (ins
      T:$data, Optional<TensorIn<[Int64]>>:$axes, IntOr<1>:$keepdims,
      IntOr<0>:$noop_with_empty_axes);
  let results = (outs T:$reduced);
}

def ONNX_ArgMaxOp : ArgOp<"ArgMax"> {
  let summary = "the index of the largest element along an axis";
}

def ONNX_ArgMinOp : ArgOp<"ArgMin"> {
  let summary = "the index of the smallest element along an axis";
}

def ONNX_CumProdOp : CumulativeOp<"CumProd", 26> {
  let summary = "running products along an axis";
}

def ONNX_CumSumOp : CumulativeOp<"CumSum", 14> {
  let summary = "running sums along an axis";
}

def ONNX_ReduceL1Op : ReductionOp<"ReduceL1", 18> {
  let summary = "the sum of magnitudes over axes";
}

def ONNX_ReduceL2Op : ReductionOp<"ReduceL2", 18> {
  let summary = "the Euclidean norm over axes";
}

def ONNX_ReduceLogSumOp : ReductionOp<"ReduceLogSum", 28, Floats> {
  let summary = "the logarithm of the sum over axes";
}

def ONNX_ReduceLogSumExpOp : ReductionOp<"ReduceLogSumExp", 28, Floats> {
  let summary = "the logarithm of the sum of exponentials over axes";
}

def ONNX_ReduceMaxOp : ReductionOp<"ReduceMax", 20, Ordered, [Entries]> {
  let summary = "the largest element over axes";
}

def ONNX_ReduceMeanOp : ReductionOp<"ReduceMean", 18> {
  let summary = "the mean over axes";
}

def ONNX_ReduceMinOp : ReductionOp<"ReduceMin", 20, Ordered, [Entries]> {
  let summary = "the smallest element over axes";
}

def ONNX_ReduceProdOp : ReductionOp<"ReduceProd", 18, WideNumbers, [Entries]> {
  let summary = "the product over axes";
}

def ONNX_ReduceSumOp : ReductionOp<"ReduceSum", 13, WideNumbers, [Entries]> {
  let summary = "the sum over axes";
}

def ONNX_ReduceSumSquareOp : ReductionOp<"ReduceSumSquare", 18> {
  let summary = "the sum of squares over axes";
}

def ONNX_TopKOp : ONNX_Op<"TopK", 24, [Pure, Folds]> {
  let summary = "the k largest or smallest elements along an axis, and where they are";
  let description = [{
    - (C1) `axis` is an axis of `X`.
    - (C2) `K` has one element.
    - (C3) `largest` and `sorted` are 0 or 1.
    - (C4) `K` is from 0 to the size of the axis.
  }];
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins
      T:$X, TensorIn<[Int64]>:$K, IntOr<-1>:$axis, IntOr<1>:$largest,
      IntOr<1>:$sorted);
  let results = (outs T:$Values, Var<"I", TensorIn<[Int64]>>:$Indices);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

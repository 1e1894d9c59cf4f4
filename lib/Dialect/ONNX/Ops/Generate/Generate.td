// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ConstantOfShapeOp : ONNX_Op<"ConstantOfShape", 25, [Pure, Folds, Entries]> {
  let summary = "a tensor of one value in a given shape";
  let description = [{
    Without `value` the tensor is of float zeros.

    - (C1) `input` is a vector.
    - (C2) `value` has one element.
    - (C3) the result has the element type of the value.
    - (C4) the sizes in `input` are at least 0.
  }];
  let arguments = (ins Var<"T1", TensorIn<[Int64]>>:$input, OptTensor:$value);
  defvar T2 = Var<"T2", TensorIn<!listconcat(Numbers, LowTypes25, [Bool])>>;
  let results = (outs T2:$output);
  let hasVerifier = 1;
}

def ONNX_EyeLikeOp : ONNX_Op<"EyeLike", 22, [Pure, Folds]> {
  let summary = "ones on a diagonal, in the shape of a matrix";
  let description = [{
    - (C1) `input` has rank 2.
    - (C2) `dtype` is the number of a data type, the result's.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<!listconcat(Numbers, [Bool])>>:$input, OptInt:$dtype,
      IntOr<0>:$k);
  let results = (outs Var<"T2", TensorIn<!listconcat(Numbers, [Bool])>>:$output);
  let hasVerifier = 1;
}

def ONNX_OneHotOp : ONNX_Op<"OneHot", 28, [Pure, Folds]> {
  let summary = "one value at given indices, another elsewhere";
  let description = [{
    The new axis has size `depth`; `values` holds the value elsewhere, then the one at the
    index.

    - (C1) `axis` is in [-r-1, r] for `indices` of rank r.
    - (C2) `depth` has one element.
    - (C3) `values` is a vector of 2 elements.
    - (C4) `depth` is at least 0.
  }];
  defvar T3 = Var<"T3", TensorIn<PlainTypes>>;
  let arguments = (ins
      Var<"T1", TensorIn<!listconcat(Ints, [Float, Float16, Double])>>:$indices,
      Var<"T2", TensorIn<!listconcat(Ints, [Float, Float16, Double])>>:$depth,
      T3:$values, IntOr<-1>:$axis);
  let results = (outs T3:$output);
  let hasVerifier = 1;
}

def ONNX_RangeOp : ONNX_Op<"Range", 27, [Pure, Folds, Entries]> {
  let summary = "numbers from a start to a limit by a step";
  let description = [{
    The limit is not reached. `stash_type` is the type to compute in for half-precision
    operands.

    - (C1) `start`, `limit` and `delta` have one element.
    - (C2) `stash_type` is the number of a float type.
    - (C3) `delta` is not 0.
  }];
  defvar T = Var<"T", TensorIn<!listconcat(Floats, [Int16, Int32, Int64])>>;
  let arguments = (ins T:$start, T:$limit, T:$delta, IntOr<1>:$stash_type);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

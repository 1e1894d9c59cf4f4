// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ConstantOfShapeOp : ONNX_Op<"ConstantOfShape", 25, [Pure]> {
  let summary = "a tensor of one value in a given shape";
  let arguments = (ins Var<"T1", TensorIn<[Int64]>>:$input, OptTensor:$value);
  let results = (outs
      Var<"T2", TensorIn<!listconcat(Numbers, !listconcat(LowTypes25, [Bool]))>>:$output);
}

def ONNX_EyeLikeOp : ONNX_Op<"EyeLike", 22, [Pure]> {
  let summary = "ones on a diagonal, in the shape of a matrix";
  let arguments = (ins
      Var<"T1", TensorIn<!listconcat(Numbers, [Bool])>>:$input, OptInt:$dtype,
      IntOr<0>:$k);
  let results = (outs Var<"T2", TensorIn<!listconcat(Numbers, [Bool])>>:$output);
}

def ONNX_OneHotOp : ONNX_Op<"OneHot", 28, [Pure]> {
  let summary = "one value at given indices, another elsewhere";
  defvar T3 = Var<"T3", TensorIn<PlainTypes>>;
  let arguments = (ins
      Var<"T1", TensorIn<!listconcat(Ints, [Float, Float16, Double])>>:$indices,
      Var<"T2", TensorIn<!listconcat(Ints, [Float, Float16, Double])>>:$depth,
      T3:$values, IntOr<-1>:$axis);
  let results = (outs T3:$output);
}

def ONNX_RangeOp : ONNX_Op<"Range", 27, [Pure]> {
  let summary = "numbers from a start to a limit by a step";
  defvar T = Var<"T", TensorIn<!listconcat(Floats, [Int16, Int32, Int64])>>;
  let arguments = (ins T:$start, T:$limit, T:$delta, IntOr<1>:$stash_type);
  let results = (outs T:$output);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_EqualOp : ONNX_Op<"Equal", 19, [Pure]> {
  let summary = "true where the operands are equal, broadcast";
  defvar T = Var<"T", TensorIn<!listconcat(Numbers, [String, Bool])>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

def ONNX_GreaterOp : ONNX_Op<"Greater", 13, [Pure]> {
  let summary = "true where the first operand is greater, broadcast";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

def ONNX_GreaterOrEqualOp : ONNX_Op<"GreaterOrEqual", 16, [Pure]> {
  let summary = "true where the first operand is greater or equal, broadcast";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

def ONNX_IsInfOp : ONNX_Op<"IsInf", 20, [Pure]> {
  let summary = "true where an element is infinite, of the signs asked for";
  let arguments = (ins
      Var<"T1", TensorIn<!listconcat(Floats, Float8s)>>:$X,
      IntOr<1>:$detect_negative, IntOr<1>:$detect_positive);
  let results = (outs Var<"T2", TensorIn<[Bool]>>:$Y);
}

def ONNX_IsNaNOp : ONNX_Op<"IsNaN", 20, [Pure]> {
  let summary = "true where an element is not a number";
  let arguments = (ins Var<"T1", TensorIn<!listconcat(Floats, Float8s)>>:$X);
  let results = (outs Var<"T2", TensorIn<[Bool]>>:$Y);
}

def ONNX_LessOp : ONNX_Op<"Less", 13, [Pure]> {
  let summary = "true where the first operand is less, broadcast";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

def ONNX_LessOrEqualOp : ONNX_Op<"LessOrEqual", 16, [Pure]> {
  let summary = "true where the first operand is less or equal, broadcast";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

def ONNX_WhereOp : ONNX_Op<"Where", 16, [Pure]> {
  let summary = "elements of one tensor where a condition holds, else of another, broadcast";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins Var<"B", TensorIn<[Bool]>>:$condition, T:$X, T:$Y);
  let results = (outs T:$output);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AndOp : ONNX_Op<"And", 7, [Pure]> {
  let summary = "true where both operands are, broadcast";
  defvar T = Var<"T", TensorIn<[Bool]>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

def ONNX_BitShiftOp : ONNX_Op<"BitShift", 28, [Pure]> {
  let summary = "bits moved left or right by the other operand, broadcast";
  defvar T = Var<"T", TensorIn<Ints>>;
  let arguments = (ins T:$X, T:$Y, Str:$direction);
  let results = (outs T:$Z);
}

def ONNX_BitwiseAndOp : ONNX_Op<"BitwiseAnd", 18, [Pure]> {
  let summary = "bits that both operands have, broadcast";
  defvar T = Var<"T", TensorIn<Ints>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$C);
}

def ONNX_BitwiseNotOp : ONNX_Op<"BitwiseNot", 18, [Pure]> {
  let summary = "every bit turned";
  defvar T = Var<"T", TensorIn<Ints>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_BitwiseOrOp : ONNX_Op<"BitwiseOr", 18, [Pure]> {
  let summary = "bits that either operand has, broadcast";
  defvar T = Var<"T", TensorIn<Ints>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$C);
}

def ONNX_BitwiseXorOp : ONNX_Op<"BitwiseXor", 18, [Pure]> {
  let summary = "bits that just one operand has, broadcast";
  defvar T = Var<"T", TensorIn<Ints>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$C);
}

def ONNX_NotOp : ONNX_Op<"Not", 1, [Pure]> {
  let summary = "true where the operand is false";
  defvar T = Var<"T", TensorIn<[Bool]>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_OrOp : ONNX_Op<"Or", 7, [Pure]> {
  let summary = "true where either operand is, broadcast";
  defvar T = Var<"T", TensorIn<[Bool]>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

def ONNX_XorOp : ONNX_Op<"Xor", 7, [Pure]> {
  let summary = "true where just one operand is, broadcast";
  defvar T = Var<"T", TensorIn<[Bool]>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

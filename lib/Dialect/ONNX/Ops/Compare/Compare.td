// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_EqualOp : ONNX_RelationOp<"Equal", 19, !listconcat(Numbers, [String, Bool]),
    [Entries]> {
  let summary = "true where the operands are equal, broadcast";
}

def ONNX_GreaterOp : ONNX_RelationOp<"Greater", 13, Numbers, [Entries]> {
  let summary = "true where the first operand is greater, broadcast";
}

def ONNX_GreaterOrEqualOp : ONNX_RelationOp<"GreaterOrEqual", 16, Numbers, [Entries]> {
  let summary = "true where the first operand is greater or equal, broadcast";
}

def ONNX_IsInfOp : ONNX_Op<"IsInf", 20, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "true where an element is infinite, of the signs asked for";
  let description = [{
    - (C1) `detect_negative` and `detect_positive` are 0 or 1.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<!listconcat(Floats, Float8s)>>:$X,
      IntOr<1>:$detect_negative, IntOr<1>:$detect_positive);
  let results = (outs Var<"T2", TensorIn<[Bool]>>:$Y);
  let hasVerifier = 1;
}

def ONNX_IsNaNOp : ONNX_Op<"IsNaN", 20, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "true where an element is not a number";
  let arguments = (ins Var<"T1", TensorIn<!listconcat(Floats, Float8s)>>:$X);
  let results = (outs Var<"T2", TensorIn<[Bool]>>:$Y);
}

def ONNX_LessOp : ONNX_RelationOp<"Less", 13, Numbers, [Entries]> {
  let summary = "true where the first operand is less, broadcast";
}

def ONNX_LessOrEqualOp : ONNX_RelationOp<"LessOrEqual", 16, Numbers, [Entries]> {
  let summary = "true where the first operand is less or equal, broadcast";
}

def ONNX_WhereOp : ONNX_Op<"Where", 16, [Pure, Broadcasting, Entries, Folds]> {
  let shape = "broadcastAll";
  let summary = "elements of one tensor where a condition holds, else of another";
  let description = [{
    - (C1) the operands' shapes broadcast to one.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins Var<"B", TensorIn<[Bool]>>:$condition, T:$X, T:$Y);
  let results = (outs T:$output);
}

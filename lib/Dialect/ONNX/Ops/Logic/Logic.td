// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AndOp : ONNX_RelationOp<"And", 7, [Bool], [Entries]> {
  let summary = "true where both operands are, broadcast";
}

def ONNX_BitShiftOp : ONNX_BinaryOp<"BitShift", 28, Ints, ["X", "Y", "Z"],
    (ins Str:$direction)> {
  let summary = "bits moved left or right by the other operand, broadcast";
  let description = [{
    - (C1) the operands' shapes broadcast to one.
    - (C2) `direction` is "LEFT" or "RIGHT".
  }];
  let hasVerifier = 1;
}

def ONNX_BitwiseAndOp : ONNX_BinaryOp<"BitwiseAnd", 18, Ints> {
  let summary = "bits that both operands have, broadcast";
}

def ONNX_BitwiseNotOp : ONNX_UnaryOp<"BitwiseNot", 18, Ints> {
  let summary = "every bit turned";
}

def ONNX_BitwiseOrOp : ONNX_BinaryOp<"BitwiseOr", 18, Ints> {
  let summary = "bits that either operand has, broadcast";
}

def ONNX_BitwiseXorOp : ONNX_BinaryOp<"BitwiseXor", 18, Ints> {
  let summary = "bits that just one operand has, broadcast";
}

def ONNX_NotOp : ONNX_UnaryOp<"Not", 1, [Bool], ["X", "Y"], (ins), [Entries]> {
  let summary = "true where the operand is false";
}

def ONNX_OrOp : ONNX_RelationOp<"Or", 7, [Bool], [Entries]> {
  let summary = "true where either operand is, broadcast";
}

def ONNX_XorOp : ONNX_RelationOp<"Xor", 7, [Bool], [Entries]> {
  let summary = "true where just one operand is, broadcast";
}

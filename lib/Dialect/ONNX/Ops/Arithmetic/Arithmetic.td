// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// One or more tensors in, broadcast; one of their type out.
class VariadicOp<string name, list<ScalarType> types, string result,
                 list<Trait> traits = []>
    : ONNX_Op<name, 13, !listconcat([Pure, Broadcasting, Folds], traits)> {
  let shape = "broadcastAll";
  let description = [{
    - (C1) the operands' shapes broadcast to one.
    - (C2) there is an operand.
  }];
  defvar T = Var<"T", TensorIn<types>>;
  let arguments = (ins Variadic<T>:$data_0);
  let results = !dag(outs, [T], [result]);
  let hasVerifier = 1;
}

def ONNX_AbsOp : ONNX_UnaryOp<"Abs", 13, Numbers, ["X", "Y"], (ins),
                                [Entries]> {
  let summary = "the magnitude of each element";
}

def ONNX_AddOp : ONNX_BinaryOp<"Add", 14, Numbers, ["A", "B", "C"],
    (ins), [Entries]> {
  let summary = "the sum of two tensors, broadcast";
}

def ONNX_CeilOp : ONNX_UnaryOp<"Ceil", 13, Floats> {
  let summary = "each element rounded up";
}

def ONNX_ClipOp : ONNX_Op<"Clip", 13, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "each element limited to a range";
  let description = [{
    - (C1) `min` and `max` have one element.
  }];
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$input, Optional<T>:$min, Optional<T>:$max);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_DivOp : ONNX_BinaryOp<"Div", 14, Numbers, ["A", "B", "C"],
    (ins), [Entries]> {
  let summary = "the quotient of two tensors, broadcast; integers truncate";
}

def ONNX_ErfOp : ONNX_UnaryOp<"Erf", 13, Floats, ["input", "output"]> {
  let summary = "the error function of each element";
}

def ONNX_ExpOp : ONNX_UnaryOp<"Exp", 13, Floats, ["input", "output"]> {
  let summary = "e to the power of each element";
}

def ONNX_FloorOp : ONNX_UnaryOp<"Floor", 13, Floats> {
  let summary = "each element rounded down";
}

def ONNX_LogOp : ONNX_UnaryOp<"Log", 13, Floats, ["input", "output"]> {
  let summary = "the natural logarithm of each element";
}

def ONNX_MaxOp : VariadicOp<"Max", Numbers, "max", [Entries]> {
  let summary = "the largest of its operands, element by element";
}

def ONNX_MeanOp : VariadicOp<"Mean", Floats, "mean"> {
  let summary = "the mean of its operands, element by element";
}

def ONNX_MinOp : VariadicOp<"Min", Numbers, "min", [Entries]> {
  let summary = "the smallest of its operands, element by element";
}

def ONNX_ModOp : ONNX_BinaryOp<"Mod", 28, Numbers, ["A", "B", "C"],
    (ins IntOr<0>:$fmod), [Entries]> {
  let summary = "the remainder of a division, broadcast";
  let description = [{
    The remainder has the divisor's sign or, with `fmod`, the dividend's.

    - (C1) the operands' shapes broadcast to one.
    - (C2) `fmod` is 0 or 1.
  }];
  let hasVerifier = 1;
}

def ONNX_MulOp : ONNX_BinaryOp<"Mul", 14, Numbers, ["A", "B", "C"],
    (ins), [Entries]> {
  let summary = "the product of two tensors, broadcast";
}

def ONNX_NegOp : ONNX_UnaryOp<"Neg", 13, !listconcat(Floats, SignedInts),
                                ["X", "Y"], (ins), [Entries]> {
  let summary = "each element with its sign turned";
}

def ONNX_PowOp : ONNX_Op<"Pow", 15, [Pure, Broadcasting, Folds]> {
  let shape = "broadcastAll";
  let summary = "each element to the power of another, broadcast";
  let description = [{
    - (C1) the operands' shapes broadcast to one.
  }];
  defvar T = Var<"T", TensorIn<!listconcat(Floats, IndexTypes)>>;
  let arguments = (ins T:$X, Var<"T1", TensorIn<Numbers>>:$Y);
  let results = (outs T:$Z);
}

def ONNX_ReciprocalOp : ONNX_UnaryOp<"Reciprocal", 13, Floats> {
  let summary = "one over each element";
}

def ONNX_RoundOp : ONNX_UnaryOp<"Round", 22, Floats> {
  let summary = "each element rounded to the nearest integer, ties to even";
}

def ONNX_SignOp : ONNX_UnaryOp<"Sign", 13, Numbers, ["input", "output"]> {
  let summary = "-1, 0 or 1 by the sign of each element";
}

def ONNX_SqrtOp : ONNX_UnaryOp<"Sqrt", 13, Floats> {
  let summary = "the square root of each element";
}

def ONNX_SubOp : ONNX_BinaryOp<"Sub", 14, Numbers, ["A", "B", "C"],
    (ins), [Entries]> {
  let summary = "the difference of two tensors, broadcast";
}

def ONNX_SumOp : VariadicOp<"Sum", Floats, "sum"> {
  let summary = "the sum of its operands, element by element";
}

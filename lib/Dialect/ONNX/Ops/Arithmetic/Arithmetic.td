// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AbsOp : ONNX_Op<"Abs", 13, [Pure]> {
  let summary = "the magnitude of each element";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_AddOp : ONNX_Op<"Add", 14, [Pure]> {
  let summary = "the sum of two tensors, broadcast";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$C);
}

def ONNX_CeilOp : ONNX_Op<"Ceil", 13, [Pure]> {
  let summary = "each element rounded up";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_ClipOp : ONNX_Op<"Clip", 13, [Pure]> {
  let summary = "each element limited to a range";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$input, Optional<T>:$min, Optional<T>:$max);
  let results = (outs T:$output);
}

def ONNX_DivOp : ONNX_Op<"Div", 14, [Pure]> {
  let summary = "the quotient of two tensors, broadcast; integers truncate";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$C);
}

def ONNX_ErfOp : ONNX_Op<"Erf", 13, [Pure]> {
  let summary = "the error function of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_ExpOp : ONNX_Op<"Exp", 13, [Pure]> {
  let summary = "e to the power of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_FloorOp : ONNX_Op<"Floor", 13, [Pure]> {
  let summary = "each element rounded down";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_LogOp : ONNX_Op<"Log", 13, [Pure]> {
  let summary = "the natural logarithm of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_MaxOp : ONNX_Op<"Max", 13, [Pure]> {
  let summary = "the largest of its operands, element by element";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins Variadic<T>:$data_0);
  let results = (outs T:$max);
}

def ONNX_MeanOp : ONNX_Op<"Mean", 13, [Pure]> {
  let summary = "the mean of its operands, element by element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins Variadic<T>:$data_0);
  let results = (outs T:$mean);
}

def ONNX_MinOp : ONNX_Op<"Min", 13, [Pure]> {
  let summary = "the smallest of its operands, element by element";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins Variadic<T>:$data_0);
  let results = (outs T:$min);
}

def ONNX_ModOp : ONNX_Op<"Mod", 28, [Pure]> {
  let summary = "the remainder of a division, with the divisor's sign or, with fmod, the dividend's";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B, IntOr<0>:$fmod);
  let results = (outs T:$C);
}

def ONNX_MulOp : ONNX_Op<"Mul", 14, [Pure]> {
  let summary = "the product of two tensors, broadcast";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$C);
}

def ONNX_NegOp : ONNX_Op<"Neg", 13, [Pure]> {
  let summary = "each element with its sign turned";
  defvar T = Var<"T", TensorIn<!listconcat(Floats, SignedInts)>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_PowOp : ONNX_Op<"Pow", 15, [Pure]> {
  let summary = "each element to the power of another, broadcast";
  defvar T = Var<"T", TensorIn<!listconcat(Floats, IndexTypes)>>;
  let arguments = (ins T:$X, Var<"T1", TensorIn<Numbers>>:$Y);
  let results = (outs T:$Z);
}

def ONNX_ReciprocalOp : ONNX_Op<"Reciprocal", 13, [Pure]> {
  let summary = "one over each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_RoundOp : ONNX_Op<"Round", 22, [Pure]> {
  let summary = "each element rounded to the nearest integer, ties to even";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_SignOp : ONNX_Op<"Sign", 13, [Pure]> {
  let summary = "-1, 0 or 1 by the sign of each element";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_SqrtOp : ONNX_Op<"Sqrt", 13, [Pure]> {
  let summary = "the square root of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_SubOp : ONNX_Op<"Sub", 14, [Pure]> {
  let summary = "the difference of two tensors, broadcast";
  defvar T = Var<"T", TensorIn<Numbers>>;
  let arguments = (ins T:$A, T:$B);
  let results = (outs T:$C);
}

def ONNX_SumOp : ONNX_Op<"Sum", 13, [Pure]> {
  let summary = "the sum of its operands, element by element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins Variadic<T>:$data_0);
  let results = (outs T:$sum);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AcosOp : ONNX_Op<"Acos", 22, [Pure]> {
  let summary = "the arc cosine of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_AcoshOp : ONNX_Op<"Acosh", 22, [Pure]> {
  let summary = "the inverse hyperbolic cosine of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_AsinOp : ONNX_Op<"Asin", 22, [Pure]> {
  let summary = "the arc sine of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_AsinhOp : ONNX_Op<"Asinh", 22, [Pure]> {
  let summary = "the inverse hyperbolic sine of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_AtanOp : ONNX_Op<"Atan", 22, [Pure]> {
  let summary = "the arc tangent of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_AtanhOp : ONNX_Op<"Atanh", 22, [Pure]> {
  let summary = "the inverse hyperbolic tangent of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_CosOp : ONNX_Op<"Cos", 22, [Pure]> {
  let summary = "the cosine of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_CoshOp : ONNX_Op<"Cosh", 22, [Pure]> {
  let summary = "the hyperbolic cosine of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_SinOp : ONNX_Op<"Sin", 22, [Pure]> {
  let summary = "the sine of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_SinhOp : ONNX_Op<"Sinh", 22, [Pure]> {
  let summary = "the hyperbolic sine of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_TanOp : ONNX_Op<"Tan", 22, [Pure]> {
  let summary = "the tangent of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_TanhOp : ONNX_Op<"Tanh", 13, [Pure]> {
  let summary = "the hyperbolic tangent of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

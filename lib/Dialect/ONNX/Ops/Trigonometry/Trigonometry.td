// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

class TrigonometricOp<string name, int version>
    : ONNX_UnaryOp<name, version, Floats, ["input", "output"]>;

def ONNX_AcosOp : TrigonometricOp<"Acos", 22> {
  let summary = "the arc cosine of each element";
}

def ONNX_AcoshOp : TrigonometricOp<"Acosh", 22> {
  let summary = "the inverse hyperbolic cosine of each element";
}

def ONNX_AsinOp : TrigonometricOp<"Asin", 22> {
  let summary = "the arc sine of each element";
}

def ONNX_AsinhOp : TrigonometricOp<"Asinh", 22> {
  let summary = "the inverse hyperbolic sine of each element";
}

def ONNX_AtanOp : TrigonometricOp<"Atan", 22> {
  let summary = "the arc tangent of each element";
}

def ONNX_AtanhOp : TrigonometricOp<"Atanh", 22> {
  let summary = "the inverse hyperbolic tangent of each element";
}

def ONNX_CosOp : TrigonometricOp<"Cos", 22> {
  let summary = "the cosine of each element";
}

def ONNX_CoshOp : TrigonometricOp<"Cosh", 22> {
  let summary = "the hyperbolic cosine of each element";
}

def ONNX_SinOp : TrigonometricOp<"Sin", 22> {
  let summary = "the sine of each element";
}

def ONNX_SinhOp : TrigonometricOp<"Sinh", 22> {
  let summary = "the hyperbolic sine of each element";
}

def ONNX_TanOp : TrigonometricOp<"Tan", 22> {
  let summary = "the tangent of each element";
}

def ONNX_TanhOp : TrigonometricOp<"Tanh", 13> {
  let summary = "the hyperbolic tangent of each element";
}

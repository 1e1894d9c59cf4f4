// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_CeluOp : ONNX_Op<"Celu", 28, [Pure]> {
  let summary = "an exponential unit that is smooth at zero for every alpha";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, RealOr<"1.0">:$alpha);
  let results = (outs T:$Y);
}

def ONNX_EluOp : ONNX_Op<"Elu", 22, [Pure]> {
  let summary = "the element itself, or alpha times e^x - 1 below zero";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, RealOr<"1.0">:$alpha);
  let results = (outs T:$Y);
}

def ONNX_GeluOp : ONNX_Op<"Gelu", 20, [Pure]> {
  let summary = "the element weighted by the normal distribution up to it";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, StrOr<"none">:$approximate);
  let results = (outs T:$Y);
}

def ONNX_HardSigmoidOp : ONNX_Op<"HardSigmoid", 22, [Pure]> {
  let summary = "a line of slope alpha, limited to 0 and 1";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, RealOr<"0.2">:$alpha, RealOr<"0.5">:$beta);
  let results = (outs T:$Y);
}

def ONNX_HardSwishOp : ONNX_Op<"HardSwish", 22, [Pure]> {
  let summary = "the element weighted by its hard sigmoid";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_LeakyReluOp : ONNX_Op<"LeakyRelu", 16, [Pure]> {
  let summary = "the element itself, or alpha times it below zero";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, RealOr<"0.01">:$alpha);
  let results = (outs T:$Y);
}

def ONNX_MishOp : ONNX_Op<"Mish", 22, [Pure]> {
  let summary = "the element weighted by the tanh of its softplus";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_PReluOp : ONNX_Op<"PRelu", 16, [Pure]> {
  let summary = "the element itself, or a learned slope times it below zero";
  defvar T = Var<"T", TensorIn<WideNumbers>>;
  let arguments = (ins T:$X, T:$slope);
  let results = (outs T:$Y);
}

def ONNX_ReluOp : ONNX_Op<"Relu", 14, [Pure]> {
  let summary = "the element itself, or zero below zero";
  defvar T = Var<"T", TensorIn<!listconcat(Floats, SignedInts)>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_SeluOp : ONNX_Op<"Selu", 22, [Pure]> {
  let summary = "a scaled exponential unit";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, RealOr<"1.6732632">:$alpha, RealOr<"1.050701">:$gamma);
  let results = (outs T:$Y);
}

def ONNX_ShrinkOp : ONNX_Op<"Shrink", 9, [Pure]> {
  let summary = "elements near zero cut off, the others moved towards it by bias";
  defvar T = Var<"T", TensorIn<!listconcat(Ints, [Float, Float16, Double])>>;
  let arguments = (ins T:$input, RealOr<"0.0">:$bias, RealOr<"0.5">:$lambd);
  let results = (outs T:$output);
}

def ONNX_SigmoidOp : ONNX_Op<"Sigmoid", 13, [Pure]> {
  let summary = "the logistic function of each element";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_SoftplusOp : ONNX_Op<"Softplus", 22, [Pure]> {
  let summary = "the logarithm of e^x + 1";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X);
  let results = (outs T:$Y);
}

def ONNX_SoftsignOp : ONNX_Op<"Softsign", 22, [Pure]> {
  let summary = "the element over one plus its magnitude";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input);
  let results = (outs T:$output);
}

def ONNX_SwiGLUOp : ONNX_Op<"SwiGLU", 28, [Pure]> {
  let summary = "one tensor's swish as the gate of another";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$A, T:$B, RealOr<"1.0">:$alpha);
  let results = (outs T:$Y);
}

def ONNX_SwishOp : ONNX_Op<"Swish", 24, [Pure]> {
  let summary = "the element weighted by the sigmoid of alpha times it";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, RealOr<"1.0">:$alpha);
  let results = (outs T:$Y);
}

def ONNX_ThresholdedReluOp : ONNX_Op<"ThresholdedRelu", 22, [Pure]> {
  let summary = "the element itself, or zero up to alpha";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, RealOr<"1.0">:$alpha);
  let results = (outs T:$Y);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

class ActivationOp<string name, int version, dag attributes = (ins)>
    : ONNX_UnaryOp<name, version, Floats, ["X", "Y"], attributes>;

def ONNX_CeluOp : ActivationOp<"Celu", 28, (ins RealOr<"1.0">:$alpha)> {
  let summary = "an exponential unit that is smooth at zero for every alpha";
}

def ONNX_EluOp : ActivationOp<"Elu", 22, (ins RealOr<"1.0">:$alpha)> {
  let summary = "the element itself, or alpha times e^x - 1 below zero";
}

def ONNX_GeluOp : ActivationOp<"Gelu", 20, (ins StrOr<"none">:$approximate)> {
  let summary = "the element weighted by the normal distribution up to it";
  let description = [{
    With `approximate` "tanh" the distribution is computed by a tanh.

    - (C1) `approximate` is "none" or "tanh".
  }];
  let hasVerifier = 1;
}

def ONNX_HardSigmoidOp : ActivationOp<"HardSigmoid", 22,
    (ins RealOr<"0.2">:$alpha, RealOr<"0.5">:$beta)> {
  let summary = "a line of slope alpha, limited to 0 and 1";
}

def ONNX_HardSwishOp : ActivationOp<"HardSwish", 22> {
  let summary = "the element weighted by its hard sigmoid";
}

def ONNX_LeakyReluOp : ActivationOp<"LeakyRelu", 16, (ins RealOr<"0.01">:$alpha)> {
  let summary = "the element itself, or alpha times it below zero";
}

def ONNX_MishOp : ActivationOp<"Mish", 22> {
  let summary = "the element weighted by the tanh of its softplus";
}

def ONNX_PReluOp : ONNX_BinaryOp<"PRelu", 16, WideNumbers, ["X", "slope", "Y"]> {
  let summary = "the element itself, or a learned slope times it below zero";
}

def ONNX_ReluOp : ONNX_UnaryOp<"Relu", 14, !listconcat(Floats, SignedInts)> {
  let summary = "the element itself, or zero below zero";
}

def ONNX_SeluOp : ActivationOp<"Selu", 22,
    (ins RealOr<"1.6732632">:$alpha, RealOr<"1.050701">:$gamma)> {
  let summary = "a scaled exponential unit";
}

def ONNX_ShrinkOp : ONNX_UnaryOp<"Shrink", 9,
    !listconcat(Ints, [Float, Float16, Double]), ["input", "output"],
    (ins RealOr<"0.0">:$bias, RealOr<"0.5">:$lambd)> {
  let summary = "elements near zero cut off, the others moved towards it by bias";
}

def ONNX_SigmoidOp : ActivationOp<"Sigmoid", 13> {
  let summary = "the logistic function of each element";
}

def ONNX_SoftplusOp : ActivationOp<"Softplus", 22> {
  let summary = "the logarithm of e^x + 1";
}

def ONNX_SoftsignOp : ONNX_UnaryOp<"Softsign", 22, Floats, ["input", "output"]> {
  let summary = "the element over one plus its magnitude";
}

def ONNX_SwiGLUOp : ONNX_BinaryOp<"SwiGLU", 28, Floats, ["A", "B", "Y"],
    (ins RealOr<"1.0">:$alpha)> {
  let summary = "one tensor's swish as the gate of another";
}

def ONNX_SwishOp : ActivationOp<"Swish", 24, (ins RealOr<"1.0">:$alpha)> {
  let summary = "the element weighted by the sigmoid of alpha times it";
}

def ONNX_ThresholdedReluOp : ActivationOp<"ThresholdedRelu", 22,
    (ins RealOr<"1.0">:$alpha)> {
  let summary = "the element itself, or zero up to alpha";
}

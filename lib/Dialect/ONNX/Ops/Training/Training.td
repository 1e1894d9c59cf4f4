// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AdagradOp : ONNX_Op<"Adagrad", 1, [Pure], "ai.onnx.preview.training"> {
  let summary = "one step of the optimizer Adagrad";
  defvar T3 = Var<"T3", TensorIn<[Float, Double]>>;
  let arguments = (ins
      Var<"T1", TensorIn<[Float, Double]>>:$R, Var<"T2", TensorIn<[Int64]>>:$T,
      Heterogeneous<T3>:$inputs, RealOr<"0.0">:$decay_factor,
      RealOr<"1e-06">:$epsilon, RealOr<"0.0">:$norm_coefficient);
  let results = (outs Heterogeneous<T3>:$outputs);
}

def ONNX_AdamOp : ONNX_Op<"Adam", 1, [Pure], "ai.onnx.preview.training"> {
  let summary = "one step of the optimizer Adam";
  defvar T3 = Var<"T3", TensorIn<[Float, Double]>>;
  let arguments = (ins
      Var<"T1", TensorIn<[Float, Double]>>:$R, Var<"T2", TensorIn<[Int64]>>:$T,
      Heterogeneous<T3>:$inputs, RealOr<"0.9">:$alpha, RealOr<"0.999">:$beta,
      RealOr<"1e-06">:$epsilon, RealOr<"0.0">:$norm_coefficient,
      RealOr<"0.0">:$norm_coefficient_post);
  let results = (outs Heterogeneous<T3>:$outputs);
}

def ONNX_GradientOp : ONNX_Op<"Gradient", 1, [Pure], "ai.onnx.preview.training"> {
  let summary = "partial derivatives of a value with respect to others";
  let arguments = (ins
      Heterogeneous<Var<"T1", TensorIn<ClassicTypes>>>:$Inputs, StrList:$xs, Str:$y,
      OptStrList:$zs);
  let results = (outs
      Heterogeneous<Var<"T2", TensorIn<[Float, Float16, Double]>>>:$Outputs);
}

def ONNX_MomentumOp : ONNX_Op<"Momentum", 1, [Pure], "ai.onnx.preview.training"> {
  let summary = "one step of gradient descent with momentum";
  defvar T3 = Var<"T3", TensorIn<[Float, Double]>>;
  let arguments = (ins
      Var<"T1", TensorIn<[Float, Double]>>:$R, Var<"T2", TensorIn<[Int64]>>:$T,
      Heterogeneous<T3>:$inputs, Real:$alpha, Real:$beta, Str:$mode,
      Real:$norm_coefficient);
  let results = (outs Heterogeneous<T3>:$outputs);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

class TrainingOp<string name, list<Trait> traits = [Pure, Folds]>
    : ONNX_Op<name, 1, traits, "ai.onnx.preview.training">;

def ONNX_AdagradOp : TrainingOp<"Adagrad"> {
  let summary = "one step of the optimizer Adagrad";
  let description = [{
    The operands are all tensors, all their gradients and all their accumulated squares;
    the results are the new tensors and squares.

    - (C1) there are three operands and two results for each tensor.
    - (C2) `R` and `T` have one element.
  }];
  defvar T3 = Var<"T3", TensorIn<[Float, Double]>>;
  let arguments = (ins
      Var<"T1", TensorIn<[Float, Double]>>:$R, Var<"T2", TensorIn<[Int64]>>:$T,
      Heterogeneous<T3>:$inputs, RealOr<"0.0">:$decay_factor,
      RealOr<"1e-06">:$epsilon, RealOr<"0.0">:$norm_coefficient);
  let results = (outs Heterogeneous<T3>:$outputs);
  let hasVerifier = 1;
}

def ONNX_AdamOp : TrainingOp<"Adam"> {
  let summary = "one step of the optimizer Adam";
  let description = [{
    The operands are all tensors, all their gradients and both of their moments; the
    results are the new tensors and moments.

    - (C1) there are four operands and three results for each tensor.
    - (C2) `R` and `T` have one element.
  }];
  defvar T3 = Var<"T3", TensorIn<[Float, Double]>>;
  let arguments = (ins
      Var<"T1", TensorIn<[Float, Double]>>:$R, Var<"T2", TensorIn<[Int64]>>:$T,
      Heterogeneous<T3>:$inputs, RealOr<"0.9">:$alpha, RealOr<"0.999">:$beta,
      RealOr<"1e-06">:$epsilon, RealOr<"0.0">:$norm_coefficient,
      RealOr<"0.0">:$norm_coefficient_post);
  let results = (outs Heterogeneous<T3>:$outputs);
  let hasVerifier = 1;
}

def ONNX_GradientOp : TrainingOp<"Gradient", [Pure]> {
  let summary = "partial derivatives of a value with respect to others";
  let description = [{
    `xs` and `zs` name the operands, `y` the value to differentiate.

    - (C1) `xs` and `zs` name as many values as there are operands.
    - (C2) there is a result for each of `xs`.
  }];
  let arguments = (ins
      Heterogeneous<Var<"T1", TensorIn<ClassicTypes>>>:$Inputs, StrList:$xs, Str:$y,
      OptStrList:$zs);
  let results = (outs
      Heterogeneous<Var<"T2", TensorIn<[Float, Float16, Double]>>>:$Outputs);
  let hasVerifier = 1;
}

def ONNX_MomentumOp : TrainingOp<"Momentum"> {
  let summary = "one step of gradient descent with momentum";
  let description = [{
    The operands are all tensors, all their gradients and all their momenta; the results
    are the new tensors and momenta.

    - (C1) there are three operands and two results for each tensor.
    - (C2) `R` and `T` have one element.
    - (C3) `mode` is "standard" or "nesterov".
  }];
  defvar T3 = Var<"T3", TensorIn<[Float, Double]>>;
  let arguments = (ins
      Var<"T1", TensorIn<[Float, Double]>>:$R, Var<"T2", TensorIn<[Int64]>>:$T,
      Heterogeneous<T3>:$inputs, Real:$alpha, Real:$beta, Str:$mode,
      Real:$norm_coefficient);
  let results = (outs Heterogeneous<T3>:$outputs);
  let hasVerifier = 1;
}

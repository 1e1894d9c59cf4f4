// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// A function of the elements along one axis.
class AxisOp<string name> : ONNX_Op<name, 13, [Pure]> {
  let description = "- (C1) `axis` is an axis of `input`.";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input, IntOr<-1>:$axis);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_HardmaxOp : AxisOp<"Hardmax"> {
  let summary = "one at the largest element along an axis, zero elsewhere";
}

def ONNX_LogSoftmaxOp : AxisOp<"LogSoftmax"> {
  let summary = "the logarithm of a softmax along an axis";
}

def ONNX_NegativeLogLikelihoodLossOp : ONNX_Op<"NegativeLogLikelihoodLoss", 22, [Pure]> {
  let summary = "the loss of labels under given log-probabilities";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$input, Var<"Tind", TensorIn<IndexTypes>>:$target, Optional<T>:$weight,
      OptInt:$ignore_index, StrOr<"mean">:$reduction);
  let results = (outs T:$loss);
}

def ONNX_SoftmaxOp : AxisOp<"Softmax"> {
  let summary = "exponentials along an axis, scaled to sum to one";
}

def ONNX_SoftmaxCrossEntropyLossOp : ONNX_Op<"SoftmaxCrossEntropyLoss", 13, [Pure]> {
  let summary = "the loss of labels under the softmax of given scores";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$scores, Var<"Tind", TensorIn<IndexTypes>>:$labels, Optional<T>:$weights,
      OptInt:$ignore_index, StrOr<"mean">:$reduction);
  let results = (outs T:$output, Optional<T>:$log_prob);
}

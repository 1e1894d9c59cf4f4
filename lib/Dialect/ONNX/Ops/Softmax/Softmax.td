// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// A function of the elements along one axis.
class AxisOp<string name> : ONNX_Op<name, 13, [Pure, Folds]> {
  let shape = "sameAsFirst";
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

def ONNX_NegativeLogLikelihoodLossOp : ONNX_Op<"NegativeLogLikelihoodLoss", 22, [Pure, Folds]> {
  let summary = "the loss of labels under given log-probabilities";
  let description = [{
    `input` is N x C x D1 …, `target` N x D1 …; labels equal to `ignore_index` do not
    count.

    - (C1) `reduction` is "none", "sum" or "mean".
    - (C2) `input` has at least rank 2, and `target` has one axis less.
    - (C3) `weight` is a vector with an element for each class.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$input, Var<"Tind", TensorIn<IndexTypes>>:$target, Optional<T>:$weight,
      OptInt:$ignore_index, StrOr<"mean">:$reduction);
  let results = (outs T:$loss);
  let hasVerifier = 1;
}

def ONNX_SoftmaxOp : AxisOp<"Softmax"> {
  let summary = "exponentials along an axis, scaled to sum to one";
}

def ONNX_SoftmaxCrossEntropyLossOp : ONNX_Op<"SoftmaxCrossEntropyLoss", 13, [Pure, Folds]> {
  let summary = "the loss of labels under the softmax of given scores";
  let description = [{
    `scores` is N x C x D1 …, `labels` N x D1 …; labels equal to `ignore_index` do not
    count.

    - (C1) `reduction` is "none", "sum" or "mean".
    - (C2) `scores` has at least rank 2, and `labels` has one axis less.
    - (C3) `weights` is a vector with an element for each class.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$scores, Var<"Tind", TensorIn<IndexTypes>>:$labels, Optional<T>:$weights,
      OptInt:$ignore_index, StrOr<"mean">:$reduction);
  let results = (outs T:$output, Optional<T>:$log_prob);
  let hasVerifier = 1;
}

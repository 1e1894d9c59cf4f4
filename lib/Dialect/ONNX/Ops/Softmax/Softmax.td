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

/// The same function before opset 13: of the rows of the matrix that `input` is if it is cut
/// at `axis`. An operator by itself, so that no rule takes it for the newer one. Only models
/// that are written in an older opset have it. Its name is none that a file can have.
class RowsOp<string name> : ONNX_Op<name # ".rows", 1, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let description = "- (C1) `axis` is at least -r and at most r, where r is the rank of `input`.";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input, IntOr<1>:$axis);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_HardmaxRowsOp : RowsOp<"Hardmax"> {
  let summary = "one at the largest element of each row, zero elsewhere";
}

def ONNX_LogSoftmaxRowsOp : RowsOp<"LogSoftmax"> {
  let summary = "the logarithm of a softmax of each row";
}

def ONNX_SoftmaxRowsOp : RowsOp<"Softmax"> {
  let summary = "exponentials of each row, scaled to sum to one";
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

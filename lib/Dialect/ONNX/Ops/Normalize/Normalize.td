// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_BatchNormalizationOp : ONNX_Op<"BatchNormalization", 15, [Pure, Folds]> {
  let summary = "each channel normalized by given or running statistics";
  let description = [{
    In training mode the statistics are those of the batch, and the running ones are
    results.

    - (C1) `training_mode` is 0 or 1.
    - (C2) `scale`, `B`, `input_mean` and `input_var` are vectors with an element for each
      channel.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  defvar T2 = Var<"T2", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T1:$scale, T1:$B, T2:$input_mean, T2:$input_var,
      RealOr<"1e-05">:$epsilon, RealOr<"0.9">:$momentum, IntOr<0>:$training_mode);
  let results = (outs T:$Y, Optional<T2>:$running_mean, Optional<T2>:$running_var);
  let hasVerifier = 1;
}

def ONNX_DropoutOp : ONNX_Op<"Dropout", 22, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "elements zeroed at random while training, unchanged otherwise";
  let description = [{
    - (C1) `ratio` and `training_mode` have one element.
  }];
  defvar T = Var<"T", TensorIn<!listconcat(Floats, Float8s)>>;
  defvar T2 = Var<"T2", TensorIn<[Bool]>>;
  let arguments = (ins
      T:$data, Optional<Var<"T1", TensorIn<!listconcat(Floats, Float8s)>>>:$ratio,
      Optional<T2>:$training_mode, OptInt:$seed);
  let results = (outs T:$output, Optional<T2>:$mask);
  let hasVerifier = 1;
}

def ONNX_GroupNormalizationOp : ONNX_Op<"GroupNormalization", 21, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "groups of channels normalized by their own statistics";
  let description = [{
    - (C1) `num_groups` is at least 1 and divides the channels.
    - (C2) `scale` and `bias` are vectors with an element for each channel.
    - (C3) `stash_type` is the number of a float type.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$scale, T:$bias, RealOr<"1e-05">:$epsilon, Int:$num_groups,
      IntOr<1>:$stash_type);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}

def ONNX_InstanceNormalizationOp : ONNX_Op<"InstanceNormalization", 22, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "each channel of each instance normalized by its own statistics";
  let description = [{
    - (C1) `scale` and `B` are vectors with an element for each channel.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input, T:$scale, T:$B, RealOr<"1e-05">:$epsilon);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_LRNOp : ONNX_Op<"LRN", 13, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "each element divided by the energy of the channels around it";
  let description = [{
    - (C1) `size` is at least 1.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, RealOr<"1e-04">:$alpha, RealOr<"0.75">:$beta, RealOr<"1.0">:$bias,
      Int:$size);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}

def ONNX_LayerNormalizationOp : ONNX_Op<"LayerNormalization", 17, [Pure, Folds]> {
  let summary = "the axes from a given one on normalized by their own statistics";
  let description = [{
    `Mean` and `InvStdDev` are the statistics that were used, computed in the type
    `stash_type`.

    - (C1) `axis` is an axis of `X`.
    - (C2) `stash_type` is the number of a float type.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  defvar U = Var<"U", TensorIn<[Float, BFloat16]>>;
  let arguments = (ins
      T:$X, T:$Scale, Optional<T>:$B, IntOr<-1>:$axis, RealOr<"1e-05">:$epsilon,
      IntOr<1>:$stash_type);
  let results = (outs T:$Y, Optional<U>:$Mean, Optional<U>:$InvStdDev);
  let hasVerifier = 1;
}

def ONNX_LpNormalizationOp : ONNX_Op<"LpNormalization", 22, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "an axis divided by its p-norm";
  let description = [{
    - (C1) `axis` is an axis of `input`.
    - (C2) `p` is 1 or 2.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$input, IntOr<-1>:$axis, IntOr<2>:$p);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_MeanVarianceNormalizationOp : ONNX_Op<"MeanVarianceNormalization", 13, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "axes brought to mean zero and variance one";
  let description = [{
    - (C1) `axes` are distinct axes of `X`.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins T:$X, IntListOr<[0, 2, 3]>:$axes);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}

def ONNX_RMSNormalizationOp : ONNX_Op<"RMSNormalization", 23, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "the axes from a given one on divided by their root mean square";
  let description = [{
    - (C1) `axis` is an axis of `X`.
    - (C2) `stash_type` is the number of a float type.
  }];
  defvar V = Var<"V", TensorIn<Floats>>;
  let arguments = (ins
      Var<"T", TensorIn<Floats>>:$X, V:$scale, IntOr<-1>:$axis,
      RealOr<"1e-05">:$epsilon, IntOr<1>:$stash_type);
  let results = (outs V:$Y);
  let hasVerifier = 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_GRUOp : ONNX_Op<"GRU", 22, [Pure, Folds]> {
  let summary = "a recurrent layer of gated units";
  let description = [{
    Three gates: update, reset and hidden. Both directions of a bidirectional layer have
    weights of their own, along the first axis.

    - (C1) `direction` is "forward", "reverse" or "bidirectional".
    - (C2) `hidden_size` is at least 1.
    - (C3) `layout` and `linear_before_reset` are 0 or 1.
    - (C4) `activations` has 2 names for each direction, of functions that the standard
      knows.
    - (C5) `X`, `W` and `R` have rank 3; `W` and `R` have an entry for each direction and
      3 rows for each hidden unit.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, T:$R, Optional<T>:$B,
      Optional<Var<"T1", TensorIn<[Int32]>>>:$sequence_lens, Optional<T>:$initial_h,
      OptRealList:$activation_alpha, OptRealList:$activation_beta,
      OptStrList:$activations, OptReal:$clip, StrOr<"forward">:$direction,
      OptInt:$hidden_size, IntOr<0>:$layout, IntOr<0>:$linear_before_reset);
  let results = (outs Optional<T>:$Y, Optional<T>:$Y_h);
  let hasVerifier = 1;
}

def ONNX_LSTMOp : ONNX_Op<"LSTM", 22, [Pure, Folds]> {
  let summary = "a recurrent layer of units with a long short-term memory";
  let description = [{
    Four gates: input, output, forget and cell. Both directions of a bidirectional layer
    have weights of their own, along the first axis.

    - (C1) `direction` is "forward", "reverse" or "bidirectional".
    - (C2) `hidden_size` is at least 1.
    - (C3) `layout` and `input_forget` are 0 or 1.
    - (C4) `activations` has 3 names for each direction, of functions that the standard
      knows.
    - (C5) `X`, `W` and `R` have rank 3; `W` and `R` have an entry for each direction and
      4 rows for each hidden unit.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, T:$R, Optional<T>:$B,
      Optional<Var<"T1", TensorIn<[Int32]>>>:$sequence_lens, Optional<T>:$initial_h,
      Optional<T>:$initial_c, Optional<T>:$P, OptRealList:$activation_alpha,
      OptRealList:$activation_beta, OptStrList:$activations, OptReal:$clip,
      StrOr<"forward">:$direction, OptInt:$hidden_size, IntOr<0>:$input_forget,
      IntOr<0>:$layout);
  let results = (outs Optional<T>:$Y, Optional<T>:$Y_h, Optional<T>:$Y_c);
  let hasVerifier = 1;
}

def ONNX_RNNOp : ONNX_Op<"RNN", 22, [Pure, Folds]> {
  let summary = "a recurrent layer of plain units";
  let description = [{
    Both directions of a bidirectional layer have weights of their own, along the first
    axis.

    - (C1) `direction` is "forward", "reverse" or "bidirectional".
    - (C2) `hidden_size` is at least 1.
    - (C3) `layout` is 0 or 1.
    - (C4) `activations` has a name for each direction, of a function that the standard
      knows.
    - (C5) `X`, `W` and `R` have rank 3; `W` and `R` have an entry for each direction and
      a row for each hidden unit.
  }];
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, T:$R, Optional<T>:$B,
      Optional<Var<"T1", TensorIn<[Int32]>>>:$sequence_lens, Optional<T>:$initial_h,
      OptRealList:$activation_alpha, OptRealList:$activation_beta,
      StrListOr<["Tanh", "Tanh"]>:$activations, OptReal:$clip,
      StrOr<"forward">:$direction, OptInt:$hidden_size, IntOr<0>:$layout);
  let results = (outs Optional<T>:$Y, Optional<T>:$Y_h);
  let hasVerifier = 1;
}

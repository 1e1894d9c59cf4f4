// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_GRUOp : ONNX_Op<"GRU", 22, [Pure]> {
  let summary = "a recurrent layer of gated units";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, T:$R, Optional<T>:$B,
      Optional<Var<"T1", TensorIn<[Int32]>>>:$sequence_lens, Optional<T>:$initial_h,
      OptRealList:$activation_alpha, OptRealList:$activation_beta,
      OptStrList:$activations, OptReal:$clip, StrOr<"forward">:$direction,
      OptInt:$hidden_size, IntOr<0>:$layout, IntOr<0>:$linear_before_reset);
  let results = (outs Optional<T>:$Y, Optional<T>:$Y_h);
}

def ONNX_LSTMOp : ONNX_Op<"LSTM", 22, [Pure]> {
  let summary = "a recurrent layer of units with a long short-term memory";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, T:$R, Optional<T>:$B,
      Optional<Var<"T1", TensorIn<[Int32]>>>:$sequence_lens, Optional<T>:$initial_h,
      Optional<T>:$initial_c, Optional<T>:$P, OptRealList:$activation_alpha,
      OptRealList:$activation_beta, OptStrList:$activations, OptReal:$clip,
      StrOr<"forward">:$direction, OptInt:$hidden_size, IntOr<0>:$input_forget,
      IntOr<0>:$layout);
  let results = (outs Optional<T>:$Y, Optional<T>:$Y_h, Optional<T>:$Y_c);
}

def ONNX_RNNOp : ONNX_Op<"RNN", 22, [Pure]> {
  let summary = "a recurrent layer of plain units";
  defvar T = Var<"T", TensorIn<Floats>>;
  let arguments = (ins
      T:$X, T:$W, T:$R, Optional<T>:$B,
      Optional<Var<"T1", TensorIn<[Int32]>>>:$sequence_lens, Optional<T>:$initial_h,
      OptRealList:$activation_alpha, OptRealList:$activation_beta,
      StrListOr<["Tanh", "Tanh"]>:$activations, OptReal:$clip,
      StrOr<"forward">:$direction, OptInt:$hidden_size, IntOr<0>:$layout);
  let results = (outs Optional<T>:$Y, Optional<T>:$Y_h);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AttentionOp : ONNX_Op<"Attention", 25, [Pure]> {
  let summary = "scaled dot-product attention, with masks, caches and grouped heads";
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  defvar T2 = Var<"T2", TensorIn<Floats>>;
  let arguments = (ins
      T1:$Q, T1:$K, T2:$V,
      Optional<Var<"U", TensorIn<!listconcat(Numbers, [Bool])>>>:$attn_mask,
      Optional<T1>:$past_key, Optional<T2>:$past_value,
      Optional<TensorIn<[Int64]>>:$nonpad_kv_seqlen, IntOr<0>:$is_causal,
      OptInt:$kv_num_heads, IntOr<-1>:$left_window_size, OptInt:$q_num_heads,
      IntOr<0>:$qk_matmul_output_mode, IntOr<-1>:$right_window_size, OptReal:$scale,
      RealOr<"0.0">:$softcap, OptInt:$softmax_precision);
  let results = (outs
      T1:$Y, Optional<T1>:$present_key, Optional<T2>:$present_value,
      Optional<T1>:$qk_matmul_output);
}

def ONNX_FlexAttentionOp : ONNX_Op<"FlexAttention", 1, [RecursiveMemoryEffects], "ai.onnx.preview"> {
  let summary = "attention whose scores and weights graphs may modify";
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  let arguments = (ins T1:$Q, T1:$K, T1:$V, OptReal:$scale, OptInt:$softmax_precision);
  let results = (outs T1:$Y);
  let regions = (region OptGraph:$prob_mod, OptGraph:$score_mod);
}

def ONNX_LinearAttentionOp : ONNX_Op<"LinearAttention", 27, [Pure]> {
  let summary = "attention as a recurrence over a matrix-valued state";
  defvar T = Var<"T", TensorIn<[Float, Float16, BFloat16]>>;
  defvar S = Var<"S", TensorIn<[Float, Float16, BFloat16]>>;
  let arguments = (ins
      T:$query, T:$key, T:$value, Optional<S>:$past_state, Optional<T>:$decay,
      Optional<T>:$beta, IntOr<64>:$chunk_size, Int:$kv_num_heads, Int:$q_num_heads,
      RealOr<"0.0">:$scale, StrOr<"gated_delta">:$update_rule);
  let results = (outs T:$output, S:$present_state);
}

def ONNX_RotaryEmbeddingOp : ONNX_Op<"RotaryEmbedding", 23, [Pure]> {
  let summary = "pairs of elements turned by position-dependent angles";
  defvar T = Var<"T", TensorIn<[Float, Float16, BFloat16]>>;
  let arguments = (ins
      T:$X, T:$cos_cache, T:$sin_cache,
      Optional<Var<"M", TensorIn<[Int64]>>>:$position_ids, IntOr<0>:$interleaved,
      OptInt:$num_heads, IntOr<0>:$rotary_embedding_dim);
  let results = (outs T:$Y);
}

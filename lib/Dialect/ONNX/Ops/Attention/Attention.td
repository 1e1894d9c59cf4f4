// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_AttentionOp : ONNX_Op<"Attention", 25, [Pure, Folds]> {
  let summary = "scaled dot-product attention, with masks, caches and grouped heads";
  let description = [{
    Operands of rank 3 have their heads side by side in the last axis, of rank 4 in an
    axis of their own. `past_key` and `past_value` go before `K` and `V`; the results
    `present_key` and `present_value` are both together.

    - (C1) `is_causal` is 0 or 1.
    - (C2) `q_num_heads` is a multiple of `kv_num_heads`, and both are given for operands
      of rank 3.
    - (C3) `Q`, `K` and `V` have one rank, 3 or 4.
    - (C4) `past_key` and `past_value` are both given, with rank 4, or both left out.
    - (C5) `qk_matmul_output_mode` is 0, 1, 2 or 3.
    - (C6) `softmax_precision` is the number of a float type.
    - (C7) `left_window_size` and `right_window_size` are at least -1.
  }];
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
  let hasVerifier = 1;
  let extraClassDeclaration = schemaDeclaration # [{
    struct Sizes {
      ::invar::IndexExpr batch, queryHeads, keyHeads, queryLength;
      /// Of `K` and `V`, and with what is past before them.
      ::invar::IndexExpr keyLength, totalLength;
      /// Of a head, in `Q` and `K`, and in `V`.
      ::invar::IndexExpr headSize, valueSize;
    };
    ::llvm::FailureOr<Sizes> computeSizes(::invar::ShapeHelper &shape);
  }];
}

def ONNX_FlexAttentionOp
    : ONNX_Op<"FlexAttention", 1,
              [RecursiveMemoryEffects, DeclareOpInterfaceMethods<ONNX_TypesInterface>],
              "ai.onnx.preview"> {
  let summary = "attention whose scores and weights graphs may modify";
  let description = [{
    `score_mod` changes the scores before the softmax, `prob_mod` the weights after it.

    - (C1) `Q`, `K` and `V` have rank 4.
    - (C2) `softmax_precision` is the number of a float type.
    - (C3) a graph takes one argument and yields one value, of the argument's type.
  }];
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  let arguments = (ins T1:$Q, T1:$K, T1:$V, OptReal:$scale, OptInt:$softmax_precision);
  let results = (outs T1:$Y);
  let regions = (region OptGraph:$prob_mod, OptGraph:$score_mod);
  let hasVerifier = 1;
}

def ONNX_LinearAttentionOp : ONNX_Op<"LinearAttention", 27, [Pure, Folds]> {
  let summary = "attention as a recurrence over a matrix-valued state";
  let description = [{
    The state is a matrix for each key head. `update_rule` says whether it decays and
    whether the new value replaces what the key recalled. `chunk_size` is only a hint.

    - (C1) `update_rule` is "linear", "gated", "delta" or "gated_delta".
    - (C2) `q_num_heads` is a multiple of `kv_num_heads`, and both are at least 1.
    - (C3) `query`, `key` and `value` have rank 3, `past_state` has rank 4.
  }];
  defvar T = Var<"T", TensorIn<[Float, Float16, BFloat16]>>;
  defvar S = Var<"S", TensorIn<[Float, Float16, BFloat16]>>;
  let arguments = (ins
      T:$query, T:$key, T:$value, Optional<S>:$past_state, Optional<T>:$decay,
      Optional<T>:$beta, IntOr<64>:$chunk_size, Int:$kv_num_heads, Int:$q_num_heads,
      RealOr<"0.0">:$scale, StrOr<"gated_delta">:$update_rule);
  let results = (outs T:$output, S:$present_state);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_RotaryEmbeddingOp : ONNX_Op<"RotaryEmbedding", 23, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "pairs of elements turned by position-dependent angles";
  let description = [{
    Pairs are elements side by side when `interleaved`, else an element of each half.

    - (C1) `interleaved` is 0 or 1.
    - (C2) `X` has rank 3, with `num_heads` given, or rank 4.
    - (C3) `num_heads` and `rotary_embedding_dim` are at least 0.
  }];
  defvar T = Var<"T", TensorIn<[Float, Float16, BFloat16]>>;
  let arguments = (ins
      T:$X, T:$cos_cache, T:$sin_cache,
      Optional<Var<"M", TensorIn<[Int64]>>>:$position_ids, IntOr<0>:$interleaved,
      OptInt:$num_heads, IntOr<0>:$rotary_embedding_dim);
  let results = (outs T:$Y);
  let hasVerifier = 1;
}

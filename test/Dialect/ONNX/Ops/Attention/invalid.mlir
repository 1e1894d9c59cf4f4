// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @attention_c1(%Q: tensor<1x4x3x8xf32>, %K: tensor<1x4x3x8xf32>,
                        %V: tensor<1x4x3x8xf32>) {
  // expected-error @+1 {{(C1) expected 'is_causal' to be one of 0, 1, but got 2}}
  %0 = onnx.Attention(%Q, %K, %V) {is_causal = 2 : i64}
      : (tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @attention_c2(%Q: tensor<1x3x32xf32>, %K: tensor<1x3x24xf32>,
                        %V: tensor<1x3x24xf32>) {
  // expected-error @+1 {{(C2) expected 'q_num_heads' to be a multiple of 'kv_num_heads' 3, but got 4}}
  %0 = onnx.Attention(%Q, %K, %V) {kv_num_heads = 3 : i64, q_num_heads = 4 : i64}
      : (tensor<1x3x32xf32>, tensor<1x3x24xf32>, tensor<1x3x24xf32>) -> !onnx.unknown
  return
}

// -----

func.func @attention_c2_b(%Q: tensor<1x3x32xf32>, %K: tensor<1x3x32xf32>,
                          %V: tensor<1x3x32xf32>) {
  // expected-error @+1 {{(C2) expected 'q_num_heads' to be at least 1, but got 0}}
  %0 = onnx.Attention(%Q, %K, %V) {kv_num_heads = 4 : i64}
      : (tensor<1x3x32xf32>, tensor<1x3x32xf32>, tensor<1x3x32xf32>) -> !onnx.unknown
  return
}

// -----

func.func @attention_c3(%Q: tensor<1x4x3x8xf32>, %K: tensor<1x3x8xf32>,
                        %V: tensor<1x4x3x8xf32>) {
  // expected-error @+1 {{(C3) expected 'K' to have the rank of 'Q', 4, but got 3}}
  %0 = onnx.Attention(%Q, %K, %V)
      : (tensor<1x4x3x8xf32>, tensor<1x3x8xf32>, tensor<1x4x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @attention_c4(%Q: tensor<1x4x3x8xf32>, %K: tensor<1x4x3x8xf32>,
                        %V: tensor<1x4x3x8xf32>, %past_key: tensor<1x4x5x8xf32>) {
  // expected-error @+1 {{(C4) expected both 'past_key' and 'past_value', but got only one}}
  %0 = onnx.Attention(%Q, %K, %V, _, %past_key)
      : (tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>,
       tensor<1x4x5x8xf32>)
      -> !onnx.unknown
  return
}

// -----

func.func @attention_c5(%Q: tensor<1x4x3x8xf32>, %K: tensor<1x4x3x8xf32>,
                        %V: tensor<1x4x3x8xf32>) {
  // expected-error @+1 {{(C5) expected 'qk_matmul_output_mode' to be one of 0, 1, 2, 3, but got 4}}
  %0 = onnx.Attention(%Q, %K, %V) {qk_matmul_output_mode = 4 : i64}
      : (tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @attention_c6(%Q: tensor<1x4x3x8xf32>, %K: tensor<1x4x3x8xf32>,
                        %V: tensor<1x4x3x8xf32>) {
  // expected-error @+1 {{(C6) expected 'softmax_precision' to be one of 1, 10, 11, 16, but got 7}}
  %0 = onnx.Attention(%Q, %K, %V) {softmax_precision = 7 : i64}
      : (tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @attention_c7(%Q: tensor<1x4x3x8xf32>, %K: tensor<1x4x3x8xf32>,
                        %V: tensor<1x4x3x8xf32>) {
  // expected-error @+1 {{(C7) expected 'left_window_size' to be at least -1, but got -2}}
  %0 = onnx.Attention(%Q, %K, %V) {left_window_size = -2 : i64}
      : (tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>, tensor<1x4x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @linearattention_c1(%query: !onnx.unknown, %key: !onnx.unknown,
                              %value: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'update_rule' to be one of 'linear', 'gated', 'delta', 'gated_delta', but got 'mean'}}
  %0:2 = onnx.LinearAttention(%query, %key, %value)
      {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "mean"}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @linearattention_c2(%query: !onnx.unknown, %key: !onnx.unknown,
                              %value: !onnx.unknown) {
  // expected-error @+1 {{(C2) expected 'kv_num_heads' to be at least 1, but got 0}}
  %0:2 = onnx.LinearAttention(%query, %key, %value)
      {kv_num_heads = 0 : i64, q_num_heads = 4 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @linearattention_c3(%query: tensor<1x4x3x8xf32>, %key: !onnx.unknown,
                              %value: !onnx.unknown) {
  // expected-error @+1 {{(C3) expected 'query' to have rank 3, but got 4}}
  %0:2 = onnx.LinearAttention(%query, %key, %value)
      {kv_num_heads = 2 : i64, q_num_heads = 4 : i64}
      : (tensor<1x4x3x8xf32>, !onnx.unknown, !onnx.unknown)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @rotaryembedding_c1(%X: !onnx.unknown, %cos_cache: !onnx.unknown,
                              %sin_cache: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'interleaved' to be one of 0, 1, but got 2}}
  %0 = onnx.RotaryEmbedding(%X, %cos_cache, %sin_cache) {interleaved = 2 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @rotaryembedding_c2(%X: tensor<1x3x32xf32>, %cos_cache: !onnx.unknown,
                              %sin_cache: !onnx.unknown) {
  // expected-error @+1 {{(C2) expected 'num_heads' to be at least 1, but got 0}}
  %0 = onnx.RotaryEmbedding(%X, %cos_cache, %sin_cache)
      : (tensor<1x3x32xf32>, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @rotaryembedding_c2_b(%X: tensor<3x32xf32>, %cos_cache: !onnx.unknown,
                                %sin_cache: !onnx.unknown) {
  // expected-error @+1 {{(C2) expected 'X' to have rank 3 or 4, but got 2}}
  %0 = onnx.RotaryEmbedding(%X, %cos_cache, %sin_cache)
      : (tensor<3x32xf32>, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @rotaryembedding_c3(%X: !onnx.unknown, %cos_cache: !onnx.unknown,
                              %sin_cache: !onnx.unknown) {
  // expected-error @+1 {{(C3) expected 'rotary_embedding_dim' to be at least 0, but got -2}}
  %0 = onnx.RotaryEmbedding(%X, %cos_cache, %sin_cache) {rotary_embedding_dim = -2 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @flexattention_c1(%Q: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C1) expected 'Q' to have rank 4, but got 3}}
  %0 = onnx.preview.FlexAttention(%Q, %Q, %Q)
      : (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> !onnx.unknown {} {}
  return
}

// -----

func.func @flexattention_c2(%Q: !onnx.unknown) {
  // expected-error @+1 {{(C2) expected 'softmax_precision' to be one of 1, 10, 11, 16, but got 2}}
  %0 = onnx.preview.FlexAttention(%Q, %Q, %Q) {softmax_precision = 2 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown {} {}
  return
}

// -----

func.func @flexattention_c3(%Q: !onnx.unknown) {
  // expected-error @+1 {{(C3) expected 'score_mod' to take 1 arguments, but got 2}}
  %0 = onnx.preview.FlexAttention(%Q, %Q, %Q)
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown {} {
  ^bb0(%scores: !onnx.unknown, %other: !onnx.unknown):
    onnx.Yield(%scores) : !onnx.unknown
  }
  return
}

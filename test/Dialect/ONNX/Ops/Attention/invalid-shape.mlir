// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @attention_heads(%Q: tensor<1x2x3x8xf32>, %K: tensor<1x2x4x8xf32>, %V: tensor<1x1x4x8xf32>) {
  // expected-error @+1 {{expected the heads of keys and values to agree, but got 2 and 1}}
  %0 = onnx.Attention(%Q, %K, %V)
      : (tensor<1x2x3x8xf32>, tensor<1x2x4x8xf32>, tensor<1x1x4x8xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @flexattention_c3(%Q: tensor<1x2x3x8xf32>, %K: tensor<1x2x4x8xf32>, %V: tensor<1x2x4x8xf32>) {
  // expected-error @+1 {{(C3) expected 'score_mod' to be tensor<1x2x3x4xf32>, but got tensor<1x2x3x4xi1>}}
  %0 = onnx.preview.FlexAttention(%Q, %K, %V)
      : (tensor<1x2x3x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> !onnx.unknown {
  } {
  ^bb0(%scores: !onnx.unknown):
    %nan = onnx.IsNaN(%scores) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%nan) : !onnx.unknown
  }
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @flexattention_sizes(%Q: tensor<1x2x3x8xf32>, %K: tensor<1x2x4x9xf32>, %V: tensor<1x2x4x8xf32>) {
  // expected-error @+1 {{expected the sizes of heads of 'Q' and 'K' to agree, but got 8 and 9}}
  %0 = onnx.preview.FlexAttention(%Q, %K, %V)
      : (tensor<1x2x3x8xf32>, tensor<1x2x4x9xf32>, tensor<1x2x4x8xf32>) -> !onnx.unknown {
  } {
  }
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @linearattention_heads(%query: tensor<1x3x16xf32>, %key: tensor<1x3x8xf32>, %value: tensor<1x3x8xf32>) {
  // expected-error @+1 {{expected the sizes of heads of query and key to agree, but got 4 and 8}}
  %0:2 = onnx.LinearAttention(%query, %key, %value) {kv_num_heads = 1 : i64, q_num_heads = 4 : i64}
      : (tensor<1x3x16xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

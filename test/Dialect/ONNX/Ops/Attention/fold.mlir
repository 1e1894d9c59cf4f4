// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @attention(
func.func @attention() -> (tensor<1x1x2x1xf32>, tensor<1x2x2xf32>, tensor<1x1x3x1xf32>, tensor<1x2x2x3xf32>, tensor<1x1x2x1xf32>) {
  // Scores that are all equal weigh all keys that are seen evenly.
  %q = onnx.Constant dense<0.0> : tensor<1x1x2x1xf32>
  %v = onnx.Constant dense<[[[[2.0], [4.0]]]]> : tensor<1x1x2x1xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}2.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %0 = onnx.Attention(%q, %q, %v) {is_causal = 1 : i64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  // Two query heads share a key head; a key is past, and the mask hides another.
  %q3 = onnx.Constant dense<0.0> : tensor<1x2x2xf32>
  %k3 = onnx.Constant dense<0.0> : tensor<1x2x1xf32>
  %v3 = onnx.Constant dense<[[[2.0], [4.0]]]> : tensor<1x2x1xf32>
  %pk = onnx.Constant dense<5.0> : tensor<1x1x1x1xf32>
  %pv = onnx.Constant dense<8.0> : tensor<1x1x1x1xf32>
  %mask = onnx.Constant dense<[[true, true], [false, false]]> : tensor<2x2xi1>
  // CHECK-DAG: dense<{{\[\[\[}}5.000000e+00, 5.000000e+00], [0.000000e+00, 0.000000e+00]]]> : tensor<1x2x2xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}8.000000e+00], [2.000000e+00], [4.000000e+00]]]]> : tensor<1x1x3x1xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}5.000000e-01, 5.000000e-01, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00]], {{.*}} : tensor<1x2x2x3xf32>
  %1, %2, %3, %4 = onnx.Attention(%q3, %k3, %v3, %mask, %pk, %pv) {q_num_heads = 2 : i64, kv_num_heads = 1 : i64, qk_matmul_output_mode = 3 : i64} : (tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<2x2xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> (tensor<1x2x2xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x2x2x3xf32>)
  // More keys than there are count.
  %n = onnx.Constant dense<3> : tensor<1xi64>
  // CHECK-DAG: onnx.Attention(
  %5 = onnx.Attention(%q, %q, %v, _, _, _, %n) : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1xi64>) -> tensor<1x1x2x1xf32>
  return %0, %1, %3, %4, %5 : tensor<1x1x2x1xf32>, tensor<1x2x2xf32>, tensor<1x1x3x1xf32>, tensor<1x2x2x3xf32>, tensor<1x1x2x1xf32>
}

// -----

// CHECK-LABEL: @flex(
func.func @flex() -> tensor<1x1x1x1xf32> {
  %q = onnx.Constant dense<0.0> : tensor<1x1x1x1xf32>
  %k = onnx.Constant dense<0.0> : tensor<1x1x2x1xf32>
  %v = onnx.Constant dense<[[[[2.0], [4.0]]]]> : tensor<1x1x2x1xf32>
  // Both weights are a half, and then doubled.
  // CHECK: dense<6.000000e+00> : tensor<1x1x1x1xf32>
  %0 = onnx.preview.FlexAttention(%q, %k, %v)
      : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32> {
  ^bb0(%weights: tensor<1x1x1x2xf32>):
    %sum = onnx.Add(%weights, %weights) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
    onnx.Yield(%sum) : tensor<1x1x1x2xf32>
  } {
  }
  return %0 : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @linear(
func.func @linear() -> (tensor<1x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1x2x1xf32>) {
  %q = onnx.Constant dense<1.0> : tensor<1x2x1xf32>
  %k = onnx.Constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %v = onnx.Constant dense<[[[3.0], [5.0]]]> : tensor<1x2x1xf32>
  %past = onnx.Constant dense<1.0> : tensor<1x1x1x1xf32>
  %beta = onnx.Constant dense<0.5> : tensor<1x2x1xf32>
  // 1 + 0.5 (3 - 1) = 2, then 2 + 2 · 0.5 (5 - 2 · 2) = 3.
  // CHECK-DAG: dense<{{\[\[\[}}2.000000e+00], [3.000000e+00]]]> : tensor<1x2x1xf32>
  // CHECK-DAG: dense<3.000000e+00> : tensor<1x1x1x1xf32>
  %0, %1 = onnx.LinearAttention(%q, %k, %v, %past, _, %beta) {update_rule = "delta", q_num_heads = 1 : i64, kv_num_heads = 1 : i64} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1x2x1xf32>) -> (tensor<1x2x1xf32>, tensor<1x1x1x1xf32>)
  // The rule needs what is not there.
  // CHECK-DAG: onnx.LinearAttention(
  %2, %3 = onnx.LinearAttention(%q, %k, %v) {update_rule = "gated", q_num_heads = 1 : i64, kv_num_heads = 1 : i64} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> (tensor<1x2x1xf32>, tensor<1x1x1x1xf32>)
  return %0, %1, %2 : tensor<1x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1x2x1xf32>
}

// -----

// CHECK-LABEL: @rotary(
func.func @rotary() -> (tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>) {
  %x = onnx.Constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]]]> : tensor<1x1x1x6xf32>
  %cos = onnx.Constant dense<[[9.0, 9.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %sin = onnx.Constant dense<[[9.0, 9.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %one = onnx.Constant dense<1> : tensor<1x1xi64>
  // A quarter of a turn for the first pair, none for the second.
  // CHECK-DAG: dense<{{\[\[\[\[}}-3.000000e+00, 2.000000e+00, 1.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]]]]>
  %0 = onnx.RotaryEmbedding(%x, %cos, %sin, %one) {rotary_embedding_dim = 4 : i64} : (tensor<1x1x1x6xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x1xi64>) -> tensor<1x1x1x6xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}-2.000000e+00, 1.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]]]]>
  %1 = onnx.RotaryEmbedding(%x, %cos, %sin, %one) {interleaved = 1 : i64, rotary_embedding_dim = 4 : i64} : (tensor<1x1x1x6xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x1xi64>) -> tensor<1x1x1x6xf32>
  // A position that is not there is left to run time.
  %two = onnx.Constant dense<2> : tensor<1x1xi64>
  // CHECK-DAG: onnx.RotaryEmbedding(
  %2 = onnx.RotaryEmbedding(%x, %cos, %sin, %two) {rotary_embedding_dim = 4 : i64} : (tensor<1x1x1x6xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x1xi64>) -> tensor<1x1x1x6xf32>
  return %0, %1, %2 : tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>
}

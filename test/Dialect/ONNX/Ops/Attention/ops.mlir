// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @attention(
func.func @attention(%Q: tensor<1x3x32xf32>, %K: tensor<1x3x16xf32>,
                     %V: tensor<1x3x16xf32>, %past_key: tensor<1x2x5x8xf32>,
                     %past_value: tensor<1x2x5x8xf32>) {
  // CHECK: onnx.Attention(%arg0, %arg1, %arg2, _, %arg3, %arg4)
  // CHECK-SAME: {is_causal = 1 : i64, kv_num_heads = 2 : i64, q_num_heads = 4 : i64}
  // CHECK-SAME: : (tensor<1x3x32xf32>, tensor<1x3x16xf32>, tensor<1x3x16xf32>,
  // CHECK-SAME: tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>)
  // CHECK-SAME: -> (tensor<1x3x32xf32>, tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>)
  %0:3 = onnx.Attention(%Q, %K, %V, _, %past_key, %past_value)
      {is_causal = 1 : i64, kv_num_heads = 2 : i64, q_num_heads = 4 : i64}
      : (tensor<1x3x32xf32>, tensor<1x3x16xf32>, tensor<1x3x16xf32>, tensor<1x2x5x8xf32>,
       tensor<1x2x5x8xf32>)
      -> (tensor<1x3x32xf32>, tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>)
  return
}

// CHECK-LABEL: @attention_2(
func.func @attention_2(%Q: tensor<1x4x3x8xf16>, %K: tensor<1x4x3x8xf16>,
                       %V: tensor<1x4x3x8xf16>, %attn_mask: tensor<3x3xi1>) {
  // CHECK: onnx.Attention(%arg0, %arg1, %arg2, %arg3)
  // CHECK-SAME: {qk_matmul_output_mode = 3 : i64, softmax_precision = 1 : i64}
  // CHECK-SAME: : (tensor<1x4x3x8xf16>, tensor<1x4x3x8xf16>, tensor<1x4x3x8xf16>,
  // CHECK-SAME: tensor<3x3xi1>)
  // CHECK-SAME: -> (tensor<1x4x3x8xf16>, _, _, tensor<1x4x3x3xf16>)
  %0:2 = onnx.Attention(%Q, %K, %V, %attn_mask)
      {qk_matmul_output_mode = 3 : i64, softmax_precision = 1 : i64}
      : (tensor<1x4x3x8xf16>, tensor<1x4x3x8xf16>, tensor<1x4x3x8xf16>, tensor<3x3xi1>)
      -> (tensor<1x4x3x8xf16>, _, _, tensor<1x4x3x3xf16>)
  return
}

// CHECK-LABEL: @linearattention(
func.func @linearattention(%query: tensor<1x3x32xf32>, %key: tensor<1x3x16xf32>,
                           %value: tensor<1x3x16xf32>, %decay: tensor<1x3x2xf32>) {
  // CHECK: onnx.LinearAttention(%arg0, %arg1, %arg2, _, %arg3)
  // CHECK-SAME: {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "gated"}
  // CHECK-SAME: : (tensor<1x3x32xf32>, tensor<1x3x16xf32>, tensor<1x3x16xf32>,
  // CHECK-SAME: tensor<1x3x2xf32>)
  // CHECK-SAME: -> (tensor<1x3x32xf32>, tensor<1x2x8x8xf32>)
  %0:2 = onnx.LinearAttention(%query, %key, %value, _, %decay)
      {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "gated"}
      : (tensor<1x3x32xf32>, tensor<1x3x16xf32>, tensor<1x3x16xf32>, tensor<1x3x2xf32>)
      -> (tensor<1x3x32xf32>, tensor<1x2x8x8xf32>)
  return
}

// CHECK-LABEL: @rotaryembedding(
func.func @rotaryembedding(%X: tensor<1x3x32xf32>, %cos_cache: tensor<50x4xf32>,
                           %sin_cache: tensor<50x4xf32>,
                           %position_ids: tensor<1x3xi64>) {
  // CHECK: onnx.RotaryEmbedding(%arg0, %arg1, %arg2, %arg3)
  // CHECK-SAME: {interleaved = 1 : i64, num_heads = 4 : i64}
  // CHECK-SAME: : (tensor<1x3x32xf32>, tensor<50x4xf32>, tensor<50x4xf32>,
  // CHECK-SAME: tensor<1x3xi64>)
  // CHECK-SAME: -> tensor<1x3x32xf32>
  %0 = onnx.RotaryEmbedding(%X, %cos_cache, %sin_cache, %position_ids)
      {interleaved = 1 : i64, num_heads = 4 : i64}
      : (tensor<1x3x32xf32>, tensor<50x4xf32>, tensor<50x4xf32>, tensor<1x3xi64>)
      -> tensor<1x3x32xf32>
  return
}

// CHECK-LABEL: @flexattention(
func.func @flexattention(%Q: tensor<1x4x3x8xf32>, %K: tensor<1x2x3x8xf32>) {
  // CHECK: onnx.preview.FlexAttention(%arg0, %arg1, %arg1) {scale = 1.000000e+00 : f32}
  // CHECK-SAME: : (tensor<1x4x3x8xf32>, tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>)
  // CHECK-SAME: -> tensor<1x4x3x8xf32> {
  // CHECK: } {
  // CHECK: ^bb0(%[[SCORES:.*]]: tensor<1x4x3x3xf32>):
  // CHECK: onnx.Neg(%[[SCORES]])
  %0 = onnx.preview.FlexAttention(%Q, %K, %K) {scale = 1.000000e+00 : f32}
      : (tensor<1x4x3x8xf32>, tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>)
      -> tensor<1x4x3x8xf32> {
  } {
  ^bb0(%scores: tensor<1x4x3x3xf32>):
    %neg = onnx.Neg(%scores) : (tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    onnx.Yield(%neg) : tensor<1x4x3x3xf32>
  }
  return
}

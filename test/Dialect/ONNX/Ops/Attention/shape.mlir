// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @attention_4d(
func.func @attention_4d(%Q: tensor<?x8x?x64xf32, #onnx.dims<"b", "", "s", "">>,
                        %K: tensor<?x2x?x64xf32, #onnx.dims<"b", "", "t", "">>,
                        %V: tensor<?x2x?x32xf32, #onnx.dims<"b", "", "t", "">>) {
  // CHECK: onnx.Attention({{.*}} -> tensor<?x8x?x32xf32, #onnx.dims<"b", "", "s", "">>
  %0 = onnx.Attention(%Q, %K, %V)
      : (tensor<?x8x?x64xf32, #onnx.dims<"b", "", "s", "">>,
         tensor<?x2x?x64xf32, #onnx.dims<"b", "", "t", "">>,
         tensor<?x2x?x32xf32, #onnx.dims<"b", "", "t", "">>) -> !onnx.unknown
  return
}

// -----

// Operands of rank 3, and caches of rank 4 that grow.
// CHECK-LABEL: @attention_3d(
func.func @attention_3d(%Q: tensor<2x?x24xf32, #onnx.dims<"", "s", "">>,
                        %K: tensor<2x6x8xf32>, %V: tensor<2x6x10xf32>,
                        %past_key: tensor<2x1x?x8xf32, #onnx.dims<"", "", "p", "">>,
                        %past_value: tensor<2x1x?x10xf32, #onnx.dims<"", "", "p", "">>) {
  // CHECK: onnx.Attention({{.*}} -> (tensor<2x?x30xf32, #onnx.dims<"", "s", "">>,
  // CHECK-SAME: tensor<2x1x?x8xf32, #onnx.dims<"", "", "p + 6", "">>,
  // CHECK-SAME: tensor<2x1x?x10xf32, #onnx.dims<"", "", "p + 6", "">>,
  // CHECK-SAME: tensor<2x3x?x?xf32, #onnx.dims<"", "", "s", "p + 6">>)
  %0:4 = onnx.Attention(%Q, %K, %V, _, %past_key, %past_value)
      {kv_num_heads = 1 : i64, q_num_heads = 3 : i64}
      : (tensor<2x?x24xf32, #onnx.dims<"", "s", "">>, tensor<2x6x8xf32>, tensor<2x6x10xf32>,
         tensor<2x1x?x8xf32, #onnx.dims<"", "", "p", "">>,
         tensor<2x1x?x10xf32, #onnx.dims<"", "", "p", "">>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown)
  return
}

// -----

// What the others say of operands that are not known.
// CHECK-LABEL: @attention_unknown(
func.func @attention_unknown(%Q: tensor<2x8x5x64xf32>, %unknown: tensor<*xf32>) {
  // CHECK: onnx.Attention({{.*}} -> (tensor<2x8x5x?xf32, #onnx.dims<"", "", "", "y.3">>,
  // CHECK-SAME: tensor<2x?x?x64xf32, #onnx.dims<"", "k.1", "k.2", "">>,
  // CHECK-SAME: tensor<2x?x?x?xf32, #onnx.dims<"", "v.1", "v.2", "v.3">>)
  %0:3 = onnx.Attention(%Q, %unknown, %unknown, _, %unknown, %unknown)
      {onnx.outputs = ["y", "k", "v"]}
      : (tensor<2x8x5x64xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return
}

// -----

// Scores are computed with in a type of their own.
// CHECK-LABEL: @flexattention(
func.func @flexattention(%Q: tensor<?x8x5x64xf16, #onnx.dims<"b", "", "", "">>,
                         %K: tensor<?x2x6x64xf16, #onnx.dims<"b", "", "", "">>,
                         %V: tensor<?x2x6x32xf16, #onnx.dims<"b", "", "", "">>) {
  // CHECK: onnx.preview.FlexAttention({{.*}} -> tensor<?x8x5x32xf16, #onnx.dims<"b", "", "", "">> {
  // CHECK: onnx.Tanh({{.*}} -> tensor<?x8x5x6xf32, #onnx.dims<"b", "", "", "">>
  %0 = onnx.preview.FlexAttention(%Q, %K, %V)
      : (tensor<?x8x5x64xf16, #onnx.dims<"b", "", "", "">>,
         tensor<?x2x6x64xf16, #onnx.dims<"b", "", "", "">>,
         tensor<?x2x6x32xf16, #onnx.dims<"b", "", "", "">>) -> !onnx.unknown {
  } {
  ^bb0(%scores: !onnx.unknown):
    %tanh = onnx.Tanh(%scores) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%tanh) : !onnx.unknown
  }
  return
}

// -----

// CHECK-LABEL: @linearattention(
func.func @linearattention(%query: tensor<?x?x32xf16, #onnx.dims<"b", "t", "">>,
                           %key: tensor<?x?x16xf16, #onnx.dims<"b", "t", "">>,
                           %value: tensor<?x?x20xf16, #onnx.dims<"b", "t", "">>,
                           %past: tensor<1x2x8x10xf32>, %unknown: tensor<*xf16>) {
  // CHECK: onnx.LinearAttention({{.*}} -> (tensor<1x?x40xf16, #onnx.dims<"", "t", "">>,
  // CHECK-SAME: tensor<1x2x8x10xf16>)
  %0:2 = onnx.LinearAttention(%query, %key, %value) {kv_num_heads = 2 : i64, q_num_heads = 4 : i64}
      : (tensor<?x?x32xf16, #onnx.dims<"b", "t", "">>, tensor<?x?x16xf16, #onnx.dims<"b", "t", "">>,
         tensor<?x?x20xf16, #onnx.dims<"b", "t", "">>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.LinearAttention({{.*}} -> (tensor<1x?x40xf16, #onnx.dims<"", "t", "">>,
  // CHECK-SAME: tensor<1x2x8x10xf32>)
  %1:2 = onnx.LinearAttention(%query, %unknown, %unknown, %past)
      {kv_num_heads = 2 : i64, q_num_heads = 4 : i64}
      : (tensor<?x?x32xf16, #onnx.dims<"b", "t", "">>, tensor<*xf16>, tensor<*xf16>,
         tensor<1x2x8x10xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// CHECK-LABEL: @rotaryembedding(
func.func @rotaryembedding(%X: tensor<?x4x?x8xf32, #onnx.dims<"b", "", "s", "">>,
                           %cache: tensor<50x4xf32>,
                           %ids: tensor<?x?xi64, #onnx.dims<"b", "s">>) {
  // CHECK: onnx.RotaryEmbedding({{.*}} -> tensor<?x4x?x8xf32, #onnx.dims<"b", "", "s", "">>
  %0 = onnx.RotaryEmbedding(%X, %cache, %cache, %ids)
      : (tensor<?x4x?x8xf32, #onnx.dims<"b", "", "s", "">>, tensor<50x4xf32>, tensor<50x4xf32>,
         tensor<?x?xi64, #onnx.dims<"b", "s">>) -> !onnx.unknown
  return
}

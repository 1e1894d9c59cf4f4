// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Query heads read the key head that they share; graphs stand between products and softmax.
// CHECK-DAG: [[Q:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
// CHECK-DAG: [[K:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-LABEL: @flex(
// CHECK: tensor.reshape %arg0{{.*}} -> tensor<1x2x2x5x8xf32>
// CHECK: linalg.generic {indexing_maps = [[[Q]], [[K]]
// CHECK: math.tanh
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins({{.*}}, %arg2
func.func @flex(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>) -> tensor<*xf32> {
  %0 = onnx.preview.FlexAttention(%q, %k, %v)
      : (tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) -> tensor<*xf32> {
  } {
  ^bb0(%scores: tensor<1x4x5x6xf32>):
    %bent = onnx.Tanh(%scores) : (tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
    onnx.Yield(%bent) : tensor<1x4x5x6xf32>
  }
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @linear(
// CHECK: rt.call "LinearAttention"(%arg0, %arg0, %arg0) {corrects = 0 : i64, decays = 0 : i64, heads = 2 : i64, query_heads = 2 : i64, scale = 0.000000e+00 : f64}
func.func @linear(%x: tensor<1x5x8xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0, %1 = onnx.LinearAttention(%x, %x, %x) {kv_num_heads = 2 : i64, q_num_heads = 2 : i64, update_rule = "linear"}
      : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

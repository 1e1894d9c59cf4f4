// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @batchnormalization(
func.func @batchnormalization(%X: tensor<?x?x8xf32, #onnx.dims<"n", "c", "">>, %v: tensor<3xf32>,
                              %unknown: tensor<*xf32>) {
  // The channels are those of the statistics.
  // CHECK: onnx.BatchNormalization({{.*}} -> tensor<?x3x8xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.BatchNormalization(%X, %v, %v, %v, %v)
      : (tensor<?x?x8xf32, #onnx.dims<"n", "c", "">>, tensor<3xf32>, tensor<3xf32>,
         tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
  // CHECK: onnx.BatchNormalization({{.*}} -> (tensor<*xf32>, tensor<3xf32>, tensor<3xf32>)
  %1:3 = onnx.BatchNormalization(%unknown, %v, %v, %v, %v) {training_mode = 1 : i64}
      : (tensor<*xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return
}

// -----

// CHECK-LABEL: @dropout(
func.func @dropout(%x: tensor<?x3xf32, #onnx.dims<"n", "">>) {
  // CHECK: onnx.Dropout(
  // CHECK-SAME: -> (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<?x3xi1, #onnx.dims<"n", "">>)
  %0:2 = onnx.Dropout(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// CHECK-LABEL: @same_shape(
func.func @same_shape(%X: tensor<?x4x8xf32, #onnx.dims<"n", "", "">>, %v: tensor<4xf32>,
                      %half: tensor<8xf16>) {
  // CHECK: onnx.GroupNormalization({{.*}} -> tensor<?x4x8xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.GroupNormalization(%X, %v, %v) {num_groups = 2 : i64}
      : (tensor<?x4x8xf32, #onnx.dims<"n", "", "">>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
  // CHECK: onnx.InstanceNormalization({{.*}} -> tensor<?x4x8xf32, #onnx.dims<"n", "", "">>
  %1 = onnx.InstanceNormalization(%X, %v, %v)
      : (tensor<?x4x8xf32, #onnx.dims<"n", "", "">>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
  // CHECK: onnx.LRN({{.*}} -> tensor<?x4x8xf32, #onnx.dims<"n", "", "">>
  %2 = onnx.LRN(%X) {size = 3 : i64}
      : (tensor<?x4x8xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.LpNormalization({{.*}} -> tensor<?x4x8xf32, #onnx.dims<"n", "", "">>
  %3 = onnx.LpNormalization(%X)
      : (tensor<?x4x8xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.MeanVarianceNormalization({{.*}} -> tensor<?x4x8xf32, #onnx.dims<"n", "", "">>
  %4 = onnx.MeanVarianceNormalization(%X) {axes = array<i64: 0, 2>}
      : (tensor<?x4x8xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // The scale's type, not that of `X`.
  // CHECK: onnx.RMSNormalization({{.*}} -> tensor<?x4x8xf16, #onnx.dims<"n", "", "">>
  %5 = onnx.RMSNormalization(%X, %half)
      : (tensor<?x4x8xf32, #onnx.dims<"n", "", "">>, tensor<8xf16>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @layernormalization(
func.func @layernormalization(%X: tensor<?x4x8xf16, #onnx.dims<"n", "", "">>,
                              %scale: tensor<4x8xf16>, %scalar: tensor<f16>) {
  // CHECK: onnx.LayerNormalization({{.*}} -> (tensor<?x4x8xf16, #onnx.dims<"n", "", "">>,
  // CHECK-SAME: tensor<?x1x1xf32, #onnx.dims<"n", "", "">>,
  // CHECK-SAME: tensor<?x1x1xf32, #onnx.dims<"n", "", "">>)
  %0:3 = onnx.LayerNormalization(%X, %scale) {axis = 1 : i64}
      : (tensor<?x4x8xf16, #onnx.dims<"n", "", "">>, tensor<4x8xf16>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  // CHECK: onnx.LayerNormalization({{.*}} -> (tensor<?x4x8xf16, #onnx.dims<"n", "", "">>,
  // CHECK-SAME: tensor<?x4x1xbf16, #onnx.dims<"n", "", "">>)
  %1:2 = onnx.LayerNormalization(%X, %scale) {stash_type = 16 : i64}
      : (tensor<?x4x8xf16, #onnx.dims<"n", "", "">>, tensor<4x8xf16>)
      -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.LayerNormalization({{.*}} -> (tensor<f16>, tensor<f32>)
  %2:2 = onnx.LayerNormalization(%scalar, %scalar)
      : (tensor<f16>, tensor<f16>) -> (!onnx.unknown, !onnx.unknown)
  return
}

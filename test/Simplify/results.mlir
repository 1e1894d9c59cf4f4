// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// CHECK-LABEL: @drop_results(
func.func @drop_results(%x: tensor<1x1x4x4xf32>, %w: tensor<4xf32>) -> (tensor<1x1x3x3xf32>, tensor<1x1x4x4xf32>) {
  // CHECK: %[[Y:.*]] = onnx.MaxPool(
  // CHECK: %[[Z:.*]] = onnx.LayerNormalization(
  // CHECK-NEXT: return %[[Y]], %[[Z]]
  %0:2 = onnx.MaxPool(%x) {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> (tensor<1x1x3x3xf32>, tensor<1x1x3x3xi64>)
  %1:3 = "onnx.LayerNormalization"(%x, %w) {resultSegmentSizes = array<i32: 1, 1, 1>} : (tensor<1x1x4x4xf32>, tensor<4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>)
  return %0#0, %1#0 : tensor<1x1x3x3xf32>, tensor<1x1x4x4xf32>
}

// -----

// One is used, and one belongs to training.
// CHECK-LABEL: @drop_results_refused(
func.func @drop_results_refused(%x: tensor<1x4x4x4xf32>, %c: tensor<4xf32>) -> (tensor<1x4x3x3xf32>, tensor<1x4x3x3xi64>, tensor<1x4x4x4xf32>) {
  // CHECK: %{{.*}}:2 = onnx.MaxPool(
  %0:2 = onnx.MaxPool(%x) {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x4x4xf32>) -> (tensor<1x4x3x3xf32>, tensor<1x4x3x3xi64>)
  // CHECK: %{{.*}}:3 = onnx.BatchNormalization(
  %1:3 = onnx.BatchNormalization(%x, %c, %c, %c, %c) {training_mode = 1 : i64} : (tensor<1x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<1x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %1#0 : tensor<1x4x3x3xf32>, tensor<1x4x3x3xi64>, tensor<1x4x4x4xf32>
}

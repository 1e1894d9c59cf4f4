// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @elements(
// CHECK: rt.call "ScatterElements"({{.*}}) {axis = 1 : i64, reduction = 1 : i64}
func.func @elements(%x: tensor<2x3xf32>, %i: tensor<2x2xi64>, %u: tensor<2x2xf32>) -> tensor<*xf32> {
  %0 = onnx.ScatterElements(%x, %i, %u) {axis = 1 : i64, reduction = "add"} : (tensor<2x3xf32>, tensor<2x2xi64>, tensor<2x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @older(
// CHECK: rt.call "ScatterElements"({{.*}}) {axis = 0 : i64, reduction = 0 : i64}
func.func @older(%x: tensor<2x3xf32>, %i: tensor<2x2xi64>, %u: tensor<2x2xf32>) -> tensor<*xf32> {
  %0 = onnx.Scatter(%x, %i, %u) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x2xi64>, tensor<2x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @cache(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x8x4xf32>)
// CHECK-DAG: %[[NEW:.*]] = tensor.extract %{{.*}} : tensor<2x3x4xf32>
// CHECK-DAG: %[[OLD:.*]] = tensor.extract %{{.*}} : tensor<2x8x4xf32>
// CHECK: arith.select %{{.*}}, %[[NEW]], %[[OLD]]
func.func @cache(%x: tensor<2x8x4xf32>, %u: tensor<2x3x4xf32>, %starts: tensor<2xi64>) -> tensor<*xf32> {
  %0 = onnx.TensorScatter(%x, %u, %starts) {mode = "circular"} : (tensor<2x8x4xf32>, tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

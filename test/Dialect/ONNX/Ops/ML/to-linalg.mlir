// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg %s | FileCheck %s

// CHECK-LABEL: @scaler(
// CHECK: rt.call "Scaler"(%arg0) {offset = array<f32: 1.000000e+00>, scale = array<f32: 2.000000e+00>}
func.func @scaler(%x: tensor<?x3xf32>) -> tensor<*xf32> {
  %0 = onnx.ml.Scaler(%x) {offset = array<f32: 1.0>, scale = array<f32: 2.0>} : (tensor<?x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

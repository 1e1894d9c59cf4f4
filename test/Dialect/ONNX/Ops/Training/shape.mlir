// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// The new versions of all but the gradients.
// CHECK-LABEL: @optimizers(
func.func @optimizers(%r: tensor<f32>, %t: tensor<i64>, %a: tensor<?x3xf32, #onnx.dims<"n", "">>,
                      %b: tensor<2xf64>) {
  // CHECK: onnx.training.Adagrad({{.*}} -> (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<2xf64>,
  // CHECK-SAME: tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<2xf64>)
  %0:4 = onnx.training.Adagrad(%r, %t, %a, %b, %a, %b, %a, %b)
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<2xf64>,
         tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<2xf64>,
         tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<2xf64>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown)
  // CHECK: onnx.training.Adam({{.*}} -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
  %1:3 = onnx.training.Adam(%r, %t, %b, %b, %b, %b)
      : (tensor<f32>, tensor<i64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  // CHECK: onnx.training.Momentum({{.*}} -> (tensor<2xf64>, tensor<2xf64>)
  %2:2 = onnx.training.Momentum(%r, %t, %b, %b, %b)
      {alpha = 1.0 : f32, beta = 1.0 : f32, mode = "standard", norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// CHECK-LABEL: @gradient(
func.func @gradient(%a: tensor<?x3xf32, #onnx.dims<"n", "">>, %b: tensor<2xf64>) {
  // CHECK: onnx.training.Gradient({{.*}} -> (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<2xf64>)
  %0:2 = onnx.training.Gradient(%a, %b) {xs = ["a", "b"], y = "c"}
      : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<2xf64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

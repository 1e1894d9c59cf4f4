// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --split-input-file --verify-diagnostics %s | FileCheck %s

// In the first step all of the gradient joins the momentum.
// CHECK-LABEL: @momentum(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<f32>, tensor<i64>)
// CHECK: %[[IS_LATER:.*]] = arith.cmpf olt
// CHECK: arith.select %[[IS_LATER]]
// CHECK: linalg.generic {{.*}} ins(%arg2, %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>, tensor<f64>)
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @momentum(%r: tensor<f32>, %t: tensor<i64>, %x: tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0, %1 = onnx.training.Momentum(%r, %t, %x, %x, %x)
      {alpha = 0.9 : f32, beta = 0.1 : f32, mode = "standard", norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// -----

func.func @gradient(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot be compiled: derivatives of a graph are not computed}}
  %0 = onnx.training.Gradient(%x) {xs = ["x"], y = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

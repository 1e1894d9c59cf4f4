// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @adagrad(
func.func @adagrad(%R: tensor<f32>, %T: tensor<i64>, %X: tensor<2xf32>,
                   %G: tensor<2xf32>, %H: tensor<2xf32>) {
  // CHECK: onnx.training.Adagrad(%arg0, %arg1, %arg2, %arg3, %arg4)
  // CHECK-SAME: {epsilon = 1.000000e-03 : f32}
  // CHECK-SAME: : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  // CHECK-SAME: -> (tensor<2xf32>, tensor<2xf32>)
  %0:2 = onnx.training.Adagrad(%R, %T, %X, %G, %H) {epsilon = 1.000000e-03 : f32}
      : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
      -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// CHECK-LABEL: @adam(
func.func @adam(%R: tensor<f32>, %T: tensor<i64>, %X: tensor<2xf32>, %G: tensor<2xf32>,
                %V: tensor<2xf32>, %H: tensor<2xf32>) {
  // CHECK: onnx.training.Adam(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5)
  // CHECK-SAME: {alpha = 7.500000e-01 : f32}
  // CHECK-SAME: : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
  // CHECK-SAME: tensor<2xf32>)
  // CHECK-SAME: -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %0:3 = onnx.training.Adam(%R, %T, %X, %G, %V, %H) {alpha = 7.500000e-01 : f32}
      : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
       tensor<2xf32>)
      -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// CHECK-LABEL: @gradient(
func.func @gradient(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // CHECK: onnx.training.Gradient(%arg0, %arg1) {xs = ["a"], y = "c", zs = ["b"]}
  // CHECK-SAME: : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0 = onnx.training.Gradient(%a, %b) {xs = ["a"], y = "c", zs = ["b"]}
      : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @momentum(
func.func @momentum(%R: tensor<f32>, %T: tensor<i64>, %X: tensor<2xf32>,
                    %G: tensor<2xf32>, %V: tensor<2xf32>) {
  // CHECK: onnx.training.Momentum(%arg0, %arg1, %arg2, %arg3, %arg4)
  // CHECK-SAME: {alpha = 7.500000e-01 : f32, beta = 1.000000e+00 : f32,
  // CHECK-SAME: mode = "nesterov", norm_coefficient = 0.000000e+00 : f32}
  // CHECK-SAME: : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  // CHECK-SAME: -> (tensor<2xf32>, tensor<2xf32>)
  %0:2 = onnx.training.Momentum(%R, %T, %X, %G, %V)
      {alpha = 7.500000e-01 : f32, beta = 1.000000e+00 : f32, mode = "nesterov",
       norm_coefficient = 0.000000e+00 : f32}
      : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
      -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// RUN: invar-opt --invar-constprop %s | FileCheck %s

// CHECK-LABEL: @adagrad(
// CHECK-DAG: dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: dense<4.000000e+00> : tensor<f32>
func.func @adagrad() -> (tensor<f32>, tensor<f32>) {
  %r = onnx.Constant dense<1.0> : tensor<f32>
  %t = onnx.Constant dense<1> : tensor<i64>
  %x = onnx.Constant dense<1.0> : tensor<f32>
  %g = onnx.Constant dense<2.0> : tensor<f32>
  %h = onnx.Constant dense<0.0> : tensor<f32>
  %0:2 = onnx.training.Adagrad(%r, %t, %x, %g, %h) {decay_factor = 1.0 : f32, epsilon = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// Two tensors: the results are both tensors, then both first and both second moments.
// CHECK-LABEL: @adam(
// CHECK-DAG: dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: dense<5.000000e+00> : tensor<f64>
// CHECK-DAG: dense<1.500000e+00> : tensor<f32>
// CHECK-DAG: dense<2.000000e+00> : tensor<f64>
// CHECK-DAG: dense<2.250000e+00> : tensor<f32>
// CHECK-DAG: dense<4.000000e+00> : tensor<f64>
func.func @adam() -> (tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>) {
  %r = onnx.Constant dense<1.0> : tensor<f32>
  %t = onnx.Constant dense<0> : tensor<i64>
  %x = onnx.Constant dense<1.0> : tensor<f32>
  %y = onnx.Constant dense<6.0> : tensor<f64>
  %g = onnx.Constant dense<3.0> : tensor<f32>
  %k = onnx.Constant dense<4.0> : tensor<f64>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %none = onnx.Constant dense<0.0> : tensor<f64>
  %0:6 = onnx.training.Adam(%r, %t, %x, %y, %g, %k, %zero, %none, %zero, %none)
      {alpha = 5.0e-01 : f32, beta = 7.5e-01 : f32, epsilon = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>)
      -> (tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>, tensor<f32>, tensor<f64>
}

// CHECK-LABEL: @momentum(
// CHECK-DAG: dense<-6.000000e+00> : tensor<f32>
// CHECK-DAG: dense<-9.500000e+00> : tensor<f32>
// CHECK-DAG: dense<7.000000e+00> : tensor<f32>
func.func @momentum() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %r = onnx.Constant dense<1.0> : tensor<f32>
  %t = onnx.Constant dense<0> : tensor<i64>
  %x = onnx.Constant dense<1.0> : tensor<f32>
  %g = onnx.Constant dense<6.0> : tensor<f32>
  %v = onnx.Constant dense<0.0> : tensor<f32>
  %0:2 = onnx.training.Momentum(%r, %t, %x, %g, %v) {alpha = 5.0e-01 : f32, beta = 9.0 : f32, mode = "standard", norm_coefficient = 1.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %1:2 = onnx.training.Momentum(%r, %t, %x, %g, %v) {alpha = 5.0e-01 : f32, beta = 9.0 : f32, mode = "nesterov", norm_coefficient = 1.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#0, %1#0, %1#1 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Derivatives are about a graph, not about values.
// CHECK-LABEL: @gradient(
// CHECK: onnx.training.Gradient(
func.func @gradient() -> tensor<f32> {
  %x = onnx.Constant dense<1.0> : tensor<f32>
  %0 = onnx.training.Gradient(%x) {xs = ["x"], y = "y"} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

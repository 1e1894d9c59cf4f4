// RUN: invar-opt --invar-constprop %s | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: invar-opt --invar-constprop=wide=true %s | FileCheck %s --check-prefixes=CHECK,WIDE

// A chain rounds after each operator, or once at its end.
// CHECK-LABEL: @chain(
// EXACT: dense<0.000000e+00> : tensor<f32>
// WIDE: dense<1.000000e+00> : tensor<f32>
func.func @chain() -> tensor<f32> {
  %big = onnx.Constant dense<1.0e+08> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %0 = onnx.Add(%big, %one) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = onnx.Sub(%0, %big) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// A cast narrows in both: what is lost there is lost.
// CHECK-LABEL: @cast(
// CHECK: dense<2.048000e+03> : tensor<f32>
func.func @cast() -> tensor<f32> {
  %a = onnx.Constant dense<2049.0> : tensor<f32>
  %0 = onnx.Cast(%a) {to = 10 : i64} : (tensor<f32>) -> tensor<f16>
  %1 = onnx.Cast(%0) {to = 1 : i64} : (tensor<f16>) -> tensor<f32>
  return %1 : tensor<f32>
}

// So does a comparison: it sees what the model would.
// CHECK-LABEL: @compare(
// CHECK: dense<true> : tensor<i1>
func.func @compare() -> tensor<i1> {
  %big = onnx.Constant dense<1.0e+08> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %0 = onnx.Add(%big, %one) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = onnx.Equal(%0, %big) : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// Integers wrap in both.
// CHECK-LABEL: @wrap(
// CHECK: dense<-128> : tensor<i8>
func.func @wrap() -> tensor<i8> {
  %a = onnx.Constant dense<127> : tensor<i8>
  %b = onnx.Constant dense<1> : tensor<i8>
  %0 = onnx.Add(%a, %b) : (tensor<i8>, tensor<i8>) -> tensor<i8>
  return %0 : tensor<i8>
}

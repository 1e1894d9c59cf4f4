// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @reductions(
func.func @reductions() -> (tensor<2x1xi8>, tensor<3xf32>, tensor<f32>, tensor<2xf16>) {
  %a = onnx.Constant dense<[[1, 7, 3], [4, 5, -6]]> : tensor<2x3xi8>
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  // CHECK-DAG: dense<{{\[\[}}7], [5]]> : tensor<2x1xi8>
  %0 = onnx.ReduceMax(%a, %last) : (tensor<2x3xi8>, tensor<1xi64>) -> tensor<2x1xi8>
  %b = onnx.Constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %first = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK-DAG: dense<[2.500000e+00, 3.500000e+00, 4.500000e+00]> : tensor<3xf32>
  %1 = onnx.ReduceMean(%b, %first) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<3xf32>
  // CHECK-DAG: dense<9.100000e+01> : tensor<f32>
  %2 = onnx.ReduceSumSquare(%b) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> tensor<f32>
  // 2048 and 1 sum up in float16 as well if only the end is rounded.
  %c = onnx.Constant dense<[[2048.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf16>
  // CHECK-DAG: dense<[2.050000e+03, 3.000000e+00]> : tensor<2xf16>
  %3 = onnx.ReduceSum(%c, %last) {keepdims = 0 : i64} : (tensor<2x3xf16>, tensor<1xi64>) -> tensor<2xf16>
  return %0, %1, %2, %3 : tensor<2x1xi8>, tensor<3xf32>, tensor<f32>, tensor<2xf16>
}

// -----

// CHECK-LABEL: @along(
func.func @along() -> (tensor<1x3xi64>, tensor<3xi32>, tensor<2x2xf32>, tensor<2x2xi64>, tensor<i32>) {
  %a = onnx.Constant dense<[[1.0, 7.0, 3.0], [4.0, 7.0, -6.0]]> : tensor<2x3xf32>
  // CHECK-DAG: dense<{{\[\[}}1, 1, 0]]> : tensor<1x3xi64>
  %0 = onnx.ArgMax(%a) {select_last_index = 1 : i64} : (tensor<2x3xf32>) -> tensor<1x3xi64>
  %b = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  %axis = onnx.Constant dense<0> : tensor<i64>
  // CHECK-DAG: dense<[5, 3, 0]> : tensor<3xi32>
  %1 = onnx.CumSum(%b, %axis) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<3xi32>, tensor<i64>) -> tensor<3xi32>
  %k = onnx.Constant dense<2> : tensor<1xi64>
  // CHECK-DAG: dense<{{\[\[}}7.000000e+00, 3.000000e+00], [7.000000e+00, 4.000000e+00]]>
  // CHECK-DAG: dense<{{\[\[}}1, 2], [1, 0]]>
  %2, %3 = onnx.TopK(%a, %k) : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<2x2xf32>, tensor<2x2xi64>)
  %far = onnx.Constant dense<2> : tensor<i64>
  %c = onnx.Constant dense<7> : tensor<i32>
  // An axis that is not there is left to run time.
  // CHECK-DAG: onnx.CumSum(
  %4 = onnx.CumSum(%c, %far) : (tensor<i32>, tensor<i64>) -> tensor<i32>
  return %0, %1, %2, %3, %4 : tensor<1x3xi64>, tensor<3xi32>, tensor<2x2xf32>, tensor<2x2xi64>, tensor<i32>
}

// -----

// The greatest of nothing is the lowest number that the type has, and the other way round.
// CHECK-LABEL: @none(
func.func @none() -> (tensor<2xi8>, tensor<2xi32>, tensor<2xf32>) {
  %axis = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Constant dense<> : tensor<0x2xi8>
  // CHECK-DAG: dense<-128> : tensor<2xi8>
  %0 = onnx.ReduceMax(%a, %axis) {keepdims = 0 : i64} : (tensor<0x2xi8>, tensor<1xi64>) -> tensor<2xi8>
  %b = onnx.Constant dense<> : tensor<0x2xi32>
  // CHECK-DAG: dense<2147483647> : tensor<2xi32>
  %1 = onnx.ReduceMin(%b, %axis) {keepdims = 0 : i64} : (tensor<0x2xi32>, tensor<1xi64>) -> tensor<2xi32>
  %c = onnx.Constant dense<> : tensor<0x2xf32>
  // CHECK-DAG: dense<0xFF800000> : tensor<2xf32>
  %2 = onnx.ReduceMax(%c, %axis) {keepdims = 0 : i64} : (tensor<0x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xi32>, tensor<2xf32>
}

// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @windows(
func.func @windows() -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2x1xi8>, tensor<1x1x2x1xi64>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>) {
  %x = onnx.Constant dense<[[[1.0, 3.0, 8.0]]]> : tensor<1x1x3xf32>
  // The padding counts only if it is said so, and what overhangs it never.
  // CHECK-DAG: dense<{{\[\[\[}}1.000000e+00, 5.500000e+00]]]> : tensor<1x1x2xf32>
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2>, pads = array<i64: 1, 0>, strides = array<i64: 2>} : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  // CHECK-DAG: dense<{{\[\[\[}}2.000000e+00, 4.000000e+00]]]> : tensor<1x1x2xf32>
  %1 = onnx.AveragePool(%x) {ceil_mode = 1 : i64, count_include_pad = 1 : i64, kernel_shape = array<i64: 2>, pads = array<i64: 0, 1>, strides = array<i64: 2>} : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  %y = onnx.Constant dense<[[[3.0, -4.0, 0.0]]]> : tensor<1x1x3xf32>
  // CHECK-DAG: dense<{{\[\[\[}}5.000000e+00, 4.000000e+00]]]> : tensor<1x1x2xf32>
  %2 = onnx.LpPool(%y) {kernel_shape = array<i64: 2>} : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  %z = onnx.Constant dense<[[[[1, 2], [4, 3], [4, -9]]]]> : tensor<1x1x3x2xi8>
  // CHECK-DAG: dense<4> : tensor<1x1x2x1xi8>
  // CHECK-DAG: dense<2> : tensor<1x1x2x1xi64>
  %3, %4 = onnx.MaxPool(%z) {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x3x2xi8>) -> (tensor<1x1x2x1xi8>, tensor<1x1x2x1xi64>)
  // By columns the second element is below the first.
  %u = onnx.Constant dense<[[[[1.0, 2.0, 3.0], [9.0, 4.0, 5.0]]]]> : tensor<1x1x2x3xf32>
  // CHECK-DAG: dense<9.000000e+00> : tensor<1x1x1x1xf32>
  // CHECK-DAG: dense<1> : tensor<1x1x1x1xi64>
  %5, %6 = onnx.MaxPool(%u) {kernel_shape = array<i64: 2, 3>, storage_order = 1 : i64} : (tensor<1x1x2x3xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>)
  // CHECK-NOT: Pool(
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2x1xi8>, tensor<1x1x2x1xi64>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>
}

// -----

// CHECK-LABEL: @global(
func.func @global() -> (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<[[[2.0, -6.0, 3.0, 7.0]]]> : tensor<1x1x4xf32>
  // CHECK-DAG: dense<1.500000e+00> : tensor<1x1x1xf32>
  %0 = onnx.GlobalAveragePool(%x) : (tensor<1x1x4xf32>) -> tensor<1x1x1xf32>
  // CHECK-DAG: dense<1.800000e+01> : tensor<1x1x1xf32>
  %1 = onnx.GlobalLpPool(%x) {p = 1 : i64} : (tensor<1x1x4xf32>) -> tensor<1x1x1xf32>
  // CHECK-DAG: dense<7.000000e+00> : tensor<1x1x1xf32>
  %2 = onnx.GlobalMaxPool(%x) : (tensor<1x1x4xf32>) -> tensor<1x1x1xf32>
  return %0, %1, %2 : tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @unpool(
func.func @unpool() -> (tensor<1x1x4xf32>, tensor<1x1x5xf32>, tensor<1x1x4xf32>) {
  %x = onnx.Constant dense<[[[5.0, 6.0]]]> : tensor<1x1x2xf32>
  %places = onnx.Constant dense<[[[1, 2]]]> : tensor<1x1x2xi64>
  // CHECK-DAG: dense<{{\[\[\[}}0.000000e+00, 5.000000e+00, 6.000000e+00, 0.000000e+00]]]> : tensor<1x1x4xf32>
  %0 = onnx.MaxUnpool(%x, %places) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>) -> tensor<1x1x4xf32>
  %shape = onnx.Constant dense<[1, 1, 5]> : tensor<3xi64>
  // CHECK-DAG: dense<{{\[\[\[}}0.000000e+00, 5.000000e+00, 6.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<1x1x5xf32>
  %1 = onnx.MaxUnpool(%x, %places, %shape) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>, tensor<3xi64>) -> tensor<1x1x5xf32>
  %far = onnx.Constant dense<[[[1, 4]]]> : tensor<1x1x2xi64>
  // A place that is not there is left to run time.
  // CHECK: onnx.MaxUnpool(
  %2 = onnx.MaxUnpool(%x, %far) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>) -> tensor<1x1x4xf32>
  return %0, %1, %2 : tensor<1x1x4xf32>, tensor<1x1x5xf32>, tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: @boxes(
func.func @boxes() -> (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %x = onnx.Constant dense<[[[[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]]]]> : tensor<1x1x2x3xf32>
  %box = onnx.Constant dense<[[0.0, 0.0, 0.0, 2.0, 0.4]]> : tensor<1x5xf32>
  // Parts share elements that lie between them.
  // CHECK-DAG: dense<5.000000e+00> : tensor<1x1x1x2xf32>
  %0 = onnx.MaxRoiPool(%x, %box) {pooled_shape = array<i64: 1, 2>} : (tensor<1x1x2x3xf32>, tensor<1x5xf32>) -> tensor<1x1x1x2xf32>
  %region = onnx.Constant dense<[[0.0, 0.0, 2.0, 2.0]]> : tensor<1x4xf32>
  %first = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK-DAG: dense<3.000000e+00> : tensor<1x1x1x1xf32>
  %1 = onnx.RoiAlign(%x, %region, %first) {sampling_ratio = 1 : i64} : (tensor<1x1x2x3xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  // An image that is not there is left to run time.
  %second = onnx.Constant dense<1> : tensor<1xi64>
  // CHECK: onnx.RoiAlign(
  %2 = onnx.RoiAlign(%x, %region, %second) : (tensor<1x1x2x3xf32>, tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %0, %1, %2 : tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @empty_window(
func.func @empty_window() -> tensor<1x1x3xf32> {
  %x = onnx.Constant dense<1.0> : tensor<1x1x1xf32>
  // Runtimes differ in what a window over nothing gives.
  // CHECK: onnx.MaxPool(
  %0 = onnx.MaxPool(%x) {kernel_shape = array<i64: 1>, pads = array<i64: 1, 1>} : (tensor<1x1x1xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

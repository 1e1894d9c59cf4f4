// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @conv(
func.func @conv() -> (tensor<1x1x3xf32>, tensor<1x2x2xf32>, tensor<1x1x2x2xf16>) {
  %x = onnx.Constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %w = onnx.Constant dense<[[[1.0, 10.0, 100.0]]]> : tensor<1x1x3xf32>
  %b = onnx.Constant dense<0.5> : tensor<1xf32>
  // CHECK-DAG: dense<{{\[\[\[}}2.105000e+02, 3.215000e+02, 3.250000e+01]]]> : tensor<1x1x3xf32>
  %0 = onnx.Conv(%x, %w, %b) {pads = array<i64: 1, 1>} : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xf32>) -> tensor<1x1x3xf32>
  // Groups, strides and dilations.
  %y = onnx.Constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]]]> : tensor<1x2x5xf32>
  %v = onnx.Constant dense<[[[1.0, 10.0]], [[1.0, 100.0]]]> : tensor<2x1x2xf32>
  // CHECK-DAG: dense<{{\[\[\[}}3.100000e+01, 5.300000e+01], [8.060000e+02, 1.008000e+03]]]> : tensor<1x2x2xf32>
  %1 = onnx.Conv(%y, %v) {dilations = array<i64: 2>, group = 2 : i64, strides = array<i64: 2>} : (tensor<1x2x5xf32>, tensor<2x1x2xf32>) -> tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf16>
  %u = onnx.Constant dense<1.0> : tensor<1x1x2x2xf16>
  // CHECK-DAG: dense<{{\[\[\[\[}}1.000000e+01, 6.000000e+00], [7.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf16>
  %2 = onnx.Conv(%z, %u) {auto_pad = "SAME_UPPER"} : (tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>) -> tensor<1x1x2x2xf16>
  // CHECK-NOT: onnx.Conv(
  return %0, %1, %2 : tensor<1x1x3xf32>, tensor<1x2x2xf32>, tensor<1x1x2x2xf16>
}

// -----

// CHECK-LABEL: @spread(
func.func @spread() -> (tensor<1x1x5xf32>, tensor<1x2x2xf32>, tensor<1x1x3xi32>) {
  %x = onnx.Constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %w = onnx.Constant dense<[[[1.0, 10.0, 100.0]]]> : tensor<1x1x3xf32>
  // CHECK-DAG: dense<{{\[\[\[}}1.000000e+00, 1.000000e+01, 1.020000e+02, 2.000000e+01, 2.000000e+02]]]> : tensor<1x1x5xf32>
  %0 = onnx.ConvTranspose(%x, %w) {strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
  // Each group has filters of its own.
  %y = onnx.Constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %v = onnx.Constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  // CHECK-DAG: dense<{{\[\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+01, 4.000000e+01]]]> : tensor<1x2x2xf32>
  %1 = onnx.ConvTranspose(%y, %v) {group = 2 : i64} : (tensor<1x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2xf32>
  %columns = onnx.Constant dense<[[[1, 2], [10, 20]]]> : tensor<1x2x2xi32>
  %image = onnx.Constant dense<3> : tensor<1xi64>
  %block = onnx.Constant dense<2> : tensor<1xi64>
  // CHECK-DAG: dense<{{\[\[\[}}1, 12, 20]]]> : tensor<1x1x3xi32>
  %2 = onnx.Col2Im(%columns, %image, %block) : (tensor<1x2x2xi32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x3xi32>
  // CHECK-NOT: onnx.ConvTranspose(
  // CHECK-NOT: onnx.Col2Im(
  return %0, %1, %2 : tensor<1x1x5xf32>, tensor<1x2x2xf32>, tensor<1x1x3xi32>
}

// -----

// CHECK-LABEL: @others(
func.func @others() -> (tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1x1x1x2xf32>) {
  %x = onnx.Constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %w = onnx.Constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>
  %bias = onnx.Constant dense<0.0> : tensor<1xf32>
  %past = onnx.Constant dense<5.0> : tensor<1x1x1xf32>
  // CHECK-DAG: dense<{{\[\[\[}}1.500000e+01, 2.100000e+01]]]> : tensor<1x1x2xf32>
  // CHECK-DAG: dense<2.000000e+00> : tensor<1x1x1xf32>
  %0, %1 = onnx.CausalConvWithState(%x, %w, %bias, %past) : (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1xf32>, tensor<1x1x1xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x1xf32>)
  // Half an element to the right, and there is nothing behind the end.
  %y = onnx.Constant dense<[[[[2.0, 4.0]]]]> : tensor<1x1x1x2xf32>
  %one = onnx.Constant dense<1.0> : tensor<1x1x1x1xf32>
  %offset = onnx.Constant dense<[[[[0.0, 0.0]], [[0.5, 0.5]]]]> : tensor<1x2x1x2xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}3.000000e+00, 2.000000e+00]]]]> : tensor<1x1x1x2xf32>
  %2 = onnx.DeformConv(%y, %one, %offset) : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>, tensor<1x2x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %0, %1, %2 : tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1x1x1x2xf32>
}

// -----

// CHECK-LABEL: @left(
func.func @left() -> tensor<1x1x1xf32> {
  // Taps are moved along two axes only.
  %x = onnx.Constant dense<1.0> : tensor<1x1x1xf32>
  %offset = onnx.Constant dense<0.0> : tensor<1x1x1xf32>
  // CHECK: onnx.DeformConv(
  %0 = onnx.DeformConv(%x, %x, %offset) : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

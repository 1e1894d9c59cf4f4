// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @nearest(
func.func @nearest() -> (tensor<4x!elements.string>, tensor<2x2xi8>, tensor<3xf32>, tensor<4xf32>, tensor<f64>, tensor<2xf32>) {
  %s = onnx.Constant dense<["a", "b"]> : tensor<2x!elements.string>
  %two = onnx.Constant dense<2.0> : tensor<1xf32>
  // CHECK-DAG: dense<["a", "a", "b", "b"]>
  %0 = onnx.Resize(%s, _, %two) : (tensor<2x!elements.string>, tensor<1xf32>) -> tensor<4x!elements.string>
  %a = onnx.Constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %size = onnx.Constant dense<2> : tensor<1xi64>
  // CHECK-DAG: dense<{{\[\[}}1, 3], [5, 7]]> : tensor<2x2xi8>
  %1 = onnx.Resize(%a, _, _, %size) {axes = array<i64: -1>, coordinate_transformation_mode = "asymmetric"} : (tensor<2x4xi8>, tensor<1xi64>) -> tensor<2x2xi8>
  // A crop that begins before the operand.
  %b = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %roi = onnx.Constant dense<[-0.5, 0.5]> : tensor<2xf32>
  %three = onnx.Constant dense<3> : tensor<1xi64>
  // CHECK-DAG: dense<[9.000000e+00, 1.000000e+00, 2.000000e+00]>
  %2 = onnx.Resize(%b, %roi, _, %three) {coordinate_transformation_mode = "tf_crop_and_resize", extrapolation_value = 9.0 : f32} : (tensor<3xf32>, tensor<2xf32>, tensor<1xi64>) -> tensor<3xf32>
  %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK-DAG: dense<[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]>
  %3 = onnx.Upsample(%c, %two) : (tensor<2xf32>, tensor<1xf32>) -> tensor<4xf32>
  // A scalar has no axes, and as many scales.
  %none = onnx.Constant dense<> : tensor<0xf32>
  %e = onnx.Constant dense<7.0> : tensor<f64>
  // CHECK-DAG: dense<7.000000e+00> : tensor<f64>
  %5 = onnx.Resize(%e, _, %none) : (tensor<f64>, tensor<0xf32>) -> tensor<f64>
  // There is nothing to take.
  // CHECK-DAG: onnx.Resize(
  %4 = onnx.Resize(%none, _, _, %size) : (tensor<0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0, %1, %2, %3, %5, %4 : tensor<4x!elements.string>, tensor<2x2xi8>, tensor<3xf32>, tensor<4xf32>, tensor<f64>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @interpolate(
func.func @interpolate() -> (tensor<4xf32>, tensor<4xi32>, tensor<2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x!elements.string>) {
  %a = onnx.Constant dense<[1.0, 3.0]> : tensor<2xf32>
  %two = onnx.Constant dense<2.0> : tensor<1xf32>
  // CHECK-DAG: dense<[1.000000e+00, 1.500000e+00, 2.500000e+00, 3.000000e+00]> : tensor<4xf32>
  %0 = onnx.Resize(%a, _, %two) {mode = "linear"} : (tensor<2xf32>, tensor<1xf32>) -> tensor<4xf32>
  %b = onnx.Constant dense<[1, -3]> : tensor<2xi32>
  // Integers are truncated.
  // CHECK-DAG: dense<[1, 0, -2, -3]> : tensor<4xi32>
  %1 = onnx.Resize(%b, _, %two) {mode = "linear"} : (tensor<2xi32>, tensor<1xf32>) -> tensor<4xi32>
  // Each result is at the middle of two; without a wider filter only these count.
  %c = onnx.Constant dense<[0.0, 8.0, 0.0, 8.0]> : tensor<4xf32>
  %half = onnx.Constant dense<0.5> : tensor<1xf32>
  // CHECK-DAG: dense<[3.000000e+00, 5.000000e+00]> : tensor<2xf32>
  %2 = onnx.Resize(%c, _, %half) {mode = "linear", antialias = 1 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<2xf32>
  %three = onnx.Constant dense<3> : tensor<1xi64>
  // CHECK-DAG: dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %3 = onnx.Resize(%a, _, _, %three) {mode = "cubic", coordinate_transformation_mode = "align_corners", exclude_outside = 1 : i64} : (tensor<2xf32>, tensor<1xi64>) -> tensor<3xf32>
  %one5 = onnx.Constant dense<1.5> : tensor<1xf32>
  %d = onnx.Constant dense<[0.0, 3.0]> : tensor<2xf32>
  // CHECK-DAG: dense<[0.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %4 = onnx.Upsample(%d, %one5) {mode = "linear"} : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
  // There is nothing between words.
  %s = onnx.Constant dense<["a", "b"]> : tensor<2x!elements.string>
  // CHECK-DAG: onnx.Resize({{.*}}mode = "linear"
  %5 = onnx.Resize(%s, _, %two) {mode = "linear"} : (tensor<2x!elements.string>, tensor<1xf32>) -> tensor<4x!elements.string>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xi32>, tensor<2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x!elements.string>
}

// -----

// CHECK-LABEL: @grid(
func.func @grid() -> (tensor<1x1x1x3xf32>, tensor<1x1x1x3x!elements.string>, tensor<1x1x2x2xf32>, tensor<1x1x1x1xf32>) {
  %x = onnx.Constant dense<[[[[1.0, 2.0, 4.0]]]]> : tensor<1x1x1x3xf32>
  // From the middle of the first two to the outside.
  %at = onnx.Constant dense<[[[[-0.5, 0.0], [1.0, 0.0], [1.75, 0.0]]]]> : tensor<1x1x3x2xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}1.500000e+00, 4.000000e+00, 1.000000e+00]]]]>
  %0 = onnx.GridSample(%x, %at) {align_corners = 1 : i64} : (tensor<1x1x1x3xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x1x3xf32>
  %s = onnx.Constant dense<[[[["a", "b", "c"]]]]> : tensor<1x1x1x3x!elements.string>
  // CHECK-DAG: dense<{{\[\[\[\[}}"a", "c", ""]]]]>
  %1 = onnx.GridSample(%s, %at) {align_corners = 1 : i64, mode = "nearest"} : (tensor<1x1x1x3x!elements.string>, tensor<1x1x3x2xf32>) -> tensor<1x1x1x3x!elements.string>
  %theta = onnx.Constant dense<[[[2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]]> : tensor<1x2x3xf32>
  %size = onnx.Constant dense<[1, 1, 1, 2]> : tensor<4xi64>
  // CHECK-DAG: dense<{{\[\[\[\[}}0.000000e+00, 0.000000e+00], [2.000000e+00, 0.000000e+00]]]]>
  %2 = onnx.AffineGrid(%theta, %size) : (tensor<1x2x3xf32>, tensor<4xi64>) -> tensor<1x1x2x2xf32>
  // A position that is no number.
  %nan = onnx.Constant dense<0x7FC00000> : tensor<1x1x1x2xf32>
  // CHECK-DAG: onnx.GridSample(
  %3 = onnx.GridSample(%x, %nan) : (tensor<1x1x1x3xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x1xf32>
  return %0, %1, %2, %3 : tensor<1x1x1x3xf32>, tensor<1x1x1x3x!elements.string>, tensor<1x1x2x2xf32>, tensor<1x1x1x1xf32>
}

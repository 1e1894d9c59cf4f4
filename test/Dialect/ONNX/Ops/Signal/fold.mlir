// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-constprop=exact-only --split-input-file %s | FileCheck %s --check-prefix=EXACT

// CHECK-LABEL: @windows(
func.func @windows() -> (tensor<2xf32>, tensor<3xf64>, tensor<2xi32>, tensor<2x1xf32>, tensor<3x2xf32>) {
  %two = onnx.Constant dense<2> : tensor<i64>
  %three = onnx.Constant dense<3> : tensor<i32>
  // CHECK-DAG: dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %0 = onnx.HannWindow(%two) : (tensor<i64>) -> tensor<2xf32>
  // CHECK-DAG: dense<[0.086956521739130432, 1.000000e+00, 0.086956521739130432]> : tensor<3xf64>
  %1 = onnx.HammingWindow(%three) {periodic = 0 : i64, output_datatype = 11 : i64} : (tensor<i32>) -> tensor<3xf64>
  // CHECK-DAG: dense<[0, 1]> : tensor<2xi32>
  %2 = onnx.BlackmanWindow(%two) {output_datatype = 6 : i64} : (tensor<i64>) -> tensor<2xi32>
  %one = onnx.Constant dense<1> : tensor<i64>
  %rate = onnx.Constant dense<8> : tensor<i64>
  %low = onnx.Constant dense<0.0> : tensor<f32>
  %high = onnx.Constant dense<4.0> : tensor<f32>
  // CHECK-DAG: dense<{{\[\[}}1.000000e+00], [0.000000e+00]]> : tensor<2x1xf32>
  %3 = onnx.MelWeightMatrix(%one, %two, %rate, %low, %high) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<2x1xf32>
  // Bands beyond the spectrum are left to run time.
  %four = onnx.Constant dense<4> : tensor<i64>
  %far = onnx.Constant dense<4.0e3> : tensor<f32>
  // CHECK-DAG: onnx.MelWeightMatrix(
  %4 = onnx.MelWeightMatrix(%two, %four, %rate, %low, %far) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<3x2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<3xf64>, tensor<2xi32>, tensor<2x1xf32>, tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @transforms(
func.func @transforms() -> (tensor<1x4x2xf32>, tensor<1x3x2xf32>, tensor<1x4x1xf32>, tensor<1x3x2xf16>, tensor<1x2x2x2xf32>, tensor<1x0x2xf32>) {
  %x = onnx.Constant dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>
  // CHECK-DAG: dense<{{\[\[\[}}1.000000e+01, 0.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 0.000000e+00], [-2.000000e+00, -2.000000e+00]]]>
  %0 = onnx.DFT(%x) : (tensor<1x4x1xf32>) -> tensor<1x4x2xf32>
  // CHECK-DAG: dense<{{\[\[\[}}1.000000e+01, 0.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 0.000000e+00]]]>
  %1 = onnx.DFT(%x) {onesided = 1 : i64} : (tensor<1x4x1xf32>) -> tensor<1x3x2xf32>
  // And back.
  // CHECK-DAG: dense<{{\[\[\[}}1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]>
  %2 = onnx.DFT(%1) {inverse = 1 : i64, onesided = 1 : i64} : (tensor<1x3x2xf32>) -> tensor<1x4x1xf32>
  // A length that is no power of two, of a signal that is padded.
  %y = onnx.Constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf16>
  %three = onnx.Constant dense<3> : tensor<i64>
  // CHECK-DAG: dense<{{\[\[\[}}1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<1x3x2xf16>
  %3 = onnx.DFT(%y, %three) : (tensor<1x1x2xf16>, tensor<i64>) -> tensor<1x3x2xf16>
  %step = onnx.Constant dense<2> : tensor<i64>
  %window = onnx.Constant dense<[1.0, 0.5]> : tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}2.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], {{\[\[}}5.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00]]]]>
  %4 = onnx.STFT(%x, %step, %window) : (tensor<1x4x1xf32>, tensor<i64>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  // Nothing has no transform.
  %none = onnx.Constant dense<> : tensor<1x0x1xf32>
  // CHECK-DAG: onnx.DFT(
  %5 = onnx.DFT(%none) : (tensor<1x0x1xf32>) -> tensor<1x0x2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x4x2xf32>, tensor<1x3x2xf32>, tensor<1x4x1xf32>, tensor<1x3x2xf16>, tensor<1x2x2x2xf32>, tensor<1x0x2xf32>
}

// -----

// Complex numbers are transformed in their own type, in which engines round differently.
// CHECK-LABEL: @complex(
// EXACT-LABEL: @complex(
func.func @complex() -> tensor<1x2x2xf32> {
  %x = onnx.Constant dense<[[[1.0, 1.0], [2.0, 0.0]]]> : tensor<1x2x2xf32>
  // CHECK: dense<{{\[\[\[}}3.000000e+00, 1.000000e+00], [-1.000000e+00, 1.000000e+00]]]>
  // EXACT: onnx.DFT(
  %0 = onnx.DFT(%x) : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// For all of a tensor, and along an axis; a zero point that is not given is zero.
// CHECK-LABEL: @drop_requantize(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x3xui8>, %[[R:[^:]*]]: tensor<2x3xi8>
func.func @drop_requantize(%q: tensor<2x3xui8>, %r: tensor<2x3xi8>) -> (tensor<2x3xui8>, tensor<2x3xui8>, tensor<2x3xi8>) {
  %s = onnx.Constant dense<0.1> : tensor<f32>
  %z = onnx.Constant dense<128> : tensor<ui8>
  %none = onnx.Constant dense<0> : tensor<ui8>
  %scales = onnx.Constant dense<[0.1, 0.2, 0.3]> : tensor<3xf32>
  %points = onnx.Constant dense<[1, 2, 3]> : tensor<3xi8>
  %0 = onnx.DequantizeLinear(%q, %s, %z) : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %1 = onnx.QuantizeLinear(%0, %s, %z) : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  %2 = onnx.DequantizeLinear(%q, %s) : (tensor<2x3xui8>, tensor<f32>) -> tensor<2x3xf32>
  %3 = onnx.QuantizeLinear(%2, %s, %none) : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  %4 = onnx.DequantizeLinear(%r, %scales, %points) {axis = -1 : i64} : (tensor<2x3xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3xf32>
  %5 = onnx.QuantizeLinear(%4, %scales, %points) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3xi8>
  // CHECK: return %[[Q]], %[[Q]], %[[R]]
  return %1, %3, %5 : tensor<2x3xui8>, tensor<2x3xui8>, tensor<2x3xi8>
}

// -----

// By another scale, or zero point, or axis; to another type; by a scale that overflows, or
// is not known; in so few digits that numbers are lost.
// CHECK-LABEL: @drop_requantize_refused(
func.func @drop_requantize_refused(%q: tensor<3x3xui8>, %r: tensor<3x3xi16>, %unknown: tensor<f32>) -> (tensor<3x3xui8>, tensor<3x3xui8>, tensor<3x3xui8>, tensor<3x3xi8>, tensor<3x3xui8>, tensor<3x3xui8>, tensor<3x3xi16>) {
  %s = onnx.Constant dense<0.1> : tensor<f32>
  %t = onnx.Constant dense<0.2> : tensor<f32>
  %z = onnx.Constant dense<128> : tensor<ui8>
  %y = onnx.Constant dense<127> : tensor<ui8>
  %z8 = onnx.Constant dense<0> : tensor<i8>
  %huge = onnx.Constant dense<3.0e38> : tensor<f32>
  %scales = onnx.Constant dense<[0.1, 0.2, 0.3]> : tensor<3xf32>
  %half = onnx.Constant dense<0.1> : tensor<f16>
  %z16 = onnx.Constant dense<0> : tensor<i16>
  // CHECK-COUNT-7: onnx.QuantizeLinear(
  %0 = onnx.DequantizeLinear(%q, %s, %z) : (tensor<3x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<3x3xf32>
  %1 = onnx.QuantizeLinear(%0, %t, %z) : (tensor<3x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<3x3xui8>
  %2 = onnx.QuantizeLinear(%0, %s, %y) : (tensor<3x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<3x3xui8>
  %3 = onnx.DequantizeLinear(%q, %scales) {axis = 0 : i64} : (tensor<3x3xui8>, tensor<3xf32>) -> tensor<3x3xf32>
  %4 = onnx.QuantizeLinear(%3, %scales) {axis = 1 : i64} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xui8>
  %5 = onnx.DequantizeLinear(%q, %s) : (tensor<3x3xui8>, tensor<f32>) -> tensor<3x3xf32>
  %6 = onnx.QuantizeLinear(%5, %s, %z8) : (tensor<3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<3x3xi8>
  %7 = onnx.DequantizeLinear(%q, %huge) : (tensor<3x3xui8>, tensor<f32>) -> tensor<3x3xf32>
  %8 = onnx.QuantizeLinear(%7, %huge) : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xui8>
  %9 = onnx.DequantizeLinear(%q, %unknown) : (tensor<3x3xui8>, tensor<f32>) -> tensor<3x3xf32>
  %10 = onnx.QuantizeLinear(%9, %unknown) : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xui8>
  %11 = onnx.DequantizeLinear(%r, %half) : (tensor<3x3xi16>, tensor<f16>) -> tensor<3x3xf16>
  %12 = onnx.QuantizeLinear(%11, %half, %z16) : (tensor<3x3xf16>, tensor<f16>, tensor<i16>) -> tensor<3x3xi16>
  return %1, %2, %4, %6, %8, %10, %12 : tensor<3x3xui8>, tensor<3x3xui8>, tensor<3x3xui8>, tensor<3x3xi8>, tensor<3x3xui8>, tensor<3x3xui8>, tensor<3x3xi16>
}

// -----

// What is quantized and dequantized was rounded.
// CHECK-LABEL: @drop_requantize_refused_rounded(
func.func @drop_requantize_refused_rounded(%x: tensor<3xf32>) -> tensor<3xf32> {
  %s = onnx.Constant dense<0.1> : tensor<f32>
  // CHECK: onnx.QuantizeLinear(
  // CHECK: onnx.DequantizeLinear(
  %0 = onnx.QuantizeLinear(%x, %s) : (tensor<3xf32>, tensor<f32>) -> tensor<3xui8>
  %1 = onnx.DequantizeLinear(%0, %s) : (tensor<3xui8>, tensor<f32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// CHECK-LABEL: @requantize_moved(
func.func @requantize_moved(%q: tensor<1x2x4x4xi8>, %r: tensor<1x2x4x4xi8>) -> tensor<1x4x3x3xi8> {
  %s = onnx.Constant dense<0.1> : tensor<f32>
  %z = onnx.Constant dense<3> : tensor<i8>
  // CHECK: %[[JOINED:.*]] = onnx.Concat(%arg0, %arg1) {axis = 1 : i64}
  // CHECK: %[[POOLED:.*]] = onnx.MaxPool(%[[JOINED]])
  // CHECK-NEXT: return %[[POOLED]]
  %0 = onnx.DequantizeLinear(%q, %s, %z) : (tensor<1x2x4x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xf32>
  %1 = onnx.DequantizeLinear(%r, %s, %z) : (tensor<1x2x4x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xf32>
  %2 = onnx.Concat(%0, %1) {axis = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = onnx.MaxPool(%2) {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x4x4xf32>) -> tensor<1x4x3x3xf32>
  %4 = onnx.QuantizeLinear(%3, %s, %z) : (tensor<1x4x3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x3x3xi8>
  return %4 : tensor<1x4x3x3xi8>
}

// -----

// Zeros are put in; something else uses what was moved; a scale for each channel moves along.
// CHECK-LABEL: @requantize_moved_refused(
func.func @requantize_moved_refused(%q: tensor<3x3xi8>) -> (tensor<5x3xi8>, tensor<3x3xf32>, tensor<3x3xi8>, tensor<3x3xi8>) {
  %s = onnx.Constant dense<0.1> : tensor<f32>
  %z = onnx.Constant dense<3> : tensor<i8>
  %scales = onnx.Constant dense<[0.1, 0.2, 0.3]> : tensor<3xf32>
  %points = onnx.Constant dense<[1, 2, 3]> : tensor<3xi8>
  %pads = onnx.Constant dense<[1, 0, 1, 0]> : tensor<4xi64>
  // CHECK-COUNT-3: onnx.QuantizeLinear(
  %0 = onnx.DequantizeLinear(%q, %s, %z) : (tensor<3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<3x3xf32>
  %1 = onnx.Pad(%0, %pads) : (tensor<3x3xf32>, tensor<4xi64>) -> tensor<5x3xf32>
  %2 = onnx.QuantizeLinear(%1, %s, %z) : (tensor<5x3xf32>, tensor<f32>, tensor<i8>) -> tensor<5x3xi8>
  %3 = onnx.Transpose(%0) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %4 = onnx.QuantizeLinear(%3, %s, %z) : (tensor<3x3xf32>, tensor<f32>, tensor<i8>) -> tensor<3x3xi8>
  %5 = onnx.DequantizeLinear(%q, %scales, %points) : (tensor<3x3xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<3x3xf32>
  %6 = onnx.Transpose(%5) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %7 = onnx.QuantizeLinear(%6, %scales, %points) : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<3x3xi8>
  return %2, %3, %4, %7 : tensor<5x3xi8>, tensor<3x3xf32>, tensor<3x3xi8>, tensor<3x3xi8>
}

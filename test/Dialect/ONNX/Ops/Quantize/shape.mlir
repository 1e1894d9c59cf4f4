// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @convinteger(
func.func @convinteger(%x: tensor<?x1x?xui8, #onnx.dims<"n", "", "h">>, %w: tensor<4x1x3xi8>) {
  // CHECK: onnx.ConvInteger({{.*}} -> tensor<?x4x?xi32, #onnx.dims<"n", "", "h">>
  %0 = onnx.ConvInteger(%x, %w) {pads = array<i64: 1, 1>}
      : (tensor<?x1x?xui8, #onnx.dims<"n", "", "h">>, tensor<4x1x3xi8>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @qlinearconv(
func.func @qlinearconv(%x: tensor<1x1x7x7xui8>, %w: tensor<4x1x3x3xi8>, %scale: tensor<f32>,
                       %x_zero: tensor<ui8>, %w_zero: tensor<i8>, %y_zero: tensor<i8>) {
  // CHECK: onnx.QLinearConv({{.*}} -> tensor<1x4x4x4xi8>
  %0 = onnx.QLinearConv(%x, %scale, %x_zero, %w, %scale, %w_zero, %scale, %y_zero)
      {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>}
      : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<4x1x3x3xi8>, tensor<f32>,
         tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @products(
func.func @products(%a: tensor<?x2x3xui8, #onnx.dims<"n", "", "">>, %b: tensor<3x4xi8>,
                    %scale: tensor<f32>, %a_zero: tensor<ui8>, %b_zero: tensor<i8>) {
  // CHECK: onnx.MatMulInteger({{.*}} -> tensor<?x2x4xi32, #onnx.dims<"n", "", "">>
  %0 = onnx.MatMulInteger(%a, %b)
      : (tensor<?x2x3xui8, #onnx.dims<"n", "", "">>, tensor<3x4xi8>) -> !onnx.unknown
  // CHECK: onnx.QLinearMatMul({{.*}} -> tensor<?x2x4xui8, #onnx.dims<"n", "", "">>
  %1 = onnx.QLinearMatMul(%a, %scale, %a_zero, %b, %scale, %b_zero, %scale, %a_zero)
      : (tensor<?x2x3xui8, #onnx.dims<"n", "", "">>, tensor<f32>, tensor<ui8>, tensor<3x4xi8>,
         tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @quantizelinear(
func.func @quantizelinear(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %scale: tensor<f32>,
                          %zero: tensor<i8>) {
  // CHECK: onnx.QuantizeLinear({{.*}} -> tensor<?x3xui8, #onnx.dims<"n", "">>
  %0 = onnx.QuantizeLinear(%x, %scale)
      : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<f32>) -> !onnx.unknown
  // CHECK: onnx.QuantizeLinear({{.*}} -> tensor<?x3xi8, #onnx.dims<"n", "">>
  %1 = onnx.QuantizeLinear(%x, %scale, %zero)
      : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  // CHECK: onnx.QuantizeLinear({{.*}} -> tensor<?x3xi4, #onnx.dims<"n", "">>
  %2 = onnx.QuantizeLinear(%x, %scale) {output_dtype = 22 : i64}
      : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<f32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @dequantizelinear(
func.func @dequantizelinear(%x: tensor<?x3xui8, #onnx.dims<"n", "">>, %scale: tensor<f16>,
                            %exponent: tensor<f8E8M0FNU>, %unknown: tensor<*xui8>) {
  // CHECK: onnx.DequantizeLinear({{.*}} -> tensor<?x3xf16, #onnx.dims<"n", "">>
  %0 = onnx.DequantizeLinear(%x, %scale)
      : (tensor<?x3xui8, #onnx.dims<"n", "">>, tensor<f16>) -> !onnx.unknown
  // CHECK: onnx.DequantizeLinear({{.*}} -> tensor<?x3xbf16, #onnx.dims<"n", "">>
  %1 = onnx.DequantizeLinear(%x, %exponent) {output_dtype = 16 : i64}
      : (tensor<?x3xui8, #onnx.dims<"n", "">>, tensor<f8E8M0FNU>) -> !onnx.unknown
  // A scale that has only an exponent does not say what the result is.
  // CHECK: onnx.DequantizeLinear({{.*}} -> !onnx.unknown
  %2 = onnx.DequantizeLinear(%x, %exponent)
      : (tensor<?x3xui8, #onnx.dims<"n", "">>, tensor<f8E8M0FNU>) -> !onnx.unknown
  // CHECK: onnx.DequantizeLinear({{.*}} -> tensor<*xf16>
  %3 = onnx.DequantizeLinear(%unknown, %scale) : (tensor<*xui8>, tensor<f16>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @dynamicquantizelinear(
func.func @dynamicquantizelinear(%x: tensor<?x3xf32, #onnx.dims<"n", "">>) {
  // CHECK: onnx.DynamicQuantizeLinear(
  // CHECK-SAME: -> (tensor<?x3xui8, #onnx.dims<"n", "">>, tensor<f32>, tensor<ui8>)
  %0:3 = onnx.DynamicQuantizeLinear(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return
}

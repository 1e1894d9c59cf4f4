// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @convinteger(
func.func @convinteger(%x: tensor<1x1x3x3xui8>, %w: tensor<1x1x2x2xi8>,
                       %w_zero_point: tensor<i8>) {
  // CHECK: onnx.ConvInteger(%arg0, %arg1, _, %arg2) {pads = array<i64: 1, 1, 1, 1>}
  // CHECK-SAME: : (tensor<1x1x3x3xui8>, tensor<1x1x2x2xi8>, tensor<i8>)
  // CHECK-SAME: -> tensor<1x1x4x4xi32>
  %0 = onnx.ConvInteger(%x, %w, _, %w_zero_point) {pads = array<i64: 1, 1, 1, 1>}
      : (tensor<1x1x3x3xui8>, tensor<1x1x2x2xi8>, tensor<i8>) -> tensor<1x1x4x4xi32>
  return
}

// CHECK-LABEL: @dequantizelinear(
func.func @dequantizelinear(%x: tensor<3x4xi8>, %x_scale: tensor<3xf32>,
                            %x_zero_point: tensor<3xi8>) {
  // CHECK: onnx.DequantizeLinear(%arg0, %arg1, %arg2) {axis = 0 : i64}
  // CHECK-SAME: : (tensor<3x4xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<3x4xf32>
  %0 = onnx.DequantizeLinear(%x, %x_scale, %x_zero_point) {axis = 0 : i64}
      : (tensor<3x4xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: @dequantizelinear_2(
func.func @dequantizelinear_2(%x: tensor<3x4xi4>, %x_scale: tensor<3x2xf32>) {
  // CHECK: onnx.DequantizeLinear(%arg0, %arg1)
  // CHECK-SAME: {axis = 1 : i64, block_size = 2 : i64, output_dtype = 10 : i64}
  // CHECK-SAME: : (tensor<3x4xi4>, tensor<3x2xf32>) -> tensor<3x4xf16>
  %0 = onnx.DequantizeLinear(%x, %x_scale)
      {axis = 1 : i64, block_size = 2 : i64, output_dtype = 10 : i64}
      : (tensor<3x4xi4>, tensor<3x2xf32>) -> tensor<3x4xf16>
  return
}

// CHECK-LABEL: @dequantizelinear_3(
func.func @dequantizelinear_3(%x: tensor<4xui8>, %x_scale: tensor<1xf32>,
                              %x_zero_point: tensor<ui8>) {
  // CHECK: onnx.DequantizeLinear(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<4xui8>, tensor<1xf32>, tensor<ui8>) -> tensor<4xf32>
  %0 = onnx.DequantizeLinear(%x, %x_scale, %x_zero_point)
      : (tensor<4xui8>, tensor<1xf32>, tensor<ui8>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: @dynamicquantizelinear(
func.func @dynamicquantizelinear(%x: tensor<3x4xf32>) {
  // CHECK: onnx.DynamicQuantizeLinear(%arg0)
  // CHECK-SAME: : (tensor<3x4xf32>) -> (tensor<3x4xui8>, tensor<f32>, tensor<ui8>)
  %0:3 = onnx.DynamicQuantizeLinear(%x)
      : (tensor<3x4xf32>) -> (tensor<3x4xui8>, tensor<f32>, tensor<ui8>)
  return
}

// CHECK-LABEL: @matmulinteger(
func.func @matmulinteger(%A: tensor<4x3xui8>, %B: tensor<3x2xi8>,
                         %b_zero_point: tensor<i8>) {
  // CHECK: onnx.MatMulInteger(%arg0, %arg1, _, %arg2)
  // CHECK-SAME: : (tensor<4x3xui8>, tensor<3x2xi8>, tensor<i8>) -> tensor<4x2xi32>
  %0 = onnx.MatMulInteger(%A, %B, _, %b_zero_point)
      : (tensor<4x3xui8>, tensor<3x2xi8>, tensor<i8>) -> tensor<4x2xi32>
  return
}

// CHECK-LABEL: @qlinearconv(
func.func @qlinearconv(%x: tensor<1x1x7x7xui8>, %x_scale: tensor<f32>,
                       %x_zero_point: tensor<ui8>, %w: tensor<1x1x1x1xui8>,
                       %w_scale: tensor<1xf32>, %w_zero_point: tensor<1xui8>,
                       %y_scale: tensor<f32>, %y_zero_point: tensor<ui8>) {
  // CHECK: onnx.QLinearConv(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7)
  // CHECK-SAME: {kernel_shape = array<i64: 1, 1>}
  // CHECK-SAME: : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xui8>,
  // CHECK-SAME: tensor<1xf32>, tensor<1xui8>, tensor<f32>, tensor<ui8>)
  // CHECK-SAME: -> tensor<1x1x7x7xui8>
  %0 = onnx.QLinearConv(%x, %x_scale, %x_zero_point, %w, %w_scale, %w_zero_point,
       %y_scale, %y_zero_point)
      {kernel_shape = array<i64: 1, 1>}
      : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xui8>,
       tensor<1xf32>, tensor<1xui8>, tensor<f32>, tensor<ui8>)
      -> tensor<1x1x7x7xui8>
  return
}

// CHECK-LABEL: @qlinearmatmul(
func.func @qlinearmatmul(%a: tensor<2x4xui8>, %a_scale: tensor<f32>,
                         %a_zero_point: tensor<ui8>, %b: tensor<4x3xui8>,
                         %b_scale: tensor<f32>, %b_zero_point: tensor<ui8>,
                         %y_scale: tensor<f32>, %y_zero_point: tensor<ui8>) {
  // CHECK: onnx.QLinearMatMul(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7)
  // CHECK-SAME: : (tensor<2x4xui8>, tensor<f32>, tensor<ui8>, tensor<4x3xui8>,
  // CHECK-SAME: tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>)
  // CHECK-SAME: -> tensor<2x3xui8>
  %0 = onnx.QLinearMatMul(%a, %a_scale, %a_zero_point, %b, %b_scale, %b_zero_point,
       %y_scale, %y_zero_point)
      : (tensor<2x4xui8>, tensor<f32>, tensor<ui8>, tensor<4x3xui8>, tensor<f32>,
       tensor<ui8>, tensor<f32>, tensor<ui8>)
      -> tensor<2x3xui8>
  return
}

// CHECK-LABEL: @quantizelinear(
func.func @quantizelinear(%x: tensor<3x4xf32>, %y_scale: tensor<f32>) {
  // CHECK: onnx.QuantizeLinear(%arg0, %arg1)
  // CHECK-SAME: {output_dtype = 3 : i64, precision = 1 : i64, saturate = 0 : i64}
  // CHECK-SAME: : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xi8>
  %0 = onnx.QuantizeLinear(%x, %y_scale)
      {output_dtype = 3 : i64, precision = 1 : i64, saturate = 0 : i64}
      : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xi8>
  return
}

// CHECK-LABEL: @quantizelinear_2(
func.func @quantizelinear_2(%x: tensor<4xf32>, %y_scale: tensor<4xf32>,
                            %y_zero_point: tensor<4xui8>) {
  // CHECK: onnx.QuantizeLinear(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<4xf32>, tensor<4xf32>, tensor<4xui8>) -> tensor<4xui8>
  %0 = onnx.QuantizeLinear(%x, %y_scale, %y_zero_point)
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xui8>) -> tensor<4xui8>
  return
}

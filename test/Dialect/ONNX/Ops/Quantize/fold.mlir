// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @quantize(
func.func @quantize() -> (tensor<6xui8>, tensor<2x2xi8>, tensor<2xf8E4M3FN>, tensor<3xi4>) {
  // Ties go to even, what is too big saturates, and what is no number is the lowest.
  %a = onnx.Constant dense<[1.0, 3.0, -300.0, 0x7F800000, 0x7FC00000, 1.0e30]> : tensor<6xf32>
  %two = onnx.Constant dense<2.0> : tensor<f32>
  %ten = onnx.Constant dense<10> : tensor<ui8>
  // CHECK-DAG: dense<[10, 12, 0, 255, 0, 255]> : tensor<6xui8>
  %0 = onnx.QuantizeLinear(%a, %two, %ten) : (tensor<6xf32>, tensor<f32>, tensor<ui8>) -> tensor<6xui8>
  %b = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %each = onnx.Constant dense<[1.0, 0.5]> : tensor<2xf32>
  %zeros = onnx.Constant dense<[0, 1]> : tensor<2xi8>
  // CHECK-DAG: dense<{{\[\[}}1, 5], [3, 9]]> : tensor<2x2xi8>
  %1 = onnx.QuantizeLinear(%b, %each, %zeros) {axis = -1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xi8>
  %c = onnx.Constant dense<[1.0, 2000.0]> : tensor<2xf32>
  // CHECK-DAG: dense<[5.000000e-01, 4.480000e+02]> : tensor<2xf8E4M3FN>
  %2 = onnx.QuantizeLinear(%c, %two) {output_dtype = 17 : i64} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf8E4M3FN>
  // A scale for each block of two, of which the last is not whole.
  %d = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  // CHECK-DAG: dense<[1, 2, 6]> : tensor<3xi4>
  %3 = onnx.QuantizeLinear(%d, %each) {axis = 0 : i64, block_size = 2 : i64, output_dtype = 22 : i64} : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xi4>
  return %0, %1, %2, %3 : tensor<6xui8>, tensor<2x2xi8>, tensor<2xf8E4M3FN>, tensor<3xi4>
}

// -----

// CHECK-LABEL: @dequantize(
func.func @dequantize() -> (tensor<2xf32>, tensor<2xf16>, tensor<2xf32>, tensor<2xf32>) {
  %a = onnx.Constant dense<[0, 255]> : tensor<2xui8>
  %scale = onnx.Constant dense<0.5> : tensor<f32>
  %zero = onnx.Constant dense<128> : tensor<ui8>
  // CHECK-DAG: dense<[-6.400000e+01, 6.350000e+01]> : tensor<2xf32>
  %0 = onnx.DequantizeLinear(%a, %scale, %zero) : (tensor<2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2xf32>
  %b = onnx.Constant dense<[-2, 1]> : tensor<2xi2>
  %power = onnx.Constant dense<4.0> : tensor<f8E8M0FNU>
  // CHECK-DAG: dense<[-8.000000e+00, 4.000000e+00]> : tensor<2xf16>
  %1 = onnx.DequantizeLinear(%b, %power) {output_dtype = 10 : i64} : (tensor<2xi2>, tensor<f8E8M0FNU>) -> tensor<2xf16>
  // The difference does not fit 32 bits.
  %c = onnx.Constant dense<[2147483647, -2147483648]> : tensor<2xi32>
  %least = onnx.Constant dense<-2147483648> : tensor<i32>
  // CHECK-DAG: dense<[2.14748365E+9, 0.000000e+00]> : tensor<2xf32>
  %2 = onnx.DequantizeLinear(%c, %scale, %least) : (tensor<2xi32>, tensor<f32>, tensor<i32>) -> tensor<2xf32>
  // Floats have no zero point but 0.
  %d = onnx.Constant dense<1.0> : tensor<2xf8E4M3FN>
  %one = onnx.Constant dense<1.0> : tensor<f8E4M3FN>
  // CHECK-DAG: onnx.DequantizeLinear(
  %3 = onnx.DequantizeLinear(%d, %scale, %one) : (tensor<2xf8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf16>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @dynamic(
func.func @dynamic() -> (tensor<3xui8>, tensor<f32>, tensor<ui8>, tensor<1xui8>) {
  %a = onnx.Constant dense<[-51.0, 0.0, 204.0]> : tensor<3xf32>
  // CHECK-DAG: dense<[0, 51, 255]> : tensor<3xui8>
  // CHECK-DAG: dense<1.000000e+00> : tensor<f32>
  // CHECK-DAG: dense<51> : tensor<ui8>
  %0, %1, %2 = onnx.DynamicQuantizeLinear(%a) : (tensor<3xf32>) -> (tensor<3xui8>, tensor<f32>, tensor<ui8>)
  // Infinity has no range.
  %b = onnx.Constant dense<0x7F800000> : tensor<1xf32>
  // CHECK-DAG: onnx.DynamicQuantizeLinear(
  %3, %4, %5 = onnx.DynamicQuantizeLinear(%b) : (tensor<1xf32>) -> (tensor<1xui8>, tensor<f32>, tensor<ui8>)
  return %0, %1, %2, %3 : tensor<3xui8>, tensor<f32>, tensor<ui8>, tensor<1xui8>
}

// -----

// CHECK-LABEL: @products(
func.func @products() -> (tensor<2x2xi32>, tensor<2xui8>, tensor<1x1x2x2xi32>, tensor<1x2x1x1xui8>) {
  %a = onnx.Constant dense<[[11, 7], [3, 10]]> : tensor<2x2xui8>
  %b = onnx.Constant dense<[[1, 4], [2, 5]]> : tensor<2x2xi8>
  // A zero point for each row, and one for each column.
  %rows = onnx.Constant dense<[10, 3]> : tensor<2xui8>
  %columns = onnx.Constant dense<[0, 3]> : tensor<2xi8>
  // CHECK-DAG: dense<{{\[\[}}-5, -5], [14, 14]]> : tensor<2x2xi32>
  %0 = onnx.MatMulInteger(%a, %b, %rows, %columns) : (tensor<2x2xui8>, tensor<2x2xi8>, tensor<2xui8>, tensor<2xi8>) -> tensor<2x2xi32>
  %v = onnx.Constant dense<[2, 3]> : tensor<2xui8>
  %half = onnx.Constant dense<0.5> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<ui8>
  %zb = onnx.Constant dense<0> : tensor<i8>
  %zy = onnx.Constant dense<1> : tensor<ui8>
  // 8 and 23 halved; 11.5 rounds to 12 before the zero point is added.
  // CHECK-DAG: dense<[5, 13]> : tensor<2xui8>
  %1 = onnx.QLinearMatMul(%v, %half, %z, %b, %one, %zb, %one, %zy) : (tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<2x2xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>
  %x = onnx.Constant dense<[[[[1, 2], [3, 4]]]]> : tensor<1x1x2x2xui8>
  %w = onnx.Constant dense<1> : tensor<1x1x2x2xi8>
  // Padding is the zero point.
  // CHECK-DAG: dense<{{\[\[\[\[}}6, 4], [5, 3]]]]> : tensor<1x1x2x2xi32>
  %2 = onnx.ConvInteger(%x, %w, %zy) {pads = array<i64: 0, 0, 1, 1>} : (tensor<1x1x2x2xui8>, tensor<1x1x2x2xi8>, tensor<ui8>) -> tensor<1x1x2x2xi32>
  %w2 = onnx.Constant dense<1> : tensor<2x1x2x2xi8>
  %scales = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zw = onnx.Constant dense<[0, 0]> : tensor<2xi8>
  %bias = onnx.Constant dense<[5, -10]> : tensor<2xi32>
  // CHECK-DAG: dense<{{\[\[\[\[}}16]], {{\[\[}}1]]]]> : tensor<1x2x1x1xui8>
  %3 = onnx.QLinearConv(%x, %one, %z, %w2, %scales, %zw, %one, %zy, %bias) : (tensor<1x1x2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2x1x2x2xi8>, tensor<2xf32>, tensor<2xi8>, tensor<f32>, tensor<ui8>, tensor<2xi32>) -> tensor<1x2x1x1xui8>
  return %0, %1, %2, %3 : tensor<2x2xi32>, tensor<2xui8>, tensor<1x1x2x2xi32>, tensor<1x2x1x1xui8>
}

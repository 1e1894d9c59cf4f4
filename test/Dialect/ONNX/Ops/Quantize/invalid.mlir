// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @convinteger_c1(%x: tensor<1x1x3x3xui8>, %w: tensor<1x1x2x2xui8>) {
  // expected-error @+1 {{(C1) expected 'auto_pad' to be one of 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID', but got 'SAME'}}
  %0 = onnx.ConvInteger(%x, %w) {auto_pad = "SAME"}
      : (tensor<1x1x3x3xui8>, tensor<1x1x2x2xui8>) -> !onnx.unknown
  return
}

// -----

func.func @convinteger_c2(%x: tensor<1x1x3x3xui8>, %w: tensor<1x1x2x2xui8>) {
  // expected-error @+1 {{(C2) expected entries of 'strides' to be at least 1, but got 0}}
  %0 = onnx.ConvInteger(%x, %w) {strides = array<i64: 0, 1>}
      : (tensor<1x1x3x3xui8>, tensor<1x1x2x2xui8>) -> !onnx.unknown
  return
}

// -----

func.func @convinteger_c3(%x: tensor<1x1x3x3xui8>, %w: tensor<1x1x2x2xui8>) {
  // expected-error @+1 {{(C3) expected 'pads' to have 4 entries, but got 2}}
  %0 = onnx.ConvInteger(%x, %w) {pads = array<i64: 1, 1>}
      : (tensor<1x1x3x3xui8>, tensor<1x1x2x2xui8>) -> !onnx.unknown
  return
}

// -----

func.func @convinteger_c4(%x: tensor<1x1x3x3xui8>, %w: tensor<1x1x2x2xui8>) {
  // expected-error @+1 {{(C4) expected 'group' to divide the 1 channels, but got 2}}
  %0 = onnx.ConvInteger(%x, %w) {group = 2 : i64}
      : (tensor<1x1x3x3xui8>, tensor<1x1x2x2xui8>) -> !onnx.unknown
  return
}

// -----

func.func @convinteger_c5(%x: tensor<1x1x3x3xui8>, %w: tensor<1x2x2x2xui8>) {
  // expected-error @+1 {{(C5) expected axis 1 of 'W' to have size 1, but got 2}}
  %0 = onnx.ConvInteger(%x, %w)
      : (tensor<1x1x3x3xui8>, tensor<1x2x2x2xui8>) -> !onnx.unknown
  return
}

// -----

func.func @qlinearconv_c1(%x: tensor<1x1x7x7xui8>, %s: tensor<f32>, %z: tensor<ui8>,
                          %w: tensor<1x1x1x1xui8>) {
  // expected-error @+1 {{(C1) expected 'auto_pad' to be one of 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID', but got 'SAME'}}
  %0 = onnx.QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z) {auto_pad = "SAME"}
      : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xui8>, tensor<f32>,
       tensor<ui8>, tensor<f32>, tensor<ui8>)
      -> !onnx.unknown
  return
}

// -----

func.func @qlinearconv_c2(%x: tensor<1x1x7x7xui8>, %s: tensor<f32>, %z: tensor<ui8>,
                          %w: tensor<1x1x1x1xui8>) {
  // expected-error @+1 {{(C2) expected entries of 'dilations' to be at least 1, but got 0}}
  %0 = onnx.QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z) {dilations = array<i64: 0, 1>}
      : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xui8>, tensor<f32>,
       tensor<ui8>, tensor<f32>, tensor<ui8>)
      -> !onnx.unknown
  return
}

// -----

func.func @qlinearconv_c3(%x: tensor<1x1x7x7xui8>, %s: tensor<f32>, %z: tensor<ui8>,
                          %w: tensor<1x1x1x1xui8>) {
  // expected-error @+1 {{(C3) expected 'kernel_shape' to have 2 entries, but got 1}}
  %0 = onnx.QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z) {kernel_shape = array<i64: 1>}
      : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xui8>, tensor<f32>,
       tensor<ui8>, tensor<f32>, tensor<ui8>)
      -> !onnx.unknown
  return
}

// -----

func.func @qlinearconv_c4(%x: tensor<1x1x7x7xui8>, %s: tensor<f32>, %z: tensor<ui8>,
                          %w: tensor<1x1x1x1xui8>) {
  // expected-error @+1 {{(C4) expected 'group' to be at least 1, but got 0}}
  %0 = onnx.QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z) {group = 0 : i64}
      : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xui8>, tensor<f32>,
       tensor<ui8>, tensor<f32>, tensor<ui8>)
      -> !onnx.unknown
  return
}

// -----

func.func @qlinearconv_c5(%x: tensor<1x1x7x7xui8>, %s: tensor<f32>, %z: tensor<ui8>,
                          %w: tensor<2x1x1x1xui8>, %B: tensor<3xi32>) {
  // expected-error @+1 {{(C5) expected 'B' to have 2 entries, but got 3}}
  %0 = onnx.QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z, %B)
      : (tensor<1x1x7x7xui8>, tensor<f32>, tensor<ui8>, tensor<2x1x1x1xui8>, tensor<f32>,
       tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<3xi32>)
      -> !onnx.unknown
  return
}

// -----

func.func @matmulinteger_c1(%A: tensor<4x3xui8>, %B: tensor<4x2xui8>) {
  // expected-error @+1 {{(C1) expected axis -2 of 'B' to have size 3, but got 4}}
  %0 = onnx.MatMulInteger(%A, %B) : (tensor<4x3xui8>, tensor<4x2xui8>) -> !onnx.unknown
  return
}

// -----

func.func @qlinearmatmul_c1(%a: tensor<2x4xui8>, %s: tensor<f32>, %z: tensor<ui8>,
                            %b: tensor<3x4xui8>) {
  // expected-error @+1 {{(C1) expected axis -2 of 'B' to have size 4, but got 3}}
  %0 = onnx.QLinearMatMul(%a, %s, %z, %b, %s, %z, %s, %z)
      : (tensor<2x4xui8>, tensor<f32>, tensor<ui8>, tensor<3x4xui8>, tensor<f32>,
       tensor<ui8>, tensor<f32>, tensor<ui8>)
      -> !onnx.unknown
  return
}

// -----

func.func @dequantizelinear_c1(%x: tensor<3x4xi8>, %x_scale: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.DequantizeLinear(%x, %x_scale) {axis = 2 : i64}
      : (tensor<3x4xi8>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @dequantizelinear_c2(%x: tensor<3x4xi8>, %x_scale: tensor<3xf32>) {
  // expected-error @+1 {{(C2) expected 'scale' to have the rank of 'x', 2, but got 1}}
  %0 = onnx.DequantizeLinear(%x, %x_scale) {block_size = 2 : i64}
      : (tensor<3x4xi8>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @dequantizelinear_c3(%x: tensor<3x4xi8>, %x_scale: tensor<3xf32>) {
  // expected-error @+1 {{(C3) expected 'scale' to have 4 entries, but got 3}}
  %0 = onnx.DequantizeLinear(%x, %x_scale) {axis = 1 : i64}
      : (tensor<3x4xi8>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @dequantizelinear_c3_blocks(%x: tensor<3x5xi8>, %x_scale: tensor<3x2xf32>) {
  // expected-error @+1 {{(C3) expected axis 1 of 'scale' to have size 3, but got 2}}
  %0 = onnx.DequantizeLinear(%x, %x_scale) {axis = 1 : i64, block_size = 2 : i64}
    : (tensor<3x5xi8>, tensor<3x2xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @dequantizelinear_c4(%x: tensor<3x4xi8>, %x_scale: tensor<4xf32>,
                               %x_zero_point: tensor<3xi8>) {
  // expected-error @+1 {{(C4) expected axis 0 of 'zero_point' to have size 4, but got 3}}
  %0 = onnx.DequantizeLinear(%x, %x_scale, %x_zero_point)
      : (tensor<3x4xi8>, tensor<4xf32>, tensor<3xi8>) -> !onnx.unknown
  return
}

// -----

func.func @dequantizelinear_c5(%x: tensor<3x4xi8>, %x_scale: tensor<f32>) {
  // expected-error @+1 {{(C5) expected 'output_dtype' to be the result's element type float, but got float16}}
  %0 = onnx.DequantizeLinear(%x, %x_scale) {output_dtype = 10 : i64}
      : (tensor<3x4xi8>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @quantizelinear_c1(%x: tensor<3x4xf32>, %y_scale: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got -3}}
  %0 = onnx.QuantizeLinear(%x, %y_scale) {axis = -3 : i64}
      : (tensor<3x4xf32>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @quantizelinear_c2(%x: tensor<3x4xf32>, %y_scale: tensor<f32>) {
  // expected-error @+1 {{(C2) expected 'block_size' to be at least 0, but got -1}}
  %0 = onnx.QuantizeLinear(%x, %y_scale) {block_size = -1 : i64}
      : (tensor<3x4xf32>, tensor<f32>) -> !onnx.unknown
  return
}

// -----

func.func @quantizelinear_c3(%x: tensor<3x4xf32>, %y_scale: tensor<3xf32>) {
  // expected-error @+1 {{(C3) expected 'scale' to have 4 entries, but got 3}}
  %0 = onnx.QuantizeLinear(%x, %y_scale)
      : (tensor<3x4xf32>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @quantizelinear_c4(%x: tensor<3x4xf32>, %y_scale: tensor<4xf32>,
                             %y_zero_point: tensor<i8>) {
  // expected-error @+1 {{(C4) expected 'zero_point' to have the rank of 'scale', 1, but got 0}}
  %0 = onnx.QuantizeLinear(%x, %y_scale, %y_zero_point)
      : (tensor<3x4xf32>, tensor<4xf32>, tensor<i8>) -> !onnx.unknown
  return
}

// -----

func.func @quantizelinear_c5(%x: tensor<3x4xf32>, %y_scale: tensor<f32>) {
  // expected-error @+1 {{(C5) expected 'output_dtype' to be the number of a data type, but got 99}}
  %0 = onnx.QuantizeLinear(%x, %y_scale) {output_dtype = 99 : i64}
      : (tensor<3x4xf32>, tensor<f32>) -> !onnx.unknown
  return
}

// -----

func.func @quantizelinear_c6(%x: tensor<3x4xf32>, %y_scale: tensor<f32>) {
  // expected-error @+1 {{(C6) expected 'precision' to be one of 1, 10, 11, 16, but got 3}}
  %0 = onnx.QuantizeLinear(%x, %y_scale) {precision = 3 : i64}
      : (tensor<3x4xf32>, tensor<f32>) -> !onnx.unknown
  return
}

// -----

func.func @quantizelinear_c7(%x: tensor<3x4xf32>, %y_scale: tensor<f32>) {
  // expected-error @+1 {{(C7) expected 'saturate' to be one of 0, 1, but got 2}}
  %0 = onnx.QuantizeLinear(%x, %y_scale) {saturate = 2 : i64}
      : (tensor<3x4xf32>, tensor<f32>) -> !onnx.unknown
  return
}

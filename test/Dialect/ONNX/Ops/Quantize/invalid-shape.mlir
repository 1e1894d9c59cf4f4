// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @convinteger_c6(%x: tensor<1x1x2xui8>, %w: tensor<1x1x3xi8>) {
  // expected-error @+1 {{(C6) expected a window that fits into the padded size 2 of spatial axis 0, but got 3}}
  %0 = onnx.ConvInteger(%x, %w) : (tensor<1x1x2xui8>, tensor<1x1x3xi8>) -> !onnx.unknown
  return
}

// -----

// expected-note @+8 {{operand 0}}
// expected-note @+7 {{operand 1}}
// expected-note @+6 {{operand 2}}
// expected-note @+5 {{operand 3}}
// expected-note @+4 {{operand 4}}
// expected-note @+3 {{operand 5}}
// expected-note @+2 {{operand 6}}
// expected-note @+1 {{operand 7}}
func.func @qlinearconv_c6(%x: tensor<1x1x2xui8>, %w: tensor<1x1x3xui8>, %scale: tensor<f32>, %zero: tensor<ui8>) {
  // expected-error @+1 {{(C6) expected a window that fits into the padded size 2 of spatial axis 0, but got 3}}
  %0 = onnx.QLinearConv(%x, %scale, %zero, %w, %scale, %zero, %scale, %zero)
      : (tensor<1x1x2xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x3xui8>, tensor<f32>, tensor<ui8>,
         tensor<f32>, tensor<ui8>) -> !onnx.unknown
  return
}

// -----

// expected-note @+8 {{operand 0}}
// expected-note @+7 {{operand 1}}
// expected-note @+6 {{operand 2}}
// expected-note @+5 {{operand 3}}
// expected-note @+4 {{operand 4}}
// expected-note @+3 {{operand 5}}
// expected-note @+2 {{operand 6}}
// expected-note @+1 {{operand 7}}
func.func @qlinearconv_features(%x: tensor<1x1x9xui8>, %scale: tensor<f32>, %zero: tensor<ui8>, %w: tensor<3x1x3xui8>, %zeros: tensor<1000xui8>) {
  // expected-error @+1 {{expected the features of weights and of their scales or zero points to agree, but got 1000 and 3}}
  %0 = onnx.QLinearConv(%x, %scale, %zero, %w, %scale, %zeros, %scale, %zero)
      : (tensor<1x1x9xui8>, tensor<f32>, tensor<ui8>, tensor<3x1x3xui8>, tensor<f32>, tensor<1000xui8>,
         tensor<f32>, tensor<ui8>) -> !onnx.unknown
  return
}

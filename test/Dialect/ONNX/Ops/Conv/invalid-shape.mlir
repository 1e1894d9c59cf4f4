// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0}}
func.func @col2im_c4(%input: tensor<1x4x4xf32>) {
  // expected-note @+1 {{operand 1}}
  %image = onnx.Constant dense<4> : tensor<2xi64>
  // expected-note @+1 {{operand 2}}
  %block = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  // expected-error @+1 {{(C4) expected entries of 'block_shape' to be at least 1, but got 0}}
  %0 = onnx.Col2Im(%input, %image, %block)
      : (tensor<1x4x4xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @col2im_c4_fit(%input: tensor<1x4x4xf32>) {
  // expected-note @+1 {{operand 1}}
  %image = onnx.Constant dense<4> : tensor<2xi64>
  // expected-note @+1 {{operand 2}}
  %block = onnx.Constant dense<[1, 5]> : tensor<2xi64>
  // expected-error @+1 {{(C4) expected a window that fits into the padded size 4 of spatial axis 1, but got 5}}
  %0 = onnx.Col2Im(%input, %image, %block)
      : (tensor<1x4x4xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @col2im_columns(%input: tensor<1x4x8xf32>) {
  // expected-note @+1 {{operand 1}}
  %image = onnx.Constant dense<4> : tensor<2xi64>
  // expected-note @+1 {{operand 2}}
  %block = onnx.Constant dense<2> : tensor<2xi64>
  // expected-error @+1 {{expected the number of columns and of blocks to agree, but got 8 and 9}}
  %0 = onnx.Col2Im(%input, %image, %block)
      : (tensor<1x4x8xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @conv_c6(%X: tensor<1x3x4x4xf32>, %W: tensor<8x3x3x3xf32>) {
  // expected-error @+1 {{(C6) expected a window that fits into the padded size 4 of spatial axis 1, but got 5}}
  %0 = onnx.Conv(%X, %W) {dilations = array<i64: 1, 2>}
      : (tensor<1x3x4x4xf32>, tensor<8x3x3x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @conv_channels(%X: tensor<1x?x4xf32, #onnx.dims<"", "2*c", "">>, %W: tensor<8x3x3xf32>) {
  // expected-error @+1 {{expected the channels of input and weights to agree, but got 2*c and 3}}
  %0 = onnx.Conv(%X, %W)
      : (tensor<1x?x4xf32, #onnx.dims<"", "2*c", "">>, tensor<8x3x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @conv_kernel(%X: tensor<1x3x4xf32>, %W: tensor<8x3x3xf32>) {
  // expected-error @+1 {{expected the kernel's sizes as listed and as weights to agree, but got 2 and 3}}
  %0 = onnx.Conv(%X, %W) {kernel_shape = array<i64: 2>}
      : (tensor<1x3x4xf32>, tensor<8x3x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @convtranspose_c6(%X: tensor<1x3x1xf32>, %W: tensor<3x8x3xf32>) {
  // expected-error @+1 {{(C6) expected a size for spatial axis 0 of the result, but got -1}}
  %0 = onnx.ConvTranspose(%X, %W) {pads = array<i64: 2, 2>}
      : (tensor<1x3x1xf32>, tensor<3x8x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @deformconv_c5(%X: tensor<1x1x1x1xf32>, %W: tensor<1x1x2x2xf32>, %offset: tensor<1x8x1x1xf32>) {
  // expected-error @+1 {{(C5) expected a window that fits into the padded size 1 of spatial axis 0, but got 2}}
  %0 = onnx.DeformConv(%X, %W, %offset)
      : (tensor<1x1x1x1xf32>, tensor<1x1x2x2xf32>, tensor<1x8x1x1xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @deformconv_places(%X: tensor<1x1x3x3xf32>, %W: tensor<1x1x2x2xf32>, %offset: tensor<1x8x2x3xf32>) {
  // expected-error @+1 {{expected the places of the kernel and of the offsets and masks for them to agree, but got 2 and 3}}
  %0 = onnx.DeformConv(%X, %W, %offset)
      : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x3xf32>) -> !onnx.unknown
  return
}

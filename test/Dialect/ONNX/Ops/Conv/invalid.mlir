// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @causalconvwithstate_c1(%input: tensor<1x8x16xf32>,
                                  %weight: tensor<8x1x4xf32>) {
  // expected-error @+1 {{(C1) expected 'activation' to be one of 'none', 'silu', 'swish', but got 'relu'}}
  %0:2 = onnx.CausalConvWithState(%input, %weight) {activation = "relu"}
      : (tensor<1x8x16xf32>, tensor<8x1x4xf32>) -> (tensor<1x8x16xf32>, tensor<1x8x3xf32>)
  return
}

// -----

func.func @causalconvwithstate_c2(%input: tensor<1x8x16xf32>,
                                  %weight: tensor<9x1x4xf32>) {
  // expected-error @+1 {{(C2) expected axis 0 of 'weight' to have size 8, but got 9}}
  %0:2 = onnx.CausalConvWithState(%input, %weight)
      : (tensor<1x8x16xf32>, tensor<9x1x4xf32>) -> (tensor<1x8x16xf32>, tensor<1x8x3xf32>)
  return
}

// -----

func.func @causalconvwithstate_c3(%input: tensor<1x8x16xf32>,
                                  %weight: tensor<8x1x4xf32>, %bias: tensor<7xf32>) {
  // expected-error @+1 {{(C3) expected 'bias' to have 8 entries, but got 7}}
  %0:2 = onnx.CausalConvWithState(%input, %weight, %bias)
      : (tensor<1x8x16xf32>, tensor<8x1x4xf32>, tensor<7xf32>)
      -> (tensor<1x8x16xf32>, tensor<1x8x3xf32>)
  return
}

// -----

func.func @col2im_c1(%input: tensor<1x5x5xf32>, %image_shape: tensor<2xi64>,
                     %block_shape: tensor<2xi64>) {
  // expected-error @+1 {{(C1) expected entries of 'strides' to be at least 1, but got 0}}
  %0 = onnx.Col2Im(%input, %image_shape, %block_shape) {strides = array<i64: 0, 1>}
      : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x5x5xf32>
  return
}

// -----

func.func @col2im_c2(%input: tensor<1x5x5xf32>, %image_shape: tensor<2xi64>,
                     %block_shape: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected 'pads' to have 4 entries, but got 2}}
  %0 = onnx.Col2Im(%input, %image_shape, %block_shape) {pads = array<i64: 0, 0>}
      : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x5x5xf32>
  return
}

// -----

func.func @col2im_c3(%input: tensor<5x5xf32>, %image_shape: tensor<2xi64>,
                     %block_shape: tensor<2xi64>) {
  // expected-error @+1 {{(C3) expected 'input' to have rank 3, but got 2}}
  %0 = onnx.Col2Im(%input, %image_shape, %block_shape)
      : (tensor<5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @conv_c1(%X: tensor<1x4x8x8xf32>, %W: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{(C1) expected 'auto_pad' to be one of 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID', but got 'SAME'}}
  %0 = onnx.Conv(%X, %W) {auto_pad = "SAME"}
      : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @conv_c2(%X: tensor<1x4x8x8xf32>, %W: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{(C2) expected entries of 'dilations' to be at least 1, but got -1}}
  %0 = onnx.Conv(%X, %W) {dilations = array<i64: 1, -1>}
      : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @conv_c3(%X: !onnx.unknown, %W: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{(C3) expected 'strides' to have 2 entries, but got 1}}
  %0 = onnx.Conv(%X, %W) {strides = array<i64: 1>}
      : (!onnx.unknown, tensor<6x4x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @conv_c3_b(%X: !onnx.unknown, %W: !onnx.unknown) {
  // expected-error @+1 {{(C3) expected 'pads' to have an even number of entries, but got 3}}
  %0 = onnx.Conv(%X, %W) {pads = array<i64: 1, 1, 1>}
      : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @conv_c3_c(%X: !onnx.unknown, %W: !onnx.unknown) {
  // expected-error @+1 {{(C3) expected 'strides' to have 2 entries, but got 1}}
  %0 = onnx.Conv(%X, %W) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 1>}
      : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @conv_c4(%X: tensor<1x4x8x8xf32>, %W: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{(C4) expected 'group' to be at least 1, but got 0}}
  %0 = onnx.Conv(%X, %W) {group = 0 : i64}
      : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @conv_c4_b(%X: tensor<1x4x8x8xf32>, %W: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{(C4) expected 'group' to divide the 4 channels, but got 3}}
  %0 = onnx.Conv(%X, %W) {group = 3 : i64}
      : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @conv_c5(%X: tensor<1x4x8x8xf32>, %W: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{(C5) expected axis 1 of 'W' to have size 2, but got 4}}
  %0 = onnx.Conv(%X, %W) {group = 2 : i64}
      : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @convtranspose_c1(%X: tensor<1x4x8x8xf32>, %W: tensor<4x2x3x3xf32>) {
  // expected-error @+1 {{(C1) expected 'auto_pad' to be one of 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID', but got ''}}
  %0 = onnx.ConvTranspose(%X, %W) {auto_pad = ""}
      : (tensor<1x4x8x8xf32>, tensor<4x2x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @convtranspose_c2(%X: tensor<1x4x8x8xf32>, %W: tensor<4x2x3x3xf32>) {
  // expected-error @+1 {{(C2) expected entries of 'kernel_shape' to be at least 1, but got 0}}
  %0 = onnx.ConvTranspose(%X, %W) {kernel_shape = array<i64: 3, 0>}
      : (tensor<1x4x8x8xf32>, tensor<4x2x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @convtranspose_c3(%X: tensor<1x4x8x8xf32>, %W: tensor<4x2x3x3xf32>) {
  // expected-error @+1 {{(C3) expected 'output_shape' to have 2 entries, but got 3}}
  %0 = onnx.ConvTranspose(%X, %W) {output_shape = array<i64: 1, 16, 16>}
      : (tensor<1x4x8x8xf32>, tensor<4x2x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @convtranspose_c4(%X: tensor<1x4x8x8xf32>, %W: tensor<4x2x3x3xf32>) {
  // expected-error @+1 {{(C4) expected 'group' to divide the 4 channels, but got 3}}
  %0 = onnx.ConvTranspose(%X, %W) {group = 3 : i64}
      : (tensor<1x4x8x8xf32>, tensor<4x2x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @convtranspose_c5(%X: tensor<1x4x8x8xf32>, %W: tensor<5x2x3x3xf32>) {
  // expected-error @+1 {{(C5) expected axis 0 of 'W' to have size 4, but got 5}}
  %0 = onnx.ConvTranspose(%X, %W)
      : (tensor<1x4x8x8xf32>, tensor<5x2x3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @deformconv_c1(%X: tensor<1x1x3x3xf32>, %W: tensor<1x1x2x2xf32>,
                         %offset: tensor<1x8x2x2xf32>) {
  // expected-error @+1 {{(C1) expected entries of 'strides' to be at least 1, but got 0}}
  %0 = onnx.DeformConv(%X, %W, %offset) {strides = array<i64: 0, 0>}
      : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @deformconv_c2(%X: tensor<1x1x3x3xf32>, %W: tensor<1x1x2x2xf32>,
                         %offset: tensor<1x8x2x2xf32>) {
  // expected-error @+1 {{(C2) expected 'pads' to have 4 entries, but got 2}}
  %0 = onnx.DeformConv(%X, %W, %offset) {pads = array<i64: 0, 0>}
      : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @deformconv_c3(%X: tensor<1x3x3x3xf32>, %W: tensor<1x3x2x2xf32>,
                         %offset: tensor<1x8x2x2xf32>) {
  // expected-error @+1 {{(C3) expected 'offset_group' to divide the 3 channels, but got 2}}
  %0 = onnx.DeformConv(%X, %W, %offset) {offset_group = 2 : i64}
      : (tensor<1x3x3x3xf32>, tensor<1x3x2x2xf32>, tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @conv_c5_rank(%X: tensor<1x4x8x8xf32>, %W: tensor<6x4x3xf32>) {
  // expected-error @+1 {{(C5) expected 'W' to have the rank of 'X', 4, but got 3}}
  %0 = onnx.Conv(%X, %W) : (tensor<1x4x8x8xf32>, tensor<6x4x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @deformconv_c4(%X: tensor<1x1x3x3xf32>, %W: tensor<1x2x2x2xf32>,
                         %offset: tensor<1x8x2x2xf32>) {
  // expected-error @+1 {{(C4) expected axis 1 of 'W' to have size 1, but got 2}}
  %0 = onnx.DeformConv(%X, %W, %offset)
      : (tensor<1x1x3x3xf32>, tensor<1x2x2x2xf32>, tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

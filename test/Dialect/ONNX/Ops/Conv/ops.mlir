// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @causalconvwithstate(
func.func @causalconvwithstate(%input: tensor<1x8x16xf32>, %weight: tensor<8x1x4xf32>,
                               %past_state: tensor<1x8x3xf32>) {
  // CHECK: onnx.CausalConvWithState(%arg0, %arg1, _, %arg2) {activation = "silu"}
  // CHECK-SAME: : (tensor<1x8x16xf32>, tensor<8x1x4xf32>, tensor<1x8x3xf32>)
  // CHECK-SAME: -> (tensor<1x8x16xf32>, tensor<1x8x3xf32>)
  %0:2 = onnx.CausalConvWithState(%input, %weight, _, %past_state) {activation = "silu"}
      : (tensor<1x8x16xf32>, tensor<8x1x4xf32>, tensor<1x8x3xf32>)
      -> (tensor<1x8x16xf32>, tensor<1x8x3xf32>)
  return
}

// CHECK-LABEL: @col2im(
func.func @col2im(%input: tensor<1x5x5xf32>, %image_shape: tensor<2xi64>,
                  %block_shape: tensor<2xi64>) {
  // CHECK: onnx.Col2Im(%arg0, %arg1, %arg2)
  // CHECK-SAME: {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>,
  // CHECK-SAME: strides = array<i64: 1, 1>}
  // CHECK-SAME: : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>)
  // CHECK-SAME: -> tensor<1x1x5x5xf32>
  %0 = onnx.Col2Im(%input, %image_shape, %block_shape)
      {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>,
       strides = array<i64: 1, 1>}
      : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x5x5xf32>
  return
}

// CHECK-LABEL: @conv(
func.func @conv(%X: tensor<1x4x8x8xf32>, %W: tensor<6x2x3x3xf32>, %B: tensor<6xf32>) {
  // CHECK: onnx.Conv(%arg0, %arg1, %arg2)
  // CHECK-SAME: {auto_pad = "NOTSET", dilations = array<i64: 1, 1>, group = 2 : i64,
  // CHECK-SAME: kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>,
  // CHECK-SAME: strides = array<i64: 2, 2>}
  // CHECK-SAME: : (tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>)
  // CHECK-SAME: -> tensor<1x6x4x4xf32>
  %0 = onnx.Conv(%X, %W, %B)
      {auto_pad = "NOTSET", dilations = array<i64: 1, 1>, group = 2 : i64,
       kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>,
       strides = array<i64: 2, 2>}
      : (tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x4x4xf32>
  return
}

// CHECK-LABEL: @conv_2(
func.func @conv_2(%X: !onnx.unknown, %W: tensor<*xf16>) {
  // CHECK: onnx.Conv(%arg0, %arg1) {strides = array<i64>}
  // CHECK-SAME: : (!onnx.unknown, tensor<*xf16>) -> !onnx.unknown
  %0 = onnx.Conv(%X, %W) {strides = array<i64>}
      : (!onnx.unknown, tensor<*xf16>) -> !onnx.unknown
  return
}

// CHECK-LABEL: @convtranspose(
func.func @convtranspose(%X: tensor<1x4x8x8xf32>, %W: tensor<4x2x3x3xf32>) {
  // CHECK: onnx.ConvTranspose(%arg0, %arg1)
  // CHECK-SAME: {output_padding = array<i64: 1, 1>,
  // CHECK-SAME: output_shape = array<i64: 1, 2, 16, 16>, strides = array<i64: 2, 2>}
  // CHECK-SAME: : (tensor<1x4x8x8xf32>, tensor<4x2x3x3xf32>) -> tensor<1x2x16x16xf32>
  %0 = onnx.ConvTranspose(%X, %W)
      {output_padding = array<i64: 1, 1>, output_shape = array<i64: 1, 2, 16, 16>,
       strides = array<i64: 2, 2>}
      : (tensor<1x4x8x8xf32>, tensor<4x2x3x3xf32>) -> tensor<1x2x16x16xf32>
  return
}

// CHECK-LABEL: @deformconv(
func.func @deformconv(%X: tensor<1x1x3x3xf32>, %W: tensor<1x1x2x2xf32>,
                      %offset: tensor<1x8x2x2xf32>, %mask: tensor<1x4x2x2xf32>) {
  // CHECK: onnx.DeformConv(%arg0, %arg1, %arg2, _, %arg3) {offset_group = 1 : i64}
  // CHECK-SAME: : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>,
  // CHECK-SAME: tensor<1x4x2x2xf32>)
  // CHECK-SAME: -> tensor<1x1x2x2xf32>
  %0 = onnx.DeformConv(%X, %W, %offset, _, %mask) {offset_group = 1 : i64}
      : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>,
       tensor<1x4x2x2xf32>)
      -> tensor<1x1x2x2xf32>
  return
}

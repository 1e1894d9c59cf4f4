// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @conv(
func.func @conv(%X: tensor<1x3x7x7xf32>, %W: tensor<8x3x3x3xf32>) {
  // CHECK: onnx.Conv({{.*}} -> tensor<1x8x5x5xf32>
  %0 = onnx.Conv(%X, %W) : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<1x8x4x3xf32>
  %1 = onnx.Conv(%X, %W) {pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>}
      : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<1x8x3x1xf32>
  %2 = onnx.Conv(%X, %W) {dilations = array<i64: 2, 3>}
      : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<1x8x4x3xf32>
  %3 = onnx.Conv(%X, %W) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 3>}
      : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<1x8x3x2xf32>
  %4 = onnx.Conv(%X, %W) {auto_pad = "VALID", strides = array<i64: 2, 3>}
      : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> !onnx.unknown
  return
}

// -----

// Windows over the results of windows stay readable.
// CHECK-LABEL: @conv_of_conv(
func.func @conv_of_conv(%X: tensor<?x3x?xf32, #onnx.dims<"n", "", "h">>, %W: tensor<3x3x3xf32>) {
  // CHECK: onnx.Conv({{.*}} -> tensor<?x3x?xf32, #onnx.dims<"n", "", "(h + 1) floordiv 2">>
  %0 = onnx.Conv(%X, %W) {pads = array<i64: 1, 1>, strides = array<i64: 2>}
      : (tensor<?x3x?xf32, #onnx.dims<"n", "", "h">>, tensor<3x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<?x3x?xf32, #onnx.dims<"n", "", "(h + 3) floordiv 4">>
  %1 = onnx.Conv(%0, %W) {auto_pad = "SAME_LOWER", strides = array<i64: 2>}
      : (!onnx.unknown, tensor<3x3x3xf32>) -> !onnx.unknown
  return
}

// -----

// The operands must agree, so one says what another leaves open.
// CHECK-LABEL: @conv_channels(
func.func @conv_channels(%X: tensor<1x?x7xf32, #onnx.dims<"", "c", "">>, %W: tensor<8x3x3xf32>,
                         %unknown: tensor<*xf32>) {
  // CHECK: onnx.Relu({{.*}} -> tensor<1x6x7xf32>
  %0 = onnx.Relu(%X) : (tensor<1x?x7xf32, #onnx.dims<"", "c", "">>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<1x8x5xf32>
  %1 = onnx.Conv(%X, %W) {group = 2 : i64}
      : (tensor<1x?x7xf32, #onnx.dims<"", "c", "">>, tensor<8x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<?x8x?xf32, #onnx.dims<"a.0", "", "a.2">>
  %2 = onnx.Conv(%unknown, %W) {onnx.outputs = ["a"]}
      : (tensor<*xf32>, tensor<8x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<1x?x3xf32, #onnx.dims<"", "b.1", "">>
  %3 = onnx.Conv(%X, %unknown) {kernel_shape = array<i64: 5>, onnx.outputs = ["b"]}
      : (tensor<1x?x7xf32, #onnx.dims<"", "c", "">>, tensor<*xf32>) -> !onnx.unknown
  // CHECK: onnx.Conv({{.*}} -> tensor<*xf32>
  %4 = onnx.Conv(%unknown, %unknown) : (tensor<*xf32>, tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @convtranspose(
func.func @convtranspose(%X: tensor<?x4x?x5xf32, #onnx.dims<"n", "", "h", "">>,
                         %W: tensor<4x3x3x3xf32>, %unknown: tensor<*xf32>) {
  // CHECK: onnx.ConvTranspose({{.*}} -> tensor<?x6x?x11xf32, #onnx.dims<"n", "", "2*h + 1", "">>
  %0 = onnx.ConvTranspose(%X, %W) {group = 2 : i64, strides = array<i64: 2, 2>}
      : (tensor<?x4x?x5xf32, #onnx.dims<"n", "", "h", "">>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.ConvTranspose({{.*}} -> tensor<?x3x?x10xf32, #onnx.dims<"n", "", "2*h", "">>
  %1 = onnx.ConvTranspose(%X, %W) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>}
      : (tensor<?x4x?x5xf32, #onnx.dims<"n", "", "h", "">>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  // With strides larger than the kernel SAME cannot be reached.
  // CHECK: onnx.ConvTranspose({{.*}} -> tensor<?x3x?x23xf32, #onnx.dims<"n", "", "5*h - 2", "">>
  %2 = onnx.ConvTranspose(%X, %W) {auto_pad = "SAME_UPPER", strides = array<i64: 5, 5>}
      : (tensor<?x4x?x5xf32, #onnx.dims<"n", "", "h", "">>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.ConvTranspose({{.*}} -> tensor<?x3x?x9xf32, #onnx.dims<"n", "", "2*h + 2", "">>
  %3 = onnx.ConvTranspose(%X, %W)
      {output_padding = array<i64: 1, 0>, pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>}
      : (tensor<?x4x?x5xf32, #onnx.dims<"n", "", "h", "">>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  // The batch and the channels may be listed too.
  // CHECK: onnx.ConvTranspose({{.*}} -> tensor<?x3x9x10xf32, #onnx.dims<"n", "", "", "">>
  %4 = onnx.ConvTranspose(%X, %W)
      {output_shape = array<i64: 1, 3, 9, 10>, strides = array<i64: 2, 2>}
      : (tensor<?x4x?x5xf32, #onnx.dims<"n", "", "h", "">>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  // CHECK: onnx.ConvTranspose({{.*}} -> tensor<?x3x?x?xf32, #onnx.dims<"a.0", "", "a.2", "a.3">>
  %5 = onnx.ConvTranspose(%unknown, %W) {onnx.outputs = ["a"]}
      : (tensor<*xf32>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @deformconv(
func.func @deformconv(%X: tensor<?x1x3x3xf32, #onnx.dims<"n", "", "", "">>,
                      %W: tensor<1x1x2x2xf32>, %offset: tensor<1x8x2x2xf32>) {
  // The batch is that of the offsets.
  // CHECK: onnx.DeformConv({{.*}} -> tensor<1x1x2x2xf32>
  %0 = onnx.DeformConv(%X, %W, %offset)
      : (tensor<?x1x3x3xf32, #onnx.dims<"n", "", "", "">>, tensor<1x1x2x2xf32>,
         tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @col2im(
func.func @col2im(%input: tensor<?x5x5xf32, #onnx.dims<"n", "", "">>,
                  %columns: tensor<?x6x?xf32, #onnx.dims<"n", "", "l">>, %image: tensor<2xi64>) {
  %shape = onnx.Constant dense<5> : tensor<2xi64>
  %row = onnx.Constant dense<[1, 5]> : tensor<2xi64>
  %block = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK: onnx.Col2Im({{.*}} -> tensor<?x1x5x5xf32, #onnx.dims<"n", "", "", "">>
  %0 = onnx.Col2Im(%input, %shape, %row)
      : (tensor<?x5x5xf32, #onnx.dims<"n", "", "">>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Relu({{.*}} -> tensor<?x6x12xf32, #onnx.dims<"n", "", "">>
  %1 = onnx.Relu(%columns) : (tensor<?x6x?xf32, #onnx.dims<"n", "", "l">>) -> !onnx.unknown
  // There are as many columns as blocks.
  // CHECK: onnx.Col2Im({{.*}} -> tensor<?x1x5x5xf32, #onnx.dims<"n", "", "", "">>
  %2 = onnx.Col2Im(%1, %shape, %block)
      : (!onnx.unknown, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Col2Im({{.*}} -> tensor<?x1x?x?xf32, #onnx.dims<"n", "", "a.2", "a.3">>
  %3 = onnx.Col2Im(%input, %image, %row) {onnx.outputs = ["a"]}
      : (tensor<?x5x5xf32, #onnx.dims<"n", "", "">>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @causalconvwithstate(
func.func @causalconvwithstate(%input: tensor<?x?x16xf32, #onnx.dims<"n", "c", "">>,
                               %weight: tensor<8x1x4xf32>, %unknown: tensor<*xf32>) {
  // CHECK: onnx.CausalConvWithState({{.*}} -> (tensor<?x8x16xf32, #onnx.dims<"n", "", "">>,
  // CHECK-SAME: tensor<?x8x3xf32, #onnx.dims<"n", "", "">>)
  %0:2 = onnx.CausalConvWithState(%input, %weight)
      : (tensor<?x?x16xf32, #onnx.dims<"n", "c", "">>, tensor<8x1x4xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.CausalConvWithState({{.*}} -> (tensor<?x8x?xf32, #onnx.dims<"a.0", "", "a.2">>,
  // CHECK-SAME: tensor<?x8x3xf32, #onnx.dims<"b.0", "", "">>)
  %1:2 = onnx.CausalConvWithState(%unknown, %weight) {onnx.outputs = ["a", "b"]}
      : (tensor<*xf32>, tensor<8x1x4xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// Sizes that no tensor has are errors of the operator that computes them; none wraps around.

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @conv(%x: tensor<1x1x9x9xf32>, %w: tensor<1x1x3x3xf32>) {
  // expected-error @+1 {{expected a size of 0 to 9223372036854775807 for axis 2 of result 0, but got one beyond 64 bits}}
  %0 = onnx.Conv(%x, %w) {dilations = array<i64: 4611686018427387904, 4611686018427387904>}
      : (tensor<1x1x9x9xf32>, tensor<1x1x3x3xf32>) -> !onnx.unknown
  return
}

// -----

// Also where the image is open: it is at least 0.
// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @conv_of_a_name(%x: tensor<1x1x?xf32, #onnx.dims<"", "", "n">>, %w: tensor<1x1x3xf32>) {
  // expected-error @+1 {{expected a size of 0 to 9223372036854775807 for axis 2 of result 0, but got one beyond 64 bits}}
  %0 = onnx.Conv(%x, %w) {pads = array<i64: 9223372036854775807, 9223372036854775807>}
      : (tensor<1x1x?xf32, #onnx.dims<"", "", "n">>, tensor<1x1x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @convtranspose(%x: tensor<1x1x9xf32>, %w: tensor<1x1x3xf32>) {
  // expected-error @+1 {{expected a size of 0 to 9223372036854775807 for axis 2 of result 0, but got one beyond 64 bits}}
  %0 = onnx.ConvTranspose(%x, %w) {strides = array<i64: 4611686018427387904>}
      : (tensor<1x1x9xf32>, tensor<1x1x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @maxpool(%x: tensor<1x1x9xf32>) {
  // expected-error @+1 {{expected a size of 0 to 9223372036854775807 for axis 2 of result 0, but got one beyond 64 bits}}
  %0 = onnx.MaxPool(%x) {kernel_shape = array<i64: 2>, pads = array<i64: 9223372036854775807, 9223372036854775807>}
      : (tensor<1x1x9xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @pad(%x: tensor<4xf32>) {
  // expected-note @+1 {{operand 1}}
  %pads = onnx.Constant dense<9223372036854775807> : tensor<2xi64>
  // expected-error @+1 {{expected a size of 0 to 9223372036854775807 for axis 0 of result 0, but got one beyond 64 bits}}
  %0 = onnx.Pad(%x, %pads) : (tensor<4xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// Each size is a number, but their product is none.
func.func @constantofshape() {
  // expected-note @+1 {{operand 0}}
  %shape = onnx.Constant dense<4294967296> : tensor<2xi64>
  // expected-error @+1 {{expected at most 36028797018963968 elements in result 0, but got more}}
  %0 = onnx.ConstantOfShape(%shape) : (tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// Strides are products of sizes, even where a tensor is empty.
func.func @empty() {
  // expected-note @+1 {{operand 0}}
  %shape = onnx.Constant dense<[4294967296, 0, 4294967296]> : tensor<3xi64>
  // expected-error @+1 {{expected at most 36028797018963968 elements in result 0, but got more}}
  %0 = onnx.ConstantOfShape(%shape) : (tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @tile(%x: tensor<4xf32>) {
  // expected-note @+1 {{operand 1}}
  %repeats = onnx.Constant dense<4611686018427387904> : tensor<1xi64>
  // expected-error @+1 {{expected a size of 0 to 9223372036854775807 for axis 0 of result 0, but got one beyond 64 bits}}
  %0 = onnx.Tile(%x, %repeats) : (tensor<4xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @resize(%x: tensor<1x1x4xf32>) {
  // expected-note @+1 {{operand 1}}
  %scales = onnx.Constant dense<[1.0, 1.0, 1.0e30]> : tensor<3xf32>
  // expected-error @+1 {{expected a size of 0 to 9223372036854775807 for axis 2 of result 0, but got one beyond 64 bits}}
  %0 = onnx.Resize(%x, _, %scales) : (tensor<1x1x4xf32>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

// The lowest step has no magnitude, but leads beyond any axis as the next one does.
func.func @slice(%x: tensor<4xf32>) -> tensor<1xf32> {
  %start = onnx.Constant dense<-1> : tensor<1xi64>
  %end = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %axis = onnx.Constant dense<0> : tensor<1xi64>
  %0 = onnx.Slice(%x, %start, %end, %axis, %end)
      : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @concat_c1() {
  // expected-error @+1 {{(C1) expected an operand, but got none}}
  %0 = onnx.Concat() {axis = 0 : i64} : () -> !onnx.unknown
  return
}

// -----

func.func @concat_c2(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.Concat(%a, %b) {axis = 2 : i64}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @concat_c3(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C3) expected operands of rank 2, but got 1}}
  %0 = onnx.Concat(%a, %b) {axis = 0 : i64}
      : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @concat_c3_b(%a: tensor<2x?xf32>, %b: tensor<2x3xf32>, %c: tensor<2x4xf32>) {
  // expected-error @+1 {{(C3) expected axis 1 of the operands to have size 3, but got 4}}
  %0 = onnx.Concat(%a, %b, %c) {axis = 0 : i64}
      : (tensor<2x?xf32>, tensor<2x3xf32>, tensor<2x4xf32>) -> !onnx.unknown
  return
}

// -----

// Empty operands may have other shapes, but where all are empty the axis is one of the first.
func.func @concat_c2_empty(%a: tensor<1x0x2xf32>) {
  // expected-error @+1 {{(C2) expected 'axis' to be in [-3, 3), but got -2305843009213693952}}
  %0 = onnx.Concat(%a, %a) {axis = -2305843009213693952 : i64}
      : (tensor<1x0x2xf32>, tensor<1x0x2xf32>) -> !onnx.unknown
  return
}

// -----

// An empty operand that adds to the size agrees with the others.
func.func @concat_c3_empty(%a: tensor<2x3xf32>, %b: tensor<1x0xf32>) {
  // expected-error @+1 {{(C3) expected axis 1 of the operands to have size 3, but got 0}}
  %0 = onnx.Concat(%a, %b) {axis = 0 : i64}
      : (tensor<2x3xf32>, tensor<1x0xf32>) -> !onnx.unknown
  return
}

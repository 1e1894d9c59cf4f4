// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @add_c1(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Add(%a, %b) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @div_c1(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Div(%a, %b) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @mod_c1(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Mod(%a, %b) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @mul_c1(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Mul(%a, %b) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @pow_c1(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Pow(%a, %b) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @sub_c1(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Sub(%a, %b) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @max_c1(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<4x1x1x2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<4x1x1x2xf32>}}
  %0 = onnx.Max(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<4x1x1x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @mean_c1(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<4x1x1x2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<4x1x1x2xf32>}}
  %0 = onnx.Mean(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<4x1x1x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @min_c1(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<4x1x1x2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<4x1x1x2xf32>}}
  %0 = onnx.Min(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<4x1x1x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @sum_c1(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<4x1x1x2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<4x1x1x2xf32>}}
  %0 = onnx.Sum(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<4x1x1x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @max_c2() {
  // expected-error @+1 {{(C2) expected an operand, but got none}}
  %0 = onnx.Max() : () -> !onnx.unknown
  return
}

// -----

func.func @mean_c2() {
  // expected-error @+1 {{(C2) expected an operand, but got none}}
  %0 = onnx.Mean() : () -> !onnx.unknown
  return
}

// -----

func.func @min_c2() {
  // expected-error @+1 {{(C2) expected an operand, but got none}}
  %0 = onnx.Min() : () -> !onnx.unknown
  return
}

// -----

func.func @sum_c2() {
  // expected-error @+1 {{(C2) expected an operand, but got none}}
  %0 = onnx.Sum() : () -> !onnx.unknown
  return
}

// -----

func.func @mod_c2(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'fmod' to be one of 0, 1, but got 2}}
  %0 = onnx.Mod(%a, %b) {fmod = 2 : i64} : (tensor<2xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @clip_c1(%input: tensor<2x3xf32>, %min: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'min' to have one element, but got tensor<2xf32>}}
  %0 = onnx.Clip(%input, %min) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @and_c1(%A: tensor<2x3xi1>, %B: tensor<2xi1>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xi1>}}
  %0 = onnx.And(%A, %B) : (tensor<2x3xi1>, tensor<2xi1>) -> !onnx.unknown
  return
}

// -----

func.func @or_c1(%A: tensor<2x3xi1>, %B: tensor<2xi1>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xi1>}}
  %0 = onnx.Or(%A, %B) : (tensor<2x3xi1>, tensor<2xi1>) -> !onnx.unknown
  return
}

// -----

func.func @xor_c1(%A: tensor<2x3xi1>, %B: tensor<2xi1>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xi1>}}
  %0 = onnx.Xor(%A, %B) : (tensor<2x3xi1>, tensor<2xi1>) -> !onnx.unknown
  return
}

// -----

func.func @bitwiseand_c1(%A: tensor<2x3xi8>, %B: tensor<2xi8>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xi8>}}
  %0 = onnx.BitwiseAnd(%A, %B) : (tensor<2x3xi8>, tensor<2xi8>) -> !onnx.unknown
  return
}

// -----

func.func @bitwiseor_c1(%A: tensor<2x3xi8>, %B: tensor<2xi8>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xi8>}}
  %0 = onnx.BitwiseOr(%A, %B) : (tensor<2x3xi8>, tensor<2xi8>) -> !onnx.unknown
  return
}

// -----

func.func @bitwisexor_c1(%A: tensor<2x3xi8>, %B: tensor<2xi8>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xi8>}}
  %0 = onnx.BitwiseXor(%A, %B) : (tensor<2x3xi8>, tensor<2xi8>) -> !onnx.unknown
  return
}

// -----

func.func @bitshift_c1(%X: tensor<3xui8>, %Y: tensor<2xui8>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xui8>}}
  %0 = onnx.BitShift(%X, %Y) {direction = "LEFT"}
      : (tensor<3xui8>, tensor<2xui8>) -> !onnx.unknown
  return
}

// -----

func.func @bitshift_c2(%X: tensor<3xui8>, %Y: tensor<3xui8>) {
  // expected-error @+1 {{(C2) expected 'direction' to be one of 'LEFT', 'RIGHT', but got 'UP'}}
  %0 = onnx.BitShift(%X, %Y) {direction = "UP"}
      : (tensor<3xui8>, tensor<3xui8>) -> !onnx.unknown
  return
}

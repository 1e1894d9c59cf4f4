// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @gelu_c1(%X: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'approximate' to be one of 'none', 'tanh', but got 'erf'}}
  %0 = onnx.Gelu(%X) {approximate = "erf"} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @prelu_c1(%A: tensor<2x3xf32>, %B: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.PRelu(%A, %B) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @swiglu_c1(%A: tensor<2x3xf32>, %B: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.SwiGLU(%A, %B) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

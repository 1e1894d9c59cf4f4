// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0 is float[6, 1]}}
func.func @expand_c2(%input: tensor<6x1xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %shape = onnx.Constant dense<[6, -1]> : tensor<2xi64>
  // expected-error @+1 {{(C2) expected the entries of 'shape' to be at least 0, but got -1}}
  %0 = onnx.Expand(%input, %shape) : (tensor<6x1xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[6, 2]}}
func.func @expand_sizes(%input: tensor<6x2xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %shape = onnx.Constant dense<[6, 3]> : tensor<2xi64>
  // expected-error @+1 {{expected sizes that broadcast, but got 2 and 3}}
  %0 = onnx.Expand(%input, %shape) : (tensor<6x2xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[6]}}
func.func @tile_c2(%input: tensor<6xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %repeats = onnx.Constant dense<-1> : tensor<1xi64>
  // expected-error @+1 {{(C2) expected the entries of 'repeats' to be at least 0, but got -1}}
  %0 = onnx.Tile(%input, %repeats) : (tensor<6xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

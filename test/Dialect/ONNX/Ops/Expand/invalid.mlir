// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @expand_c1(%input: tensor<3x1xf32>, %shape: tensor<1x3xi64>) {
  // expected-error @+1 {{(C1) expected 'shape' to be a vector, but got rank 2}}
  %0 = onnx.Expand(%input, %shape) : (tensor<3x1xf32>, tensor<1x3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @tile_c1(%input: tensor<3x1xf32>, %repeats: tensor<3xi64>) {
  // expected-error @+1 {{(C1) expected 'repeats' to have 2 entries, but got 3}}
  %0 = onnx.Tile(%input, %repeats) : (tensor<3x1xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

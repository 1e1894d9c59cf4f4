// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @flatten_c1(%input: tensor<2x3x4xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-3, 3], but got 4}}
  %0 = onnx.Flatten(%input) {axis = 4 : i64} : (tensor<2x3x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reshape_c1(%data: tensor<2x3xf32>, %shape: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'shape' to be a vector, but got rank 2}}
  %0 = onnx.Reshape(%data, %shape) : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reshape_c2(%data: tensor<2x3xf32>, %shape: tensor<1xi64>) {
  // expected-error @+1 {{(C2) expected 'allowzero' to be one of 0, 1, but got 2}}
  %0 = onnx.Reshape(%data, %shape) {allowzero = 2 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @squeeze_c1(%data: tensor<1x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.Squeeze(%data, %axes) : (tensor<1x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @unsqueeze_c1(%data: tensor<1x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.Unsqueeze(%data, %axes) : (tensor<1x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

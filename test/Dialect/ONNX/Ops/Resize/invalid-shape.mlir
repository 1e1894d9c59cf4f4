// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0 is float[2, 2, 3]}}
func.func @affinegrid_batches(%theta: tensor<2x2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[4]}}
  %size = onnx.Constant dense<[3, 1, 4, 5]> : tensor<4xi64>
  // expected-error @+1 {{expected the batches of 'theta' and 'size' to agree, but got 2 and 3}}
  %0 = onnx.AffineGrid(%theta, %size) : (tensor<2x2x3xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @below {{operand 0 is float[1, 1, 4, 4]}}
// expected-note @below {{operand 1 is float[2, 6, 6, 2]}}
func.func @gridsample_batches(%X: tensor<1x1x4x4xf32>, %grid: tensor<2x6x6x2xf32>) {
  // expected-error @+1 {{expected the batches of 'X' and 'grid' to agree, but got 1 and 2}}
  %0 = onnx.GridSample(%X, %grid) : (tensor<1x1x4x4xf32>, tensor<2x6x6x2xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 2]}}
func.func @resize_c9(%X: tensor<2x2xf32>) {
  // expected-note @+1 {{operand 1 is float[2]}}
  %scales = onnx.Constant dense<[1.0, 0.0]> : tensor<2xf32>
  // expected-error @+1 {{(C9) expected scales greater than 0, but got 0}}
  %0 = onnx.Resize(%X, _, %scales) : (tensor<2x2xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 2]}}
func.func @resize_c9_sizes(%X: tensor<2x2xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %sizes = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-error @+1 {{(C9) expected sizes of at least 0, but got -1}}
  %0 = onnx.Resize(%X, _, _, %sizes) : (tensor<2x2xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 2]}}
func.func @upsample_c3(%X: tensor<2x2xf32>) {
  // expected-note @+1 {{operand 1 is float[2]}}
  %scales = onnx.Constant dense<[1.0, -2.0]> : tensor<2xf32>
  // expected-error @+1 {{(C3) expected scales greater than 0, but got -2}}
  %0 = onnx.Upsample(%X, %scales) : (tensor<2x2xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0}}
func.func @averagepool_c5(%X: tensor<1x1x3xf32>) {
  // expected-error @+1 {{(C5) expected a window that fits into the padded size 3 of spatial axis 0, but got 5}}
  %0 = onnx.AveragePool(%X) {kernel_shape = array<i64: 5>} : (tensor<1x1x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @lppool_c6(%X: tensor<1x1x3xf32>) {
  // expected-error @+1 {{(C6) expected a window that fits into the padded size 3 of spatial axis 0, but got 5}}
  %0 = onnx.LpPool(%X) {kernel_shape = array<i64: 5>} : (tensor<1x1x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @maxpool_c5(%X: tensor<1x1x3xf32>) {
  // expected-error @+1 {{(C5) expected a window that fits into the padded size 3 of spatial axis 0, but got 5}}
  %0 = onnx.MaxPool(%X) {kernel_shape = array<i64: 5>} : (tensor<1x1x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @maxunpool_c5(%X: tensor<1x1x1xf32>, %I: tensor<1x1x1xi64>) {
  // expected-error @+1 {{(C5) expected a size for spatial axis 0 of the result, but got -2}}
  %0 = onnx.MaxUnpool(%X, %I) {kernel_shape = array<i64: 2>, pads = array<i64: 2, 2>}
      : (tensor<1x1x1xf32>, tensor<1x1x1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @maxunpool_batch(%X: tensor<1x1x1xf32>, %I: tensor<1x1x1xi64>) {
  // expected-note @+1 {{operand 2}}
  %shape = onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
  // expected-error @+1 {{expected batch and channels of 'X' and of 'output_shape' to agree, but got 1 and 2}}
  %0 = onnx.MaxUnpool(%X, %I, %shape) {kernel_shape = array<i64: 2>}
      : (tensor<1x1x1xf32>, tensor<1x1x1xi64>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @roialign_boxes(%X: tensor<1x1x4x4xf32>, %rois: tensor<?x4xf32, #onnx.dims<"2*k", "">>, %indices: tensor<3xi64>) {
  // expected-error @+1 {{expected the number of boxes and of 'batch_indices' to agree, but got 2*k and 3}}
  %0 = onnx.RoiAlign(%X, %rois, %indices)
      : (tensor<1x1x4x4xf32>, tensor<?x4xf32, #onnx.dims<"2*k", "">>, tensor<3xi64>) -> !onnx.unknown
  return
}

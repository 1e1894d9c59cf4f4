// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducel1_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceL1(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducel2_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceL2(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducelogsum_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceLogSum(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducelogsumexp_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceLogSumExp(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducemax_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceMax(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducemean_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceMean(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducemin_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceMin(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reduceprod_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceProd(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducesum_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceSum(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reducesumsquare_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected axes in [-2, 2), but got 2}}
  %0 = onnx.ReduceSumSquare(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @topk_c4(%X: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %K = onnx.Constant dense<4> : tensor<1xi64>
  // expected-error @+1 {{(C4) expected 'K' to be from 0 to 3, but got 4}}
  %0:2 = onnx.TopK(%X, %K) : (tensor<2x3xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reshape_c3(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[3]}}
  %shape = onnx.Constant dense<[2, 3, 0]> : tensor<3xi64>
  // expected-error @+1 {{(C3) expected 'data' to have an axis 2 to copy, but got rank 2}}
  %0 = onnx.Reshape(%data, %shape) : (tensor<2x3xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reshape_c4(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %shape = onnx.Constant dense<-1> : tensor<2xi64>
  // expected-error @+1 {{(C4) expected at most one size of -1, but got several}}
  %0 = onnx.Reshape(%data, %shape) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reshape_c4_negative(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %shape = onnx.Constant dense<[-2, -3]> : tensor<2xi64>
  // expected-error @+1 {{(C4) expected sizes from -1, but got -2}}
  %0 = onnx.Reshape(%data, %shape) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reshape_c5(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %shape = onnx.Constant dense<[2, 4]> : tensor<2xi64>
  // expected-error @+1 {{(C5) expected the shape to have 6 elements, as 'data' has, but got 8}}
  %0 = onnx.Reshape(%data, %shape) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// What is left over is not a whole number of rows.
// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @reshape_c5_rest(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %shape = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  // expected-error @+1 {{(C5) expected the shape to have 6 elements, as 'data' has, but got 4}}
  %0 = onnx.Reshape(%data, %shape) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[1, 3]}}
func.func @squeeze_c2(%data: tensor<1x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C2) expected different axes in [-2, 2), but got 2}}
  %0 = onnx.Squeeze(%data, %axes) : (tensor<1x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[1, 3]}}
func.func @squeeze_c2_twice(%data: tensor<1x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %axes = onnx.Constant dense<[0, -2]> : tensor<2xi64>
  // expected-error @+1 {{(C2) expected different axes in [-2, 2), but got -2}}
  %0 = onnx.Squeeze(%data, %axes) : (tensor<1x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[1, 3]}}
func.func @squeeze_c2_size(%data: tensor<1x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  // expected-error @+1 {{(C2) expected axis 1 to have size 1, but got 3}}
  %0 = onnx.Squeeze(%data, %axes) : (tensor<1x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @unsqueeze_c2(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %axes = onnx.Constant dense<-4> : tensor<1xi64>
  // expected-error @+1 {{(C2) expected different axes in [-3, 3), but got -4}}
  %0 = onnx.Unsqueeze(%data, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 3]}}
func.func @unsqueeze_c2_twice(%data: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %axes = onnx.Constant dense<[3, -1]> : tensor<2xi64>
  // expected-error @+1 {{(C2) expected different axes in [-4, 4), but got -1}}
  %0 = onnx.Unsqueeze(%data, %axes) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

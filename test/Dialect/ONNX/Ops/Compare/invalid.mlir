// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @equal_c1(%A: tensor<2x3xf32>, %B: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Equal(%A, %B) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @greater_c1(%A: tensor<2x3xf32>, %B: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Greater(%A, %B) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @greaterorequal_c1(%A: tensor<2x3xf32>, %B: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.GreaterOrEqual(%A, %B) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @less_c1(%A: tensor<2x3xf32>, %B: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.Less(%A, %B) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lessorequal_c1(%A: tensor<2x3xf32>, %B: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<2xf32>}}
  %0 = onnx.LessOrEqual(%A, %B) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @isinf_c1(%X: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'detect_positive' to be one of 0, 1, but got 2}}
  %0 = onnx.IsInf(%X) {detect_positive = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @where_c1(%condition: tensor<2xi1>, %X: tensor<3xf32>, %Y: tensor<f32>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<3xf32>}}
  %0 = onnx.Where(%condition, %X, %Y)
      : (tensor<2xi1>, tensor<3xf32>, tensor<f32>) -> !onnx.unknown
  return
}

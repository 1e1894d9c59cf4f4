// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

func.func @constantofshape_c4() {
  // expected-note @+1 {{operand 0 is int64[2]}}
  %input = onnx.Constant dense<[2, -3]> : tensor<2xi64>
  // expected-error @+1 {{(C4) expected the entries of 'input' to be at least 0, but got -3}}
  %0 = onnx.ConstantOfShape(%input) : (tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0 is int64[2]}}
// expected-note @+1 {{operand 2 is float[2]}}
func.func @onehot_c4(%indices: tensor<2xi64>, %values: tensor<2xf32>) {
  // expected-note @+1 {{operand 1 is int64[]}}
  %depth = onnx.Constant dense<-1> : tensor<i64>
  // expected-error @+1 {{(C4) expected the entries of 'depth' to be at least 0, but got -1}}
  %0 = onnx.OneHot(%indices, %depth, %values)
      : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0 is int64[]}}
// expected-note @+1 {{operand 1 is int64[]}}
func.func @range_c3(%start: tensor<i64>, %limit: tensor<i64>) {
  // expected-note @+1 {{operand 2 is int64[]}}
  %delta = onnx.Constant dense<0> : tensor<i64>
  // expected-error @+1 {{(C3) expected 'delta' not to be 0, but got 0}}
  %0 = onnx.Range(%start, %limit, %delta)
      : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0 is float[]}}
// expected-note @+1 {{operand 1 is float[]}}
func.func @range_c3_b(%start: tensor<f32>, %limit: tensor<f32>) {
  // expected-note @+1 {{operand 2 is float[]}}
  %delta = onnx.Constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{(C3) expected 'delta' not to be 0, but got 0}}
  %0 = onnx.Range(%start, %limit, %delta)
      : (tensor<f32>, tensor<f32>, tensor<f32>) -> !onnx.unknown
  return
}

// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0 is float[6]}}
func.func @slice_c2(%data: tensor<6xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %starts = onnx.Constant dense<0> : tensor<1xi64>
  // expected-note @+1 {{operand 2 is int64[1]}}
  %ends = onnx.Constant dense<3> : tensor<1xi64>
  // expected-note @+1 {{operand 3 is int64[1]}}
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  // expected-error @+1 {{(C2) expected axes in [-1, 1), but got 1}}
  %0 = onnx.Slice(%data, %starts, %ends, %axes)
      : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[6, 4]}}
func.func @slice_c2_b(%data: tensor<6x4xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %starts = onnx.Constant dense<0> : tensor<2xi64>
  // expected-note @+1 {{operand 2 is int64[2]}}
  %ends = onnx.Constant dense<3> : tensor<2xi64>
  // expected-note @+1 {{operand 3 is int64[2]}}
  %axes = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  // expected-error @+1 {{(C2) expected different axes, but got 1 twice}}
  %0 = onnx.Slice(%data, %starts, %ends, %axes)
      : (tensor<6x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[6]}}
func.func @slice_c2_c(%data: tensor<6xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %starts = onnx.Constant dense<0> : tensor<2xi64>
  // expected-note @+1 {{operand 2 is int64[2]}}
  %ends = onnx.Constant dense<3> : tensor<2xi64>
  // expected-error @+1 {{(C2) expected at most 1 axes, but got 2}}
  %0 = onnx.Slice(%data, %starts, %ends)
      : (tensor<6xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[6]}}
func.func @slice_c3(%data: tensor<6xf32>) {
  // expected-note @+1 {{operand 1 is int64[1]}}
  %starts = onnx.Constant dense<0> : tensor<1xi64>
  // expected-note @+1 {{operand 2 is int64[1]}}
  %ends = onnx.Constant dense<3> : tensor<1xi64>
  // expected-note @+1 {{operand 3 is int64[1]}}
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  // expected-note @+1 {{operand 4 is int64[1]}}
  %steps = onnx.Constant dense<0> : tensor<1xi64>
  // expected-error @+1 {{(C3) expected steps other than 0, but got 0}}
  %0 = onnx.Slice(%data, %starts, %ends, %axes, %steps)
      : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[6]}}
func.func @split_c4(%input: tensor<6xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %split = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @+1 {{(C4) expected parts that add up to 6, but got 5}}
  %0:2 = onnx.Split(%input, %split)
      : (tensor<6xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// expected-note @+1 {{operand 0 is float[6]}}
func.func @split_c4_b(%input: tensor<6xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %split = onnx.Constant dense<[8, -2]> : tensor<2xi64>
  // expected-error @+1 {{(C4) expected the entries of 'split' to be at least 0, but got -2}}
  %0:2 = onnx.Split(%input, %split)
      : (tensor<6xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @centercroppad_c1(%input_data: tensor<20x10x3xf32>, %shape: tensor<2xi64>) {
  // expected-error @+1 {{(C1) expected the axes of 'axes' to be distinct, but got -1 twice}}
  %0 = onnx.CenterCropPad(%input_data, %shape) {axes = array<i64: 2, -1>}
      : (tensor<20x10x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @centercroppad_c2(%input_data: tensor<20x10x3xf32>, %shape: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected 'shape' to have 3 entries, but got 2}}
  %0 = onnx.CenterCropPad(%input_data, %shape)
      : (tensor<20x10x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @compress_c1(%input: tensor<3x2xf32>, %condition: tensor<3xi1>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.Compress(%input, %condition) {axis = 2 : i64}
      : (tensor<3x2xf32>, tensor<3xi1>) -> !onnx.unknown
  return
}

// -----

func.func @slice_c1(%data: tensor<20x10xf32>, %starts: tensor<2xi64>,
                    %ends: tensor<1xi64>) {
  // expected-error @+1 {{(C1) expected 'ends' to have 2 entries, but got 1}}
  %0 = onnx.Slice(%data, %starts, %ends)
      : (tensor<20x10xf32>, tensor<2xi64>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @split_c1(%input: tensor<2x6xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0:2 = onnx.Split(%input) {axis = 2 : i64}
      : (tensor<2x6xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @split_c2(%input: tensor<6xf32>, %split: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected only one of 'split' and 'num_outputs', but got both}}
  %0:2 = onnx.Split(%input, %split) {num_outputs = 2 : i64}
      : (tensor<6xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @split_c3(%input: tensor<6xf32>) {
  // expected-error @+1 {{(C3) expected 'num_outputs' to be one of 2, but got 3}}
  %0:2 = onnx.Split(%input) {num_outputs = 3 : i64}
      : (tensor<6xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @split_c3_b(%input: tensor<6xf32>, %split: tensor<3xi64>) {
  // expected-error @+1 {{(C3) expected 'split' to have 2 entries, but got 3}}
  %0:2 = onnx.Split(%input, %split)
      : (tensor<6xf32>, tensor<3xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @trilu_c1(%input: tensor<4xi64>) {
  // expected-error @+1 {{(C1) expected 'input' to have at least rank 2, but got 1}}
  %0 = onnx.Trilu(%input) : (tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @trilu_c2(%input: tensor<4x4xi64>, %k: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected 'k' to have one element, but got tensor<2xi64>}}
  %0 = onnx.Trilu(%input, %k) : (tensor<4x4xi64>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @trilu_c3(%input: tensor<4x4xi64>) {
  // expected-error @+1 {{(C3) expected 'upper' to be one of 0, 1, but got 2}}
  %0 = onnx.Trilu(%input) {upper = 2 : i64} : (tensor<4x4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @unique_c1(%X: tensor<3x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got -3}}
  %0 = onnx.Unique(%X) {axis = -3 : i64} : (tensor<3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @unique_c2(%X: tensor<3x3xf32>) {
  // expected-error @+1 {{(C2) expected 'sorted' to be one of 0, 1, but got 2}}
  %0 = onnx.Unique(%X) {sorted = 2 : i64} : (tensor<3x3xf32>) -> !onnx.unknown
  return
}

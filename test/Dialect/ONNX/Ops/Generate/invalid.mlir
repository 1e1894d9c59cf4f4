// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @constantofshape_c1(%input: tensor<1x3xi64>) {
  // expected-error @+1 {{(C1) expected 'input' to be a vector, but got rank 2}}
  %0 = onnx.ConstantOfShape(%input) : (tensor<1x3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @constantofshape_c2(%input: tensor<3xi64>) {
  // expected-error @+1 {{(C2) expected 'value' to have one element, but got 2}}
  %0 = onnx.ConstantOfShape(%input) {value = dense<1> : tensor<2xi64>}
      : (tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @constantofshape_c3(%input: tensor<3xi64>) {
  // expected-error @+1 {{(C3) expected 'output' to be f32, but got i64}}
  %0 = onnx.ConstantOfShape(%input) : (tensor<3xi64>) -> tensor<*xi64>
  return
}

// -----

func.func @eyelike_c1(%input: tensor<4x5x6xi32>) {
  // expected-error @+1 {{(C1) expected 'input' to have rank 2, but got 3}}
  %0 = onnx.EyeLike(%input) : (tensor<4x5x6xi32>) -> !onnx.unknown
  return
}

// -----

func.func @eyelike_c2(%input: tensor<4x5xi32>) {
  // expected-error @+1 {{(C2) expected 'dtype' to be the number of a data type, but got 0}}
  %0 = onnx.EyeLike(%input) {dtype = 0 : i64} : (tensor<4x5xi32>) -> !onnx.unknown
  return
}

// -----

func.func @onehot_c1(%indices: tensor<2x3xi64>, %depth: tensor<i64>,
                     %values: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-3, 2], but got 3}}
  %0 = onnx.OneHot(%indices, %depth, %values) {axis = 3 : i64}
      : (tensor<2x3xi64>, tensor<i64>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @onehot_c2(%indices: tensor<2x3xi64>, %depth: tensor<2xi64>,
                     %values: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'depth' to have one element, but got tensor<2xi64>}}
  %0 = onnx.OneHot(%indices, %depth, %values)
      : (tensor<2x3xi64>, tensor<2xi64>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @onehot_c3(%indices: tensor<2x3xi64>, %depth: tensor<i64>,
                     %values: tensor<3xf32>) {
  // expected-error @+1 {{(C3) expected 'values' to have 2 entries, but got 3}}
  %0 = onnx.OneHot(%indices, %depth, %values)
      : (tensor<2x3xi64>, tensor<i64>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @range_c1(%start: tensor<i64>, %limit: tensor<2xi64>, %delta: tensor<i64>) {
  // expected-error @+1 {{(C1) expected 'limit' to have one element, but got tensor<2xi64>}}
  %0 = onnx.Range(%start, %limit, %delta)
      : (tensor<i64>, tensor<2xi64>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

func.func @range_c2(%start: tensor<f16>, %limit: tensor<f16>, %delta: tensor<f16>) {
  // expected-error @+1 {{(C2) expected 'stash_type' to be one of 1, 10, 11, 16, but got 7}}
  %0 = onnx.Range(%start, %limit, %delta) {stash_type = 7 : i64}
      : (tensor<f16>, tensor<f16>, tensor<f16>) -> !onnx.unknown
  return
}

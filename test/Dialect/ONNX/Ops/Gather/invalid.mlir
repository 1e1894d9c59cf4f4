// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @gather_c1(%data: tensor<3x4xf32>, %indices: tensor<2xi64>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.Gather(%data, %indices) {axis = 2 : i64}
      : (tensor<3x4xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @gatherelements_c1(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got -3}}
  %0 = onnx.GatherElements(%data, %indices) {axis = -3 : i64}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @gatherelements_c2(%data: tensor<3x4xf32>, %indices: tensor<3xi64>) {
  // expected-error @+1 {{(C2) expected 'indices' to have the rank of 'data', 2, but got 1}}
  %0 = onnx.GatherElements(%data, %indices)
      : (tensor<3x4xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @gathernd_c1(%data: tensor<3x4xf32>, %indices: tensor<i64>) {
  // expected-error @+1 {{(C1) expected 'indices' to have at least rank 1, but got 0}}
  %0 = onnx.GatherND(%data, %indices) : (tensor<3x4xf32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

func.func @gathernd_c2(%data: tensor<3x4xf32>, %indices: tensor<3x4x1xi64>) {
  // expected-error @+1 {{(C2) expected 'batch_dims' to be less than the rank 2, but got 2}}
  %0 = onnx.GatherND(%data, %indices) {batch_dims = 2 : i64}
      : (tensor<3x4xf32>, tensor<3x4x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @gathernd_c2_b(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>) {
  // expected-error @+1 {{(C2) expected 'batch_dims' to be at least 0, but got -9223372036854775808}}
  %0 = onnx.GatherND(%data, %indices) {batch_dims = -9223372036854775808 : i64}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @gathernd_c3(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>) {
  // expected-error @+1 {{(C3) expected indices of at most 1 elements, but got 2}}
  %0 = onnx.GatherND(%data, %indices) {batch_dims = 1 : i64}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @nonmaxsuppression_c1(%boxes: tensor<1x6x4xf32>, %scores: tensor<1x1x6xf32>) {
  // expected-error @+1 {{(C1) expected 'center_point_box' to be one of 0, 1, but got 2}}
  %0 = onnx.NonMaxSuppression(%boxes, %scores) {center_point_box = 2 : i64}
      : (tensor<1x6x4xf32>, tensor<1x1x6xf32>) -> !onnx.unknown
  return
}

// -----

func.func @nonmaxsuppression_c2(%boxes: tensor<1x6x5xf32>, %scores: tensor<1x1x6xf32>) {
  // expected-error @+1 {{(C2) expected axis 2 of 'boxes' to have size 4, but got 5}}
  %0 = onnx.NonMaxSuppression(%boxes, %scores)
      : (tensor<1x6x5xf32>, tensor<1x1x6xf32>) -> !onnx.unknown
  return
}

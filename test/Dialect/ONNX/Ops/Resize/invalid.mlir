// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @affinegrid_c1(%theta: tensor<2x2x3xf32>, %size: tensor<4xi64>) {
  // expected-error @+1 {{(C1) expected 'align_corners' to be one of 0, 1, but got 2}}
  %0 = onnx.AffineGrid(%theta, %size) {align_corners = 2 : i64}
      : (tensor<2x2x3xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @affinegrid_c2(%theta: tensor<2x3xf32>, %size: tensor<4xi64>) {
  // expected-error @+1 {{(C2) expected 'theta' to have rank 3, but got 2}}
  %0 = onnx.AffineGrid(%theta, %size) : (tensor<2x3xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @affinegrid_c3(%theta: tensor<2x2x3xf32>, %size: tensor<3xi64>) {
  // expected-error @+1 {{(C3) expected 'size' to have 4 or 5 elements, but got 3}}
  %0 = onnx.AffineGrid(%theta, %size)
      : (tensor<2x2x3xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @affinegrid_c3_scalar(%theta: tensor<2x2x3xf32>, %size: tensor<i64>) {
  // expected-error @+1 {{(C3) expected 'size' to have 4 or 5 elements, but got 1}}
  %0 = onnx.AffineGrid(%theta, %size) : (tensor<2x2x3xf32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

func.func @gridsample_c1(%X: tensor<1x1x4x4xf32>, %grid: tensor<1x6x6x2xf32>) {
  // expected-error @+1 {{(C1) expected 'mode' to be one of 'linear', 'nearest', 'cubic', but got 'bicubic'}}
  %0 = onnx.GridSample(%X, %grid) {mode = "bicubic"}
      : (tensor<1x1x4x4xf32>, tensor<1x6x6x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @gridsample_c2(%X: tensor<1x1x4x4xf32>, %grid: tensor<1x6x6x2xf32>) {
  // expected-error @+1 {{(C2) expected 'padding_mode' to be one of 'zeros', 'border', 'reflection', but got 'wrap'}}
  %0 = onnx.GridSample(%X, %grid) {padding_mode = "wrap"}
      : (tensor<1x1x4x4xf32>, tensor<1x6x6x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @gridsample_c3(%X: tensor<1x1x4x4xf32>, %grid: tensor<1x6x6x2xf32>) {
  // expected-error @+1 {{(C3) expected 'align_corners' to be one of 0, 1, but got -1}}
  %0 = onnx.GridSample(%X, %grid) {align_corners = -1 : i64}
      : (tensor<1x1x4x4xf32>, tensor<1x6x6x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @gridsample_c4(%X: tensor<1x1x4x4xf32>, %grid: tensor<1x6x6x3xf32>) {
  // expected-error @+1 {{(C4) expected axis -1 of 'grid' to have size 2, but got 3}}
  %0 = onnx.GridSample(%X, %grid)
      : (tensor<1x1x4x4xf32>, tensor<1x6x6x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @gridsample_c5(%X: tensor<1x4xf32>, %grid: tensor<1x2xf32>) {
  // expected-error @+1 {{(C5) expected 'X' to have at least rank 3, but got 2}}
  %0 = onnx.GridSample(%X, %grid) : (tensor<1x4xf32>, tensor<1x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c1(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>) {
  // expected-error @+1 {{(C1) expected 'mode' to be one of 'nearest', 'linear', 'cubic', but got 'area'}}
  %0 = onnx.Resize(%X, _, %scales) {mode = "area"}
      : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c2(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>) {
  // expected-error @+1 {{(C2) expected 'coordinate_transformation_mode' to be one of}}
  %0 = onnx.Resize(%X, _, %scales) {coordinate_transformation_mode = "centered"}
      : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c3(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>) {
  // expected-error @+1 {{(C3) expected 'nearest_mode' to be one of 'round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil', but got 'round'}}
  %0 = onnx.Resize(%X, _, %scales) {nearest_mode = "round"}
      : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c4(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>) {
  // expected-error @+1 {{(C4) expected 'keep_aspect_ratio_policy' to be one of 'stretch', 'not_larger', 'not_smaller', but got 'fit'}}
  %0 = onnx.Resize(%X, _, %scales) {keep_aspect_ratio_policy = "fit"}
      : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c5(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>) {
  // expected-error @+1 {{(C5) expected 'antialias' to be one of 0, 1, but got 2}}
  %0 = onnx.Resize(%X, _, %scales) {antialias = 2 : i64}
      : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c6(%X: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{(C6) expected 'scales' or 'sizes', but got neither}}
  %0 = onnx.Resize(%X) : (tensor<1x1x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c6_b(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>,
                       %sizes: tensor<4xi64>) {
  // expected-error @+1 {{(C6) expected only one of 'scales' and 'sizes', but got both}}
  %0 = onnx.Resize(%X, _, %scales, %sizes)
      : (tensor<1x1x2x2xf32>, tensor<4xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c7(%X: tensor<1x1x2x2xf32>, %scales: tensor<2xf32>) {
  // expected-error @+1 {{(C7) expected 'axes' to be in [-4, 4), but got 4}}
  %0 = onnx.Resize(%X, _, %scales) {axes = array<i64: 2, 4>}
      : (tensor<1x1x2x2xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c8(%X: tensor<1x1x2x2xf32>, %scales: tensor<2xf32>) {
  // expected-error @+1 {{(C8) expected 'scales' to have 4 entries, but got 2}}
  %0 = onnx.Resize(%X, _, %scales) : (tensor<1x1x2x2xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @resize_c8_axes(%X: tensor<1x1x2x2xf32>, %sizes: tensor<3xi64>) {
  // expected-error @+1 {{(C8) expected 'sizes' to have 2 entries, but got 3}}
  %0 = onnx.Resize(%X, _, _, %sizes) {axes = array<i64: 2, 3>}
      : (tensor<1x1x2x2xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @upsample_c1(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>) {
  // expected-error @+1 {{(C1) expected 'mode' to be one of 'nearest', 'linear', 'cubic', but got 'area'}}
  %0 = onnx.Upsample(%X, %scales) {mode = "area"}
      : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @upsample_c2(%X: tensor<1x1x2x2xf32>, %scales: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'scales' to have 4 entries, but got 2}}
  %0 = onnx.Upsample(%X, %scales) : (tensor<1x1x2x2xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @averagepool_c1(%X: tensor<1x3x8x8xf32>) {
  // expected-error @+1 {{(C1) expected 'auto_pad' to be one of 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID', but got 'FULL'}}
  %0 = onnx.AveragePool(%X) {auto_pad = "FULL", kernel_shape = array<i64: 2, 2>}
      : (tensor<1x3x8x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lppool_c1(%X: tensor<1x3x8x8xf32>) {
  // expected-error @+1 {{(C1) expected 'auto_pad' to be one of 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID', but got 'FULL'}}
  %0 = onnx.LpPool(%X) {auto_pad = "FULL", kernel_shape = array<i64: 2, 2>}
      : (tensor<1x3x8x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @maxpool_c1(%X: tensor<1x3x8x8xf32>) {
  // expected-error @+1 {{(C1) expected 'auto_pad' to be one of 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID', but got 'FULL'}}
  %0 = onnx.MaxPool(%X) {auto_pad = "FULL", kernel_shape = array<i64: 2, 2>}
      : (tensor<1x3x8x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @averagepool_c2(%X: tensor<1x3x8x8xf32>) {
  // expected-error @+1 {{(C2) expected entries of 'kernel_shape' to be at least 1, but got 0}}
  %0 = onnx.AveragePool(%X) {kernel_shape = array<i64: 2, 0>}
      : (tensor<1x3x8x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lppool_c2(%X: tensor<1x3x8x8xf32>) {
  // expected-error @+1 {{(C2) expected entries of 'kernel_shape' to be at least 1, but got 0}}
  %0 = onnx.LpPool(%X) {kernel_shape = array<i64: 2, 0>}
      : (tensor<1x3x8x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @maxpool_c2(%X: tensor<1x3x8x8xf32>) {
  // expected-error @+1 {{(C2) expected entries of 'kernel_shape' to be at least 1, but got 0}}
  %0 = onnx.MaxPool(%X) {kernel_shape = array<i64: 2, 0>}
      : (tensor<1x3x8x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @averagepool_c3(%X: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C3) expected 'kernel_shape' to have 1 entry, but got 2}}
  %0 = onnx.AveragePool(%X) {kernel_shape = array<i64: 2, 2>}
      : (tensor<1x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lppool_c3(%X: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C3) expected 'kernel_shape' to have 1 entry, but got 2}}
  %0 = onnx.LpPool(%X) {kernel_shape = array<i64: 2, 2>}
      : (tensor<1x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @maxpool_c3(%X: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C3) expected 'kernel_shape' to have 1 entry, but got 2}}
  %0 = onnx.MaxPool(%X) {kernel_shape = array<i64: 2, 2>}
      : (tensor<1x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @averagepool_c4(%X: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C4) expected 'ceil_mode' to be one of 0, 1, but got 2}}
  %0 = onnx.AveragePool(%X) {ceil_mode = 2 : i64, kernel_shape = array<i64: 2>}
      : (tensor<1x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lppool_c4(%X: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C4) expected 'ceil_mode' to be one of 0, 1, but got 2}}
  %0 = onnx.LpPool(%X) {ceil_mode = 2 : i64, kernel_shape = array<i64: 2>}
      : (tensor<1x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @maxpool_c4(%X: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C4) expected 'ceil_mode' to be one of 0, 1, but got 2}}
  %0 = onnx.MaxPool(%X) {ceil_mode = 2 : i64, kernel_shape = array<i64: 2>}
      : (tensor<1x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lppool_c5(%X: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C5) expected 'p' to be at least 1, but got 0}}
  %0 = onnx.LpPool(%X) {kernel_shape = array<i64: 2>, p = 0 : i64}
      : (tensor<1x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @globallppool_c1(%X: tensor<1x3x8xf32>) {
  // expected-error @+1 {{(C1) expected 'p' to be at least 1, but got -1}}
  %0 = onnx.GlobalLpPool(%X) {p = -1 : i64} : (tensor<1x3x8xf32>) -> !onnx.unknown
  return
}

// -----

func.func @maxroipool_c1(%X: tensor<1x3x8x8xf32>, %rois: tensor<4x5xf32>) {
  // expected-error @+1 {{(C1) expected 'pooled_shape' to have 2 entries, but got 3}}
  %0 = onnx.MaxRoiPool(%X, %rois) {pooled_shape = array<i64: 2, 2, 2>}
      : (tensor<1x3x8x8xf32>, tensor<4x5xf32>) -> !onnx.unknown
  return
}

// -----

func.func @maxroipool_c2(%X: tensor<1x3x8x8xf32>, %rois: tensor<4x4xf32>) {
  // expected-error @+1 {{(C2) expected axis 1 of 'rois' to have size 5, but got 4}}
  %0 = onnx.MaxRoiPool(%X, %rois) {pooled_shape = array<i64: 2, 2>}
      : (tensor<1x3x8x8xf32>, tensor<4x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @maxunpool_c1(%X: tensor<1x1x2x2xf32>, %I: tensor<1x1x2x2xi64>) {
  // expected-error @+1 {{(C1) expected entries of 'kernel_shape' to be at least 1, but got 0}}
  %0 = onnx.MaxUnpool(%X, %I) {kernel_shape = array<i64: 0, 2>}
      : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @maxunpool_c2(%X: tensor<1x1x2x2xf32>, %I: tensor<1x1x2x2xi64>) {
  // expected-error @+1 {{(C2) expected 'strides' to have 2 entries, but got 1}}
  %0 = onnx.MaxUnpool(%X, %I) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2>}
      : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @maxunpool_c3(%X: tensor<1x1x2x2xf32>, %I: tensor<1x2x2xi64>) {
  // expected-error @+1 {{(C3) expected 'I' to have the rank of 'X', 4, but got 3}}
  %0 = onnx.MaxUnpool(%X, %I) {kernel_shape = array<i64: 2, 2>}
      : (tensor<1x1x2x2xf32>, tensor<1x2x2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @roialign_c1(%X: tensor<1x3x8x8xf32>, %rois: tensor<4x4xf32>,
                       %batch_indices: tensor<4xi64>) {
  // expected-error @+1 {{(C1) expected 'mode' to be one of 'avg', 'max', but got 'min'}}
  %0 = onnx.RoiAlign(%X, %rois, %batch_indices) {mode = "min"}
      : (tensor<1x3x8x8xf32>, tensor<4x4xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @roialign_c2(%X: tensor<1x3x8x8xf32>, %rois: tensor<4x4xf32>,
                       %batch_indices: tensor<4xi64>) {
  // expected-error @+1 {{(C2) expected 'coordinate_transformation_mode' to be one of 'half_pixel', 'output_half_pixel', but got 'pixel'}}
  %0 = onnx.RoiAlign(%X, %rois, %batch_indices) {coordinate_transformation_mode = "pixel"}
      : (tensor<1x3x8x8xf32>, tensor<4x4xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @roialign_c3(%X: tensor<1x3x8x8xf32>, %rois: tensor<4x4xf32>,
                       %batch_indices: tensor<4xi64>) {
  // expected-error @+1 {{(C3) expected 'output_width' to be at least 1, but got 0}}
  %0 = onnx.RoiAlign(%X, %rois, %batch_indices) {output_width = 0 : i64}
      : (tensor<1x3x8x8xf32>, tensor<4x4xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @roialign_c4(%X: tensor<1x3x8x8xf32>, %rois: tensor<4x4xf32>,
                       %batch_indices: tensor<3xi64>) {
  // expected-error @+1 {{(C4) expected 'batch_indices' to have 4 entries, but got 3}}
  %0 = onnx.RoiAlign(%X, %rois, %batch_indices)
      : (tensor<1x3x8x8xf32>, tensor<4x4xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @maxpool_c3_kernel(%X: tensor<1x1x4xf32>) {
  // expected-error @+1 {{(C3) expected 'kernel_shape' to have 1 entry, but got 0}}
  %0 = onnx.MaxPool(%X) {kernel_shape = array<i64>} : (tensor<1x1x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @maxunpool_c4(%X: tensor<1x1x4xf32>, %I: tensor<1x1x4xi64>, %sizes: tensor<1xi64>) {
  // expected-error @+1 {{(C4) expected 'output_shape' to have 3 entries, but got 1}}
  %0 = onnx.MaxUnpool(%X, %I, %sizes) {kernel_shape = array<i64: 2>}
      : (tensor<1x1x4xf32>, tensor<1x1x4xi64>, tensor<1xi64>) -> !onnx.unknown
  return
}

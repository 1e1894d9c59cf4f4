// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @batchnormalization_c1(%X: tensor<2x3xf32>, %scale: tensor<3xf32>,
                                 %B: tensor<3xf32>, %mean: tensor<3xf32>,
                                 %var: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected 'training_mode' to be one of 0, 1, but got 2}}
  %0 = onnx.BatchNormalization(%X, %scale, %B, %mean, %var) {training_mode = 2 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> !onnx.unknown
  return
}

// -----

func.func @batchnormalization_c2(%X: tensor<2x3xf32>, %scale: tensor<3xf32>,
                                 %B: tensor<3xf32>, %mean: tensor<3xf32>,
                                 %var: tensor<4xf32>) {
  // expected-error @+1 {{(C2) expected 'input_var' to have 3 entries, but got 4}}
  %0 = onnx.BatchNormalization(%X, %scale, %B, %mean, %var)
      : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>)
      -> !onnx.unknown
  return
}

// -----

func.func @dropout_c1(%data: tensor<2x3xf32>, %ratio: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'ratio' to have one element, but got tensor<2xf32>}}
  %0 = onnx.Dropout(%data, %ratio) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @groupnormalization_c1(%X: tensor<2x4xf32>, %scale: tensor<4xf32>,
                                 %bias: tensor<4xf32>) {
  // expected-error @+1 {{(C1) expected 'num_groups' to divide the 4 channels, but got 3}}
  %0 = onnx.GroupNormalization(%X, %scale, %bias) {num_groups = 3 : i64}
      : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @groupnormalization_c2(%X: tensor<2x4xf32>, %scale: tensor<2xf32>,
                                 %bias: tensor<4xf32>) {
  // expected-error @+1 {{(C2) expected 'scale' to have 4 entries, but got 2}}
  %0 = onnx.GroupNormalization(%X, %scale, %bias) {num_groups = 2 : i64}
      : (tensor<2x4xf32>, tensor<2xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @groupnormalization_c3(%X: tensor<2x4xf32>, %scale: tensor<4xf32>,
                                 %bias: tensor<4xf32>) {
  // expected-error @+1 {{(C3) expected 'stash_type' to be one of 1, 10, 11, 16, but got 7}}
  %0 = onnx.GroupNormalization(%X, %scale, %bias)
      {num_groups = 2 : i64, stash_type = 7 : i64}
      : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @instancenormalization_c1(%input: tensor<2x3x4xf32>, %scale: tensor<3xf32>,
                                    %B: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'B' to have 3 entries, but got 2}}
  %0 = onnx.InstanceNormalization(%input, %scale, %B)
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lrn_c1(%X: tensor<2x3x4x4xf32>) {
  // expected-error @+1 {{(C1) expected 'size' to be at least 1, but got 0}}
  %0 = onnx.LRN(%X) {size = 0 : i64} : (tensor<2x3x4x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @layernormalization_c1(%X: tensor<2x3xf32>, %Scale: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.LayerNormalization(%X, %Scale) {axis = 2 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @layernormalization_c2(%X: tensor<2x3xf32>, %Scale: tensor<3xf32>) {
  // expected-error @+1 {{(C2) expected 'stash_type' to be one of 1, 10, 11, 16, but got 0}}
  %0 = onnx.LayerNormalization(%X, %Scale) {stash_type = 0 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lpnormalization_c1(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.LpNormalization(%input) {axis = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lpnormalization_c2(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'p' to be one of 1, 2, but got 3}}
  %0 = onnx.LpNormalization(%input) {p = 3 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @meanvariancenormalization_c1(%X: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected the axes of 'axes' to be distinct, but got 1 twice}}
  %0 = onnx.MeanVarianceNormalization(%X) {axes = array<i64: 1, 1>}
      : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @rmsnormalization_c1(%X: tensor<2x3xf32>, %scale: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got -3}}
  %0 = onnx.RMSNormalization(%X, %scale) {axis = -3 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @rmsnormalization_c2(%X: tensor<2x3xf32>, %scale: tensor<3xf32>) {
  // expected-error @+1 {{(C2) expected 'stash_type' to be one of 1, 10, 11, 16, but got 6}}
  %0 = onnx.RMSNormalization(%X, %scale) {stash_type = 6 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
  return
}

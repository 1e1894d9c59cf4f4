// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @scatter_c1(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>,
                      %updates: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.Scatter(%data, %indices, %updates) {axis = 2 : i64}
      : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @scatterelements_c1(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>,
                              %updates: tensor<3x2xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.ScatterElements(%data, %indices, %updates) {axis = 2 : i64}
      : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @scatter_c2(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>,
                      %updates: tensor<3x3xf32>) {
  // expected-error @+1 {{(C2) expected axis 1 of 'updates' to have size 2, but got 3}}
  %0 = onnx.Scatter(%data, %indices, %updates)
      : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @scatterelements_c2(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>,
                              %updates: tensor<3x3xf32>) {
  // expected-error @+1 {{(C2) expected axis 1 of 'updates' to have size 2, but got 3}}
  %0 = onnx.ScatterElements(%data, %indices, %updates)
      : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @scatterelements_c3(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>,
                              %updates: tensor<3x2xf32>) {
  // expected-error @+1 {{(C3) expected 'reduction' to be one of 'none', 'add', 'mul', 'max', 'min', but got 'sub'}}
  %0 = onnx.ScatterElements(%data, %indices, %updates) {reduction = "sub"}
      : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @scatternd_c1(%data: tensor<f32>, %indices: tensor<1xi64>,
                        %updates: tensor<f32>) {
  // expected-error @+1 {{(C1) expected 'data' to have at least rank 1, but got 0}}
  %0 = onnx.ScatterND(%data, %indices, %updates)
      : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> !onnx.unknown
  return
}

// -----

func.func @scatternd_c2(%data: tensor<4x4xf32>, %indices: tensor<2x3xi64>,
                        %updates: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected indices of at most 2 elements, but got 3}}
  %0 = onnx.ScatterND(%data, %indices, %updates)
      : (tensor<4x4xf32>, tensor<2x3xi64>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @scatternd_c2_b(%data: tensor<4x4xf32>, %indices: tensor<2x1xi64>,
                          %updates: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'updates' to have rank 2, but got 1}}
  %0 = onnx.ScatterND(%data, %indices, %updates)
      : (tensor<4x4xf32>, tensor<2x1xi64>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @scatternd_c3(%data: tensor<4x4xf32>, %indices: tensor<2x1xi64>,
                        %updates: tensor<2x4xf32>) {
  // expected-error @+1 {{(C3) expected 'reduction' to be one of 'none', 'add', 'mul', 'max', 'min', but got 'sum'}}
  %0 = onnx.ScatterND(%data, %indices, %updates) {reduction = "sum"}
      : (tensor<4x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @tensorscatter_c1(%past_cache: tensor<2x8x4xf32>, %update: tensor<2x1x4xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' not to be the batch, but got -3}}
  %0 = onnx.TensorScatter(%past_cache, %update) {axis = -3 : i64}
      : (tensor<2x8x4xf32>, tensor<2x1x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @tensorscatter_c2(%past_cache: tensor<2x8x4xf32>, %update: tensor<2x4xf32>) {
  // expected-error @+1 {{(C2) expected 'update' to have the rank of 'past_cache', 3, but got 2}}
  %0 = onnx.TensorScatter(%past_cache, %update)
      : (tensor<2x8x4xf32>, tensor<2x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @tensorscatter_c3(%past_cache: tensor<2x8x4xf32>, %update: tensor<2x1x4xf32>) {
  // expected-error @+1 {{(C3) expected 'mode' to be one of 'linear', 'circular', but got 'ring'}}
  %0 = onnx.TensorScatter(%past_cache, %update) {mode = "ring"}
      : (tensor<2x8x4xf32>, tensor<2x1x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @tensorscatter_c4(%past_cache: tensor<2x8x4xf32>, %update: tensor<2x1x4xf32>, %write_indices: tensor<2x1xi64>) {
  // expected-error @+1 {{(C4) expected 'write_indices' to be a vector, but got rank 2}}
  %0 = onnx.TensorScatter(%past_cache, %update, %write_indices)
      : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2x1xi64>) -> !onnx.unknown
  return
}

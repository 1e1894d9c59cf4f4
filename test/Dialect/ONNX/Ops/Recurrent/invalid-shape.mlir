// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @lstm_features(%X: tensor<7x2x?xf32, #onnx.dims<"", "", "2*i">>, %W: tensor<1x12x5xf32>, %R: tensor<1x12x3xf32>) {
  // expected-error @+1 {{expected the features of 'X' and the columns of 'W' to agree, but got 2*i and 5}}
  %0 = onnx.LSTM(%X, %W, %R)
      : (tensor<7x2x?xf32, #onnx.dims<"", "", "2*i">>, tensor<1x12x5xf32>, tensor<1x12x3xf32>)
      -> !onnx.unknown
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @gru_rows(%X: tensor<7x2x5xf32>, %W: tensor<1x?x5xf32, #onnx.dims<"", "2*r", "">>, %R: tensor<1x9x3xf32>) {
  // expected-error @+1 {{expected the rows of weights and the hidden units to agree, but got 2*r and 9}}
  %0 = onnx.GRU(%X, %W, %R)
      : (tensor<7x2x5xf32>, tensor<1x?x5xf32, #onnx.dims<"", "2*r", "">>, tensor<1x9x3xf32>)
      -> !onnx.unknown
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @rnn_hidden(%X: tensor<7x2x5xf32>, %W: tensor<1x3x5xf32>, %R: tensor<1x3x4xf32>) {
  // expected-error @+1 {{expected the hidden units and the columns of 'R' to agree, but got 3 and 4}}
  %0 = onnx.RNN(%X, %W, %R) {hidden_size = 3 : i64}
      : (tensor<7x2x5xf32>, tensor<1x3x5xf32>, tensor<1x3x4xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+4 {{operand 0}}
// expected-note @+3 {{operand 1}}
// expected-note @+2 {{operand 2}}
// expected-note @+1 {{operand 3}}
func.func @rnn_bias(%X: tensor<7x2x5xf32>, %W: tensor<1x3x5xf32>, %R: tensor<1x3x3xf32>, %B: tensor<1x8589934592xf32>) {
  // expected-error @+1 {{expected the sizes of 'B' and of the layer to agree, but got 8589934592 and 6}}
  %0 = onnx.RNN(%X, %W, %R, %B)
      : (tensor<7x2x5xf32>, tensor<1x3x5xf32>, tensor<1x3x3xf32>, tensor<1x8589934592xf32>) -> !onnx.unknown
  return
}

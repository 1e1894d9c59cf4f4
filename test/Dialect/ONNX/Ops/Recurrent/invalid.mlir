// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @gru_c1(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'direction' to be one of 'forward', 'reverse', 'bidirectional', but got 'backward'}}
  %0 = onnx.GRU(%X, %W, %R) {direction = "backward"}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @lstm_c1(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'direction' to be one of 'forward', 'reverse', 'bidirectional', but got 'backward'}}
  %0 = onnx.LSTM(%X, %W, %R) {direction = "backward"}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @rnn_c1(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'direction' to be one of 'forward', 'reverse', 'bidirectional', but got 'backward'}}
  %0 = onnx.RNN(%X, %W, %R) {direction = "backward"}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @gru_c2(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C2) expected 'hidden_size' to be at least 1, but got 0}}
  %0 = onnx.GRU(%X, %W, %R) {hidden_size = 0 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @lstm_c2(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C2) expected 'hidden_size' to be at least 1, but got 0}}
  %0 = onnx.LSTM(%X, %W, %R) {hidden_size = 0 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @rnn_c2(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C2) expected 'hidden_size' to be at least 1, but got 0}}
  %0 = onnx.RNN(%X, %W, %R) {hidden_size = 0 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @gru_c3(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C3) expected 'layout' to be one of 0, 1, but got 2}}
  %0 = onnx.GRU(%X, %W, %R) {layout = 2 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @lstm_c3(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C3) expected 'layout' to be one of 0, 1, but got 2}}
  %0 = onnx.LSTM(%X, %W, %R) {layout = 2 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @rnn_c3(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C3) expected 'layout' to be one of 0, 1, but got 2}}
  %0 = onnx.RNN(%X, %W, %R) {layout = 2 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @gru_c4(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C4) expected 'activations' to have 2 entries, but got 1}}
  %0 = onnx.GRU(%X, %W, %R) {activations = ["Sigmoid"]}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @lstm_c4(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C4) expected the name of an activation function, but got 'Tahn'}}
  %0 = onnx.LSTM(%X, %W, %R) {activations = ["Sigmoid", "Tanh", "Tahn"]}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @rnn_c4(%X: !onnx.unknown, %W: !onnx.unknown, %R: !onnx.unknown) {
  // expected-error @+1 {{(C4) expected 'activations' to have 2 entries, but got 1}}
  %0 = onnx.RNN(%X, %W, %R) {activations = ["Tanh"], direction = "bidirectional"}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @gru_c5(%X: tensor<7x2x3xf32>, %W: tensor<1x20x3xf32>, %R: tensor<1x15x5xf32>) {
  // expected-error @+1 {{(C5) expected 'W' to have 3 rows for each of 5 hidden units, but got 20}}
  %0 = onnx.GRU(%X, %W, %R) {hidden_size = 5 : i64}
      : (tensor<7x2x3xf32>, tensor<1x20x3xf32>, tensor<1x15x5xf32>) -> !onnx.unknown
  return
}

// -----

func.func @lstm_c5(%X: tensor<7x2x3xf32>, %W: tensor<1x20x3xf32>,
                   %R: tensor<1x20x5xf32>) {
  // expected-error @+1 {{(C5) expected axis 0 of 'W' to have size 2, but got 1}}
  %0 = onnx.LSTM(%X, %W, %R) {direction = "bidirectional"}
      : (tensor<7x2x3xf32>, tensor<1x20x3xf32>, tensor<1x20x5xf32>) -> !onnx.unknown
  return
}

// -----

func.func @rnn_c5(%X: tensor<7x3xf32>, %W: tensor<1x5x3xf32>, %R: tensor<1x5x5xf32>) {
  // expected-error @+1 {{(C5) expected 'X' to have rank 3, but got 2}}
  %0 = onnx.RNN(%X, %W, %R)
      : (tensor<7x3xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>) -> !onnx.unknown
  return
}

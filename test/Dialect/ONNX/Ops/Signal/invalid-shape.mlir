// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

func.func @blackmanwindow_c4() {
  // expected-note @+1 {{operand 0 is int64[]}}
  %size = onnx.Constant dense<-1> : tensor<i64>
  // expected-error @+1 {{(C4) expected 'size' to be at least 0, but got -1}}
  %0 = onnx.BlackmanWindow(%size) : (tensor<i64>) -> !onnx.unknown
  return
}

// -----

func.func @hammingwindow_c4() {
  // expected-note @+1 {{operand 0 is int64[]}}
  %size = onnx.Constant dense<-1> : tensor<i64>
  // expected-error @+1 {{(C4) expected 'size' to be at least 0, but got -1}}
  %0 = onnx.HammingWindow(%size) : (tensor<i64>) -> !onnx.unknown
  return
}

// -----

func.func @hannwindow_c4() {
  // expected-note @+1 {{operand 0 is int64[]}}
  %size = onnx.Constant dense<-1> : tensor<i64>
  // expected-error @+1 {{(C4) expected 'size' to be at least 0, but got -1}}
  %0 = onnx.HannWindow(%size) : (tensor<i64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 6, 1]}}
func.func @dft_c4(%input: tensor<2x6x1xf32>) {
  // expected-note @+1 {{operand 1 is int64[]}}
  %axis = onnx.Constant dense<-1> : tensor<i64>
  // expected-error @+1 {{(C4) expected 'axis' to be in [-3, 2) and not the last, but got -1}}
  %0 = onnx.DFT(%input, _, %axis) : (tensor<2x6x1xf32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[2, 6, 1]}}
func.func @dft_c5(%input: tensor<2x6x1xf32>) {
  // expected-note @+1 {{operand 1 is int64[]}}
  %length = onnx.Constant dense<0> : tensor<i64>
  // expected-error @+1 {{(C5) expected 'dft_length' to be at least 1, but got 0}}
  %0 = onnx.DFT(%input, %length) : (tensor<2x6x1xf32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

// expected-note @below {{operand 1 is int64[]}}
// expected-note @below {{operand 2 is int64[]}}
// expected-note @below {{operand 3 is float[]}}
// expected-note @below {{operand 4 is float[]}}
func.func @melweightmatrix_c3(%length: tensor<i64>, %rate: tensor<i64>, %edge: tensor<f32>) {
  // expected-note @+1 {{operand 0 is int64[]}}
  %bins = onnx.Constant dense<-8> : tensor<i64>
  // expected-error @+1 {{(C3) expected 'num_mel_bins' to be at least 0, but got -8}}
  %0 = onnx.MelWeightMatrix(%bins, %length, %rate, %edge, %edge)
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[1, 128, 1]}}
func.func @stft_c5(%signal: tensor<1x128x1xf32>) {
  // expected-note @+1 {{operand 1 is int64[]}}
  %step = onnx.Constant dense<0> : tensor<i64>
  // expected-error @+1 {{(C5) expected 'frame_step' to be at least 1, but got 0}}
  %0 = onnx.STFT(%signal, %step) : (tensor<1x128x1xf32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

// expected-note @below {{operand 0 is float[1, 128, 1]}}
// expected-note @below {{operand 1 is int64[]}}
// expected-note @below {{operand 2 is float[8]}}
func.func @stft_c6(%signal: tensor<1x128x1xf32>, %step: tensor<i64>, %window: tensor<8xf32>) {
  // expected-note @+1 {{operand 3 is int64[]}}
  %length = onnx.Constant dense<16> : tensor<i64>
  // expected-error @+1 {{(C6) expected a frame of 8, the length of the window, but got 16}}
  %0 = onnx.STFT(%signal, %step, %window, %length)
      : (tensor<1x128x1xf32>, tensor<i64>, tensor<8xf32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

// expected-note @below {{operand 0 is float[1, 8, 1]}}
// expected-note @below {{operand 1 is int64[]}}
func.func @stft_c6_long(%signal: tensor<1x8x1xf32>, %step: tensor<i64>) {
  // expected-note @+1 {{operand 2 is int64[]}}
  %length = onnx.Constant dense<16> : tensor<i64>
  // expected-error @+1 {{(C6) expected a frame of at most 8, the length of the signal, but got 16}}
  %0 = onnx.STFT(%signal, %step, _, %length)
      : (tensor<1x8x1xf32>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  return
}

// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @blackmanwindow_c1(%size: tensor<i32>) {
  // expected-error @+1 {{(C1) expected 'output_datatype' to be the number of a data type, but got 0}}
  %0 = onnx.BlackmanWindow(%size) {output_datatype = 0 : i64}
      : (tensor<i32>) -> !onnx.unknown
  return
}

// -----

func.func @hammingwindow_c1(%size: tensor<i32>) {
  // expected-error @+1 {{(C1) expected 'output_datatype' to be the number of a data type, but got 0}}
  %0 = onnx.HammingWindow(%size) {output_datatype = 0 : i64}
      : (tensor<i32>) -> !onnx.unknown
  return
}

// -----

func.func @hannwindow_c1(%size: tensor<i32>) {
  // expected-error @+1 {{(C1) expected 'output_datatype' to be the number of a data type, but got 0}}
  %0 = onnx.HannWindow(%size) {output_datatype = 0 : i64} : (tensor<i32>) -> !onnx.unknown
  return
}

// -----

func.func @blackmanwindow_c2(%size: tensor<2xi32>) {
  // expected-error @+1 {{(C2) expected 'size' to have one element, but got tensor<2xi32>}}
  %0 = onnx.BlackmanWindow(%size) : (tensor<2xi32>) -> !onnx.unknown
  return
}

// -----

func.func @hammingwindow_c2(%size: tensor<2xi32>) {
  // expected-error @+1 {{(C2) expected 'size' to have one element, but got tensor<2xi32>}}
  %0 = onnx.HammingWindow(%size) : (tensor<2xi32>) -> !onnx.unknown
  return
}

// -----

func.func @hannwindow_c2(%size: tensor<2xi32>) {
  // expected-error @+1 {{(C2) expected 'size' to have one element, but got tensor<2xi32>}}
  %0 = onnx.HannWindow(%size) : (tensor<2xi32>) -> !onnx.unknown
  return
}

// -----

func.func @blackmanwindow_c3(%size: tensor<i32>) {
  // expected-error @+1 {{(C3) expected 'periodic' to be one of 0, 1, but got 2}}
  %0 = onnx.BlackmanWindow(%size) {periodic = 2 : i64} : (tensor<i32>) -> !onnx.unknown
  return
}

// -----

func.func @hammingwindow_c3(%size: tensor<i32>) {
  // expected-error @+1 {{(C3) expected 'periodic' to be one of 0, 1, but got 2}}
  %0 = onnx.HammingWindow(%size) {periodic = 2 : i64} : (tensor<i32>) -> !onnx.unknown
  return
}

// -----

func.func @hannwindow_c3(%size: tensor<i32>) {
  // expected-error @+1 {{(C3) expected 'periodic' to be one of 0, 1, but got 2}}
  %0 = onnx.HannWindow(%size) {periodic = 2 : i64} : (tensor<i32>) -> !onnx.unknown
  return
}

// -----

func.func @dft_c1(%input: tensor<1x10x1xf32>) {
  // expected-error @+1 {{(C1) expected 'onesided' to be one of 0, 1, but got 2}}
  %0 = onnx.DFT(%input) {onesided = 2 : i64} : (tensor<1x10x1xf32>) -> !onnx.unknown
  return
}

// -----

func.func @dft_c2(%input: tensor<1x10x3xf32>) {
  // expected-error @+1 {{(C2) expected the last axis of 'input' to have 1 or 2 elements, but got 3}}
  %0 = onnx.DFT(%input) : (tensor<1x10x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @dft_c3(%input: tensor<1x10x1xf32>, %dft_length: tensor<2xi64>) {
  // expected-error @+1 {{(C3) expected 'dft_length' to have one element, but got tensor<2xi64>}}
  %0 = onnx.DFT(%input, %dft_length)
      : (tensor<1x10x1xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @melweightmatrix_c1(%a: tensor<i64>, %b: tensor<f32>) {
  // expected-error @+1 {{(C1) expected 'output_datatype' to be the result's element type float16, but got float}}
  %0 = onnx.MelWeightMatrix(%a, %a, %a, %b, %b) {output_datatype = 1 : i64}
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<*xf16>
  return
}

// -----

func.func @melweightmatrix_c2(%a: tensor<i64>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'lower_edge_hertz' to have one element, but got tensor<2xf32>}}
  %0 = onnx.MelWeightMatrix(%a, %a, %a, %b, %b)
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<2xf32>, tensor<2xf32>)
      -> !onnx.unknown
  return
}

// -----

func.func @stft_c1(%signal: tensor<1x128x1xf32>, %frame_step: tensor<i64>) {
  // expected-error @+1 {{(C1) expected 'onesided' to be one of 0, 1, but got 2}}
  %0 = onnx.STFT(%signal, %frame_step) {onesided = 2 : i64}
      : (tensor<1x128x1xf32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

func.func @stft_c2(%signal: tensor<128xf32>, %frame_step: tensor<i64>) {
  // expected-error @+1 {{(C2) expected 'signal' to have rank 2 or 3, but got 1}}
  %0 = onnx.STFT(%signal, %frame_step) : (tensor<128xf32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

func.func @stft_c3(%signal: tensor<1x128x1xf32>, %frame_step: tensor<2xi64>) {
  // expected-error @+1 {{(C3) expected 'frame_step' to have one element, but got tensor<2xi64>}}
  %0 = onnx.STFT(%signal, %frame_step)
      : (tensor<1x128x1xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @stft_c4(%signal: tensor<1x128x1xf32>, %frame_step: tensor<i64>,
                   %window: tensor<4x4xf32>) {
  // expected-error @+1 {{(C4) expected 'window' to be a vector, but got rank 2}}
  %0 = onnx.STFT(%signal, %frame_step, %window)
      : (tensor<1x128x1xf32>, tensor<i64>, tensor<4x4xf32>) -> !onnx.unknown
  return
}

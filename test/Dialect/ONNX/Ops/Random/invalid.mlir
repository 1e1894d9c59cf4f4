// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @bernoulli_c1(%input: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected 'dtype' to be the result's element type float, but got float16}}
  %0 = onnx.Bernoulli(%input) {dtype = 10 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @randomnormallike_c1(%input: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected 'dtype' to be the result's element type float, but got float16}}
  %0 = onnx.RandomNormalLike(%input) {dtype = 10 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @randomuniformlike_c1(%input: tensor<3xf32>) {
  // expected-error @+1 {{(C1) expected 'dtype' to be the result's element type float, but got float16}}
  %0 = onnx.RandomUniformLike(%input) {dtype = 10 : i64}
      : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @multinomial_c1(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'dtype' to be one of 6, 7, but got 1}}
  %0 = onnx.Multinomial(%input) {dtype = 1 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @multinomial_c2(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'sample_size' to be at least 1, but got 0}}
  %0 = onnx.Multinomial(%input) {sample_size = 0 : i64}
      : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @multinomial_c3(%input: tensor<3xf32>) {
  // expected-error @+1 {{(C3) expected 'input' to have rank 2, but got 1}}
  %0 = onnx.Multinomial(%input) : (tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @randomnormal_c1() {
  // expected-error @+1 {{(C1) expected 'dtype' to be the number of a data type, but got 99}}
  %0 = onnx.RandomNormal() {dtype = 99 : i64, shape = array<i64: 2, 3>}
      : () -> !onnx.unknown
  return
}

// -----

func.func @randomuniform_c1() {
  // expected-error @+1 {{(C1) expected 'dtype' to be the number of a data type, but got 99}}
  %0 = onnx.RandomUniform() {dtype = 99 : i64, shape = array<i64: 2, 3>}
      : () -> !onnx.unknown
  return
}

// -----

func.func @randomnormal_c2() {
  // expected-error @+1 {{(C2) expected entries of 'shape' to be at least 0, but got -1}}
  %0 = onnx.RandomNormal() {shape = array<i64: 2, -1>} : () -> !onnx.unknown
  return
}

// -----

func.func @randomuniform_c2() {
  // expected-error @+1 {{(C2) expected entries of 'shape' to be at least 0, but got -1}}
  %0 = onnx.RandomUniform() {shape = array<i64: 2, -1>} : () -> !onnx.unknown
  return
}

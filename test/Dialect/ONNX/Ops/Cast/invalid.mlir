// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @bitcast_c1(%input: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'to' to be the result's element type int32, but got int64}}
  %0 = onnx.BitCast(%input) {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @bitcast_c2(%input: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected a type of 32 bits, but got int64 of 64}}
  %0 = onnx.BitCast(%input) {to = 7 : i64} : (tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @cast_c1(%input: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'to' to be the number of a data type, but got 99}}
  %0 = onnx.Cast(%input) {to = 99 : i64} : (tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @cast_c1_b(%input: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'to' to be the result's element type float16, but got float}}
  %0 = onnx.Cast(%input) {to = 1 : i64} : (tensor<2xf32>) -> tensor<2xf16>
  return
}

// -----

func.func @cast_c2(%input: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'round_mode' to be one of 'up', 'down', 'nearest', but got 'even'}}
  %0 = onnx.Cast(%input) {round_mode = "even", to = 24 : i64}
      : (tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @cast_c3(%input: tensor<2xf32>) {
  // expected-error @+1 {{(C3) expected 'saturate' to be one of 0, 1, but got 2}}
  %0 = onnx.Cast(%input) {saturate = 2 : i64, to = 17 : i64}
      : (tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @castlike_c1(%input: tensor<2xf32>, %target_type: tensor<1xf16>) {
  // expected-error @+1 {{(C1) expected 'round_mode' to be one of 'up', 'down', 'nearest', but got 'even'}}
  %0 = onnx.CastLike(%input, %target_type) {round_mode = "even"}
      : (tensor<2xf32>, tensor<1xf16>) -> !onnx.unknown
  return
}

// -----

func.func @castlike_c2(%input: tensor<2xf32>, %target_type: tensor<1xf16>) {
  // expected-error @+1 {{(C2) expected 'saturate' to be one of 0, 1, but got 2}}
  %0 = onnx.CastLike(%input, %target_type) {saturate = 2 : i64}
      : (tensor<2xf32>, tensor<1xf16>) -> !onnx.unknown
  return
}

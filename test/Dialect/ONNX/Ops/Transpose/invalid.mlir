// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @depthtospace_c1(%input: tensor<1x8x2x2xf32>) {
  // expected-error @+1 {{(C1) expected 'blocksize' to be at least 1, but got 0}}
  %0 = onnx.DepthToSpace(%input) {blocksize = 0 : i64}
      : (tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @spacetodepth_c1(%input: tensor<1x8x2x2xf32>) {
  // expected-error @+1 {{(C1) expected 'blocksize' to be at least 1, but got 0}}
  %0 = onnx.SpaceToDepth(%input) {blocksize = 0 : i64}
      : (tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @depthtospace_c2(%input: tensor<1x8x2x2xf32>) {
  // expected-error @+1 {{(C2) expected 'mode' to be one of 'DCR', 'CRD', but got 'RCD'}}
  %0 = onnx.DepthToSpace(%input) {blocksize = 2 : i64, mode = "RCD"}
      : (tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @spacetodepth_c2(%input: tensor<1x8x2x2xf32>) {
  // expected-error @+1 {{(C2) expected 'mode' to be one of 'DCR', 'CRD', but got 'RCD'}}
  %0 = onnx.SpaceToDepth(%input) {blocksize = 2 : i64, mode = "RCD"}
      : (tensor<1x8x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @depthtospace_c3(%input: tensor<1x6x2x2xf32>) {
  // expected-error @+1 {{(C3) expected the square of 'blocksize' to divide the 6 channels, but got 2}}
  %0 = onnx.DepthToSpace(%input) {blocksize = 2 : i64}
      : (tensor<1x6x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @depthtospace_c3_b(%input: tensor<1x6x2x2xf32>) {
  // expected-error @+1 {{(C3) expected the square of 'blocksize' to divide the 6 channels}}
  %0 = onnx.DepthToSpace(%input) {blocksize = 4611686018427387904 : i64}
      : (tensor<1x6x2x2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @spacetodepth_c3(%input: tensor<1x6x2x3xf32>) {
  // expected-error @+1 {{(C3) expected 'blocksize' to divide axis 3 of size 3, but got 2}}
  %0 = onnx.SpaceToDepth(%input) {blocksize = 2 : i64}
      : (tensor<1x6x2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reversesequence_c1(%input: tensor<4x4xf32>, %sequence_lens: tensor<4xi64>) {
  // expected-error @+1 {{(C1) expected 'time_axis' to be one of 0, but got 1}}
  %0 = onnx.ReverseSequence(%input, %sequence_lens)
      {batch_axis = 1 : i64, time_axis = 1 : i64}
      : (tensor<4x4xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reversesequence_c1_b(%input: tensor<4x4xf32>, %sequence_lens: tensor<4xi64>) {
  // expected-error @+1 {{(C1) expected 'batch_axis' to be one of 0, 1, but got -9223372036854775808}}
  %0 = onnx.ReverseSequence(%input, %sequence_lens)
      {batch_axis = -9223372036854775808 : i64}
      : (tensor<4x4xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reversesequence_c2(%input: tensor<4xf32>, %sequence_lens: tensor<4xi64>) {
  // expected-error @+1 {{(C2) expected 'input' to have at least rank 2, but got 1}}
  %0 = onnx.ReverseSequence(%input, %sequence_lens)
      : (tensor<4xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @transpose_c1(%data: tensor<2x3x4xf32>) {
  // expected-error @+1 {{(C1) expected 'perm' to have 3 entries, but got 2}}
  %0 = onnx.Transpose(%data) {perm = array<i64: 1, 0>}
      : (tensor<2x3x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @transpose_c1_b(%data: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'perm' to be a permutation of 2 axes, but got the entry 0}}
  %0 = onnx.Transpose(%data) {perm = array<i64: 0, 0>} : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

func.func @transpose_c1_c(%data: !onnx.unknown) {
  // expected-error @+1 {{(C1) expected 'perm' to be a permutation of 2 axes, but got the entry -1}}
  %0 = onnx.Transpose(%data) {perm = array<i64: 0, -1>} : (!onnx.unknown) -> !onnx.unknown
  return
}

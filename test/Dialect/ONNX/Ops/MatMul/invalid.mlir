// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @det_c1(%X: tensor<2x3x4xf32>) {
  // expected-error @+1 {{(C1) expected axis -1 of 'X' to have size 3, but got 4}}
  %0 = onnx.Det(%X) : (tensor<2x3x4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @einsum_c1(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'equation' to have a term for each of 1 operands, but got 2}}
  %0 = onnx.Einsum(%a) {equation = "ij,jk->ik"} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @einsum_c1_b(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected a term of letters and at most one '...', but got 'i1'}}
  %0 = onnx.Einsum(%a) {equation = "i1->i"} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @einsum_c1_c(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected a term of letters and at most one '...', but got 'i......'}}
  %0 = onnx.Einsum(%a) {equation = "i......->i"} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @einsum_c2(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected the result to name axes of the operands, each once, but got 'k'}}
  %0 = onnx.Einsum(%a) {equation = "ij->k"} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @einsum_c2_b(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected the result to name axes of the operands, each once, but got 'i'}}
  %0 = onnx.Einsum(%a) {equation = "ij->ii"} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @einsum_c2_c(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected a term of letters and at most one '...', but got 'i->j'}}
  %0 = onnx.Einsum(%a) {equation = "ij->i->j"} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @einsum_c3(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{(C3) expected 'ijk' to have rank 3, but got 2}}
  %0 = onnx.Einsum(%a) {equation = "ijk->i"} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @gemm_c1(%A: tensor<2x3x4xf32>, %B: tensor<4x3xf32>) {
  // expected-error @+1 {{(C1) expected 'A' to have rank 2, but got 3}}
  %0 = onnx.Gemm(%A, %B) : (tensor<2x3x4xf32>, tensor<4x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @gemm_c2(%A: tensor<2x3xf32>, %B: tensor<4x3xf32>) {
  // expected-error @+1 {{(C2) expected axis 0 of 'B' to have size 3, but got 4}}
  %0 = onnx.Gemm(%A, %B) : (tensor<2x3xf32>, tensor<4x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @matmul_c1(%A: tensor<2x3xf32>, %B: tensor<4x3xf32>) {
  // expected-error @+1 {{(C1) expected axis -2 of 'B' to have size 3, but got 4}}
  %0 = onnx.MatMul(%A, %B) : (tensor<2x3xf32>, tensor<4x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @matmul_c1_b(%A: tensor<f32>, %B: tensor<4x3xf32>) {
  // expected-error @+1 {{(C1) expected 'A' to have at least rank 1, but got 0}}
  %0 = onnx.MatMul(%A, %B) : (tensor<f32>, tensor<4x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @matmul_c1_c(%A: tensor<2x2x3xf32>, %B: tensor<5x3x4xf32>) {
  // expected-error @+1 {{(C1) expected batches that broadcast to one, but got tensor<5x3x4xf32>}}
  %0 = onnx.MatMul(%A, %B) : (tensor<2x2x3xf32>, tensor<5x3x4xf32>) -> !onnx.unknown
  return
}

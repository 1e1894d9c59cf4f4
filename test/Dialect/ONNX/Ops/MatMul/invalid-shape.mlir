// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0}}
func.func @det_square(%X: tensor<?x?xf32, #onnx.dims<"n", "n + 1">>) {
  // expected-error @+1 {{expected rows and columns to agree, but got n and n + 1}}
  %0 = onnx.Det(%X) : (tensor<?x?xf32, #onnx.dims<"n", "n + 1">>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0}}
func.func @einsum_diagonal(%a: tensor<1x3xf32>) {
  // expected-error @+1 {{expected the axes 'i' of a term to agree, but got 1 and 3}}
  %0 = onnx.Einsum(%a) {equation = "ii->i"} : (tensor<1x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @einsum_sizes(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{expected sizes that broadcast, but got 3 and 4}}
  %0 = onnx.Einsum(%a, %b) {equation = "ij,jk->ik"}
      : (tensor<2x3xf32>, tensor<4x5xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @einsum_ellipsis(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{expected sizes that broadcast, but got 2 and 4}}
  %0 = onnx.Einsum(%a, %b) {equation = "...i,...i->..."}
      : (tensor<2x3xf32>, tensor<4x3xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @gemm_sizes(%a: tensor<2x?xf32, #onnx.dims<"", "k">>, %b: tensor<?x5xf32, #onnx.dims<"k + 1", "">>) {
  // expected-error @+1 {{expected the sizes that are multiplied over to agree, but got k and k + 1}}
  %0 = onnx.Gemm(%a, %b)
      : (tensor<2x?xf32, #onnx.dims<"", "k">>, tensor<?x5xf32, #onnx.dims<"k + 1", "">>)
      -> !onnx.unknown
  return
}

// -----

// expected-note @+3 {{operand 0}}
// expected-note @+2 {{operand 1}}
// expected-note @+1 {{operand 2}}
func.func @gemm_bias(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expected the sizes of 'C' and A B to agree, but got 5 and 4}}
  %0 = onnx.Gemm(%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3x5xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @matmul_sizes(%a: tensor<2x?xf32, #onnx.dims<"", "k">>, %b: tensor<?xf32, #onnx.dims<"k + 1">>) {
  // expected-error @+1 {{expected the sizes that are multiplied over to agree, but got k and k + 1}}
  %0 = onnx.MatMul(%a, %b)
      : (tensor<2x?xf32, #onnx.dims<"", "k">>, tensor<?xf32, #onnx.dims<"k + 1">>)
      -> !onnx.unknown
  return
}

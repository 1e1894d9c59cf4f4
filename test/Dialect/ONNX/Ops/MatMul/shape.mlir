// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @matmul(
func.func @matmul(%batch: tensor<4x1x2x3xf32>, %A: tensor<2x3xf32>, %B: tensor<5x3x6xf32>,
                  %v: tensor<3xf32>, %unknown: tensor<*xf32>) {
  // CHECK: onnx.MatMul({{.*}} -> tensor<4x5x2x6xf32>
  %0 = onnx.MatMul(%batch, %B) : (tensor<4x1x2x3xf32>, tensor<5x3x6xf32>) -> !onnx.unknown
  // CHECK: onnx.MatMul({{.*}} -> tensor<5x6xf32>
  %1 = onnx.MatMul(%v, %B) : (tensor<3xf32>, tensor<5x3x6xf32>) -> !onnx.unknown
  // CHECK: onnx.MatMul({{.*}} -> tensor<2xf32>
  %2 = onnx.MatMul(%A, %v) : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
  // CHECK: onnx.MatMul({{.*}} -> tensor<f32>
  %3 = onnx.MatMul(%v, %v) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
  // CHECK: onnx.MatMul({{.*}} -> tensor<*xf32>
  %4 = onnx.MatMul(%A, %unknown) : (tensor<2x3xf32>, tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// The sizes that are multiplied over are one, so the second names the first.
// CHECK-LABEL: @matmul_names(
func.func @matmul_names(%A: tensor<?x?x?xf32, #onnx.dims<"b", "m", "k">>,
                        %B: tensor<64x?xf32, #onnx.dims<"", "n">>) {
  // CHECK: onnx.Relu({{.*}} -> tensor<?x?x64xf32, #onnx.dims<"b", "m", "">>
  %0 = onnx.Relu(%A) : (tensor<?x?x?xf32, #onnx.dims<"b", "m", "k">>) -> !onnx.unknown
  // CHECK: onnx.MatMul({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"b", "m", "n">>
  %1 = onnx.MatMul(%A, %B) : (tensor<?x?x?xf32, #onnx.dims<"b", "m", "k">>,
                              tensor<64x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @gemm(
func.func @gemm(%A: tensor<?x3xf32, #onnx.dims<"m", "">>, %B: tensor<4x3xf32>,
                %C: tensor<5x1xf32>, %unknown: tensor<*xf32>) {
  // CHECK: onnx.Relu({{.*}} -> tensor<5x3xf32>
  %0 = onnx.Relu(%A) : (tensor<?x3xf32, #onnx.dims<"m", "">>) -> !onnx.unknown
  // The product has the rows of C, unless C has only one.
  // CHECK: onnx.Gemm({{.*}} -> tensor<5x4xf32>
  %1 = onnx.Gemm(%A, %B, %C) {transB = 1 : i64}
      : (tensor<?x3xf32, #onnx.dims<"m", "">>, tensor<4x3xf32>, tensor<5x1xf32>) -> !onnx.unknown
  // CHECK: onnx.Gemm({{.*}} -> tensor<3x?xf32, #onnx.dims<"", "a.1">>
  %2 = onnx.Gemm(%B, %unknown) {transA = 1 : i64, onnx.outputs = ["a"]}
      : (tensor<4x3xf32>, tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @det(
func.func @det(%X: tensor<?x3x?xf32, #onnx.dims<"n", "", "k">>) {
  // CHECK: onnx.Det({{.*}}tensor<?x3x3xf32, #onnx.dims<"n", "", "">>) -> tensor<?xf32, #onnx.dims<"n">>
  %0 = onnx.Det(%X) : (tensor<?x3x?xf32, #onnx.dims<"n", "", "k">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @einsum(
func.func @einsum(%A: tensor<2x3x4xf32>, %B: tensor<1x5xf32>, %square: tensor<7x7xf32>) {
  // CHECK: onnx.Einsum({{.*}} -> tensor<3x2xf32>
  %0 = onnx.Einsum(%A) {equation = "ijk->ji"} : (tensor<2x3x4xf32>) -> !onnx.unknown
  // Without a result the letters that occur once, by the alphabet.
  // CHECK: onnx.Einsum({{.*}} -> tensor<5x2x3xf32>
  %1 = onnx.Einsum(%A, %B) {equation = "ijk, ka"}
      : (tensor<2x3x4xf32>, tensor<1x5xf32>) -> !onnx.unknown
  // CHECK: onnx.Einsum({{.*}} -> tensor<f32>
  %2 = onnx.Einsum(%A) {equation = "ijk->"} : (tensor<2x3x4xf32>) -> !onnx.unknown
  // CHECK: onnx.Einsum({{.*}} -> tensor<7xf32>
  %3 = onnx.Einsum(%square) {equation = "ii->i"} : (tensor<7x7xf32>) -> !onnx.unknown
  // CHECK: onnx.Einsum({{.*}} -> tensor<f32>
  %4 = onnx.Einsum(%square) {equation = "ii"} : (tensor<7x7xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @einsum_ellipsis(
func.func @einsum_ellipsis(%A: tensor<2x3x4x8xf32>, %B: tensor<1x8x5xf32>) {
  // CHECK: onnx.Einsum({{.*}} -> tensor<4x2x3x5xf32>
  %0 = onnx.Einsum(%A, %B) {equation = "...ij,...jk->i...k"}
      : (tensor<2x3x4x8xf32>, tensor<1x8x5xf32>) -> !onnx.unknown
  // CHECK: onnx.Einsum({{.*}} -> tensor<4x8x3x2xf32>
  %1 = onnx.Einsum(%A) {equation = "ba..."} : (tensor<2x3x4x8xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @einsum_names(
func.func @einsum_names(%A: tensor<?x?x8xf32, #onnx.dims<"s", "b", "">>,
                        %B: tensor<8x4x16xf32>, %unknown: tensor<*xf32>) {
  // CHECK: onnx.Einsum({{.*}} -> tensor<?x?x4x16xf32, #onnx.dims<"s", "b", "", "">>
  %0 = onnx.Einsum(%A, %B) {equation = "ibh,hnd->ibnd"}
      : (tensor<?x?x8xf32, #onnx.dims<"s", "b", "">>, tensor<8x4x16xf32>) -> !onnx.unknown
  // CHECK: onnx.Einsum({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"s", "b", "a.2">>
  %1 = onnx.Einsum(%A, %unknown) {equation = "ibh,hd->ibd", onnx.outputs = ["a"]}
      : (tensor<?x?x8xf32, #onnx.dims<"s", "b", "">>, tensor<*xf32>) -> !onnx.unknown
  // CHECK: onnx.Einsum({{.*}} -> tensor<*xf32>
  %2 = onnx.Einsum(%A, %unknown) {equation = "ibh,...h->...ib"}
      : (tensor<?x?x8xf32, #onnx.dims<"s", "b", "">>, tensor<*xf32>) -> !onnx.unknown
  return
}

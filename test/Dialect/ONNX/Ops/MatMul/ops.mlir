// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @det(
func.func @det(%X: tensor<2x3x3xf32>) {
  // CHECK: onnx.Det(%arg0) : (tensor<2x3x3xf32>) -> tensor<2xf32>
  %0 = onnx.Det(%X) : (tensor<2x3x3xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @einsum(
func.func @einsum(%a: tensor<5x2x3xf32>, %b: tensor<3x4xf32>) {
  // CHECK: onnx.Einsum(%arg0, %arg1) {equation = "...ij, ...jk -> ...ik"}
  // CHECK-SAME: : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  %0 = onnx.Einsum(%a, %b) {equation = "...ij, ...jk -> ...ik"}
      : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  return
}

// CHECK-LABEL: @einsum_2(
func.func @einsum_2(%a: tensor<3x3xf32>) {
  // CHECK: onnx.Einsum(%arg0) {equation = "ii->"} : (tensor<3x3xf32>) -> tensor<f32>
  %0 = onnx.Einsum(%a) {equation = "ii->"} : (tensor<3x3xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @gemm(
func.func @gemm(%A: tensor<2x3xf32>, %B: tensor<4x3xf32>) {
  // CHECK: onnx.Gemm(%arg0, %arg1) {alpha = 5.000000e-01 : f32, transB = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %0 = onnx.Gemm(%A, %B) {alpha = 5.000000e-01 : f32, transB = 1 : i64}
      : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: @gemm_2(
func.func @gemm_2(%A: tensor<3x2xf32>, %B: tensor<3x4xf32>, %C: tensor<4xf32>) {
  // CHECK: onnx.Gemm(%arg0, %arg1, %arg2) {beta = 2.000000e+00 : f32, transA = 1 : i64}
  // CHECK-SAME: : (tensor<3x2xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %0 = onnx.Gemm(%A, %B, %C) {beta = 2.000000e+00 : f32, transA = 1 : i64}
      : (tensor<3x2xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: @matmul(
func.func @matmul(%A: tensor<5x1x2x3xf32>, %B: tensor<7x3x4xf32>) {
  // CHECK: onnx.MatMul(%arg0, %arg1)
  // CHECK-SAME: : (tensor<5x1x2x3xf32>, tensor<7x3x4xf32>) -> tensor<5x7x2x4xf32>
  %0 = onnx.MatMul(%A, %B)
      : (tensor<5x1x2x3xf32>, tensor<7x3x4xf32>) -> tensor<5x7x2x4xf32>
  return
}

// CHECK-LABEL: @matmul_2(
func.func @matmul_2(%A: tensor<3xf32>, %B: tensor<?x3x4xf32>) {
  // CHECK: onnx.MatMul(%arg0, %arg1)
  // CHECK-SAME: : (tensor<3xf32>, tensor<?x3x4xf32>) -> tensor<?x4xf32>
  %0 = onnx.MatMul(%A, %B) : (tensor<3xf32>, tensor<?x3x4xf32>) -> tensor<?x4xf32>
  return
}

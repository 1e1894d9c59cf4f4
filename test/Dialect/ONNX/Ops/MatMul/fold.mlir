// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @products(
func.func @products() -> (tensor<2x2xf32>, tensor<2x1x2xi32>, tensor<f32>, tensor<1x1xf32>, tensor<0x2xf32>) {
  %a = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  // CHECK-DAG: dense<{{\[\[}}1.900000e+01, 2.200000e+01], [4.300000e+01, 5.000000e+01]]> : tensor<2x2xf32>
  %0 = onnx.MatMul(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // Integers wrap; one matrix is repeated.
  %c = onnx.Constant dense<[[[1, 2]], [[65536, 0]]]> : tensor<2x1x2xi32>
  %d = onnx.Constant dense<[[1, 65536], [3, 4]]> : tensor<2x2xi32>
  // CHECK-DAG: dense<{{\[\[\[}}7, 65544]], {{\[\[}}65536, 0]]]> : tensor<2x1x2xi32>
  %1 = onnx.MatMul(%c, %d) : (tensor<2x1x2xi32>, tensor<2x2xi32>) -> tensor<2x1x2xi32>
  %v = onnx.Constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK-DAG: dense<1.300000e+01> : tensor<f32>
  %2 = onnx.MatMul(%v, %v) : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  // In floats 1 would be lost beside 2^24.
  %e = onnx.Constant dense<[[16777216.0, 1.0, -16777216.0]]> : tensor<1x3xf32>
  %f = onnx.Constant dense<[[1.0], [1.0], [1.0]]> : tensor<3x1xf32>
  // CHECK-DAG: dense<1.000000e+00> : tensor<1x1xf32>
  %3 = onnx.MatMul(%e, %f) : (tensor<1x3xf32>, tensor<3x1xf32>) -> tensor<1x1xf32>
  %g = onnx.Constant dense<> : tensor<0x2xf32>
  // CHECK-DAG: dense<> : tensor<0x2xf32>
  %4 = onnx.MatMul(%g, %a) : (tensor<0x2xf32>, tensor<2x2xf32>) -> tensor<0x2xf32>
  // CHECK-NOT: onnx.MatMul
  return %0, %1, %2, %3, %4 : tensor<2x2xf32>, tensor<2x1x2xi32>, tensor<f32>, tensor<1x1xf32>, tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @gemm(
func.func @gemm() -> (tensor<2x2xf32>, tensor<1x1xi32>) {
  %a = onnx.Constant dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[[5.0, 7.0], [6.0, 8.0]]> : tensor<2x2xf32>
  %c = onnx.Constant dense<[1.0, -1.0]> : tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[}}4.800000e+01, 3.400000e+01], [9.600000e+01, 9.000000e+01]]> : tensor<2x2xf32>
  %0 = onnx.Gemm(%a, %b, %c) {alpha = 2.0 : f32, beta = 10.0 : f32, transA = 1 : i64, transB = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %d = onnx.Constant dense<16777217> : tensor<1x1xi32>
  %e1 = onnx.Constant dense<1> : tensor<1x1xi32>
  %e = onnx.Constant dense<1> : tensor<i32>
  // CHECK-DAG: dense<16777218> : tensor<1x1xi32>
  %1 = onnx.Gemm(%d, %e1, %e) : (tensor<1x1xi32>, tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
  // CHECK-NOT: onnx.Gemm
  return %0, %1 : tensor<2x2xf32>, tensor<1x1xi32>
}

// -----

// CHECK-LABEL: @einsum(
func.func @einsum() -> (tensor<2xi32>, tensor<2x2xf32>, tensor<i32>, tensor<2x2xi32>, tensor<2x1xi32>) {
  %a = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  // CHECK-DAG: dense<[1, 4]> : tensor<2xi32>
  %0 = onnx.Einsum(%a) {equation = "ii->i"} : (tensor<2x2xi32>) -> tensor<2xi32>
  %b = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = onnx.Constant dense<[1.0, 10.0]> : tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[}}1.000000e+00, 2.000000e+01], [3.000000e+00, 4.000000e+01]]> : tensor<2x2xf32>
  %1 = onnx.Einsum(%b, %c) {equation = "ij,j->ij"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  // CHECK-DAG: dense<330> : tensor<i32>
  %r = onnx.Constant dense<[3, 30]> : tensor<2xi32>
  %2 = onnx.Einsum(%a, %r) {equation = "ij,k->"} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<i32>
  // CHECK-DAG: dense<{{\[\[}}37, 54], [81, 118]]> : tensor<2x2xi32>
  %3 = onnx.Einsum(%a, %a, %a) {equation = "ij,jk,kl->il"} : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  // A size of 1 is repeated.
  %d = onnx.Constant dense<[[2]]> : tensor<1x1xi32>
  // CHECK-DAG: dense<{{\[\[}}6], [14]]> : tensor<2x1xi32>
  %4 = onnx.Einsum(%a, %d) {equation = "...j,jk->...k"} : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x1xi32>
  // CHECK-NOT: onnx.Einsum
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<2x2xf32>, tensor<i32>, tensor<2x2xi32>, tensor<2x1xi32>
}

// -----

// CHECK-LABEL: @det(
func.func @det() -> tensor<2xf32> {
  %a = onnx.Constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[0.0, 2.0], [2.0, 0.0]]]> : tensor<2x2x2xf32>
  // CHECK: dense<[-2.000000e+00, -4.000000e+00]> : tensor<2xf32>
  %0 = onnx.Det(%a) : (tensor<2x2x2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// More than anybody waits for is left to run time.
// CHECK-LABEL: @huge(
func.func @huge() -> tensor<65536x65536xf32> {
  %a = onnx.Constant dense<1.0> : tensor<65536x65536xf32>
  // CHECK: onnx.MatMul
  %0 = onnx.MatMul(%a, %a) : (tensor<65536x65536xf32>, tensor<65536x65536xf32>) -> tensor<65536x65536xf32>
  return %0 : tensor<65536x65536xf32>
}

// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @bernoulli(
func.func @bernoulli(%input: tensor<3xf32>) {
  // CHECK: onnx.Bernoulli(%arg0) {dtype = 9 : i64, seed = 1.000000e+00 : f32}
  // CHECK-SAME: : (tensor<3xf32>) -> tensor<3xi1>
  %0 = onnx.Bernoulli(%input) {dtype = 9 : i64, seed = 1.000000e+00 : f32}
      : (tensor<3xf32>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: @multinomial(
func.func @multinomial(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Multinomial(%arg0) {dtype = 7 : i64, sample_size = 4 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x4xi64>
  %0 = onnx.Multinomial(%input) {dtype = 7 : i64, sample_size = 4 : i64}
      : (tensor<2x3xf32>) -> tensor<2x4xi64>
  return
}

// CHECK-LABEL: @randomnormal(
func.func @randomnormal() {
  // CHECK: onnx.RandomNormal()
  // CHECK-SAME: {dtype = 11 : i64, mean = 1.000000e+00 : f32, shape = array<i64: 2, 3>}
  // CHECK-SAME: : () -> tensor<2x3xf64>
  %0 = onnx.RandomNormal()
      {dtype = 11 : i64, mean = 1.000000e+00 : f32, shape = array<i64: 2, 3>}
      : () -> tensor<2x3xf64>
  return
}

// CHECK-LABEL: @randomnormallike(
func.func @randomnormallike(%input: tensor<2x3xf32>) {
  // CHECK: onnx.RandomNormalLike(%arg0) {scale = 2.000000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.RandomNormalLike(%input) {scale = 2.000000e+00 : f32}
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @randomuniform(
func.func @randomuniform() {
  // CHECK: onnx.RandomUniform()
  // CHECK-SAME: {high = 2.000000e+00 : f32, low = 1.000000e+00 : f32,
  // CHECK-SAME: shape = array<i64: 2, 3>}
  // CHECK-SAME: : () -> tensor<2x3xf32>
  %0 = onnx.RandomUniform()
      {high = 2.000000e+00 : f32, low = 1.000000e+00 : f32, shape = array<i64: 2, 3>}
      : () -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @randomuniformlike(
func.func @randomuniformlike(%input: tensor<2x3xi64>) {
  // CHECK: onnx.RandomUniformLike(%arg0) {dtype = 10 : i64}
  // CHECK-SAME: : (tensor<2x3xi64>) -> tensor<2x3xf16>
  %0 = onnx.RandomUniformLike(%input) {dtype = 10 : i64}
      : (tensor<2x3xi64>) -> tensor<2x3xf16>
  return
}

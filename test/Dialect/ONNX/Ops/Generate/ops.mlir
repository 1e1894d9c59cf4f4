// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @constantofshape(
func.func @constantofshape(%input: tensor<3xi64>) {
  // CHECK: onnx.ConstantOfShape(%arg0) {value = dense<1> : tensor<1xi64>}
  // CHECK-SAME: : (tensor<3xi64>) -> tensor<?x?x?xi64>
  %0 = onnx.ConstantOfShape(%input) {value = dense<1> : tensor<1xi64>}
      : (tensor<3xi64>) -> tensor<?x?x?xi64>
  return
}

// CHECK-LABEL: @constantofshape_2(
func.func @constantofshape_2(%input: tensor<?xi64>) {
  // CHECK: onnx.ConstantOfShape(%arg0) : (tensor<?xi64>) -> tensor<*xf32>
  %0 = onnx.ConstantOfShape(%input) : (tensor<?xi64>) -> tensor<*xf32>
  return
}

// CHECK-LABEL: @eyelike(
func.func @eyelike(%input: tensor<4x5xi32>) {
  // CHECK: onnx.EyeLike(%arg0) {dtype = 11 : i64, k = 1 : i64}
  // CHECK-SAME: : (tensor<4x5xi32>) -> tensor<4x5xf64>
  %0 = onnx.EyeLike(%input) {dtype = 11 : i64, k = 1 : i64}
      : (tensor<4x5xi32>) -> tensor<4x5xf64>
  return
}

// CHECK-LABEL: @onehot(
func.func @onehot(%indices: tensor<2x3xi64>, %depth: tensor<i64>,
                  %values: tensor<2xf32>) {
  // CHECK: onnx.OneHot(%arg0, %arg1, %arg2) {axis = 2 : i64}
  // CHECK-SAME: : (tensor<2x3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<2x3x?xf32>
  %0 = onnx.OneHot(%indices, %depth, %values) {axis = 2 : i64}
      : (tensor<2x3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<2x3x?xf32>
  return
}

// CHECK-LABEL: @range(
func.func @range(%start: tensor<i64>, %limit: tensor<i64>, %delta: tensor<i64>) {
  // CHECK: onnx.Range(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %0 = onnx.Range(%start, %limit, %delta)
      : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return
}

// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @scatter(
func.func @scatter(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>,
                   %updates: tensor<3x2xf32>) {
  // CHECK: onnx.Scatter(%arg0, %arg1, %arg2) {axis = 1 : i64}
  // CHECK-SAME: : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %0 = onnx.Scatter(%data, %indices, %updates) {axis = 1 : i64}
      : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: @scatterelements(
func.func @scatterelements(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>,
                           %updates: tensor<3x2xf32>) {
  // CHECK: onnx.ScatterElements(%arg0, %arg1, %arg2) {axis = 1 : i64, reduction = "max"}
  // CHECK-SAME: : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %0 = onnx.ScatterElements(%data, %indices, %updates) {axis = 1 : i64, reduction = "max"}
      : (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: @scatternd(
func.func @scatternd(%data: tensor<4x4x4xf32>, %indices: tensor<2x1xi64>,
                     %updates: tensor<2x4x4xf32>) {
  // CHECK: onnx.ScatterND(%arg0, %arg1, %arg2) {reduction = "add"}
  // CHECK-SAME: : (tensor<4x4x4xf32>, tensor<2x1xi64>, tensor<2x4x4xf32>)
  // CHECK-SAME: -> tensor<4x4x4xf32>
  %0 = onnx.ScatterND(%data, %indices, %updates) {reduction = "add"}
      : (tensor<4x4x4xf32>, tensor<2x1xi64>, tensor<2x4x4xf32>) -> tensor<4x4x4xf32>
  return
}

// CHECK-LABEL: @tensorscatter(
func.func @tensorscatter(%past_cache: tensor<2x8x4xf32>, %update: tensor<2x1x4xf32>,
                         %write_indices: tensor<2xi64>) {
  // CHECK: onnx.TensorScatter(%arg0, %arg1, %arg2) {axis = 1 : i64, mode = "circular"}
  // CHECK-SAME: : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>)
  // CHECK-SAME: -> tensor<2x8x4xf32>
  %0 = onnx.TensorScatter(%past_cache, %update, %write_indices)
      {axis = 1 : i64, mode = "circular"}
      : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>) -> tensor<2x8x4xf32>
  return
}

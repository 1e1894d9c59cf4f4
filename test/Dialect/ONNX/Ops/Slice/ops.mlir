// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @centercroppad(
func.func @centercroppad(%input_data: tensor<20x10x3xf32>, %shape: tensor<2xi32>) {
  // CHECK: onnx.CenterCropPad(%arg0, %arg1) {axes = array<i64: 0, -1>}
  // CHECK-SAME: : (tensor<20x10x3xf32>, tensor<2xi32>) -> tensor<10x10x9xf32>
  %0 = onnx.CenterCropPad(%input_data, %shape) {axes = array<i64: 0, -1>}
      : (tensor<20x10x3xf32>, tensor<2xi32>) -> tensor<10x10x9xf32>
  return
}

// CHECK-LABEL: @compress(
func.func @compress(%input: tensor<3x2xf32>, %condition: tensor<3xi1>) {
  // CHECK: onnx.Compress(%arg0, %arg1) {axis = 0 : i64}
  // CHECK-SAME: : (tensor<3x2xf32>, tensor<3xi1>) -> tensor<?x2xf32>
  %0 = onnx.Compress(%input, %condition) {axis = 0 : i64}
      : (tensor<3x2xf32>, tensor<3xi1>) -> tensor<?x2xf32>
  return
}

// CHECK-LABEL: @compress_2(
func.func @compress_2(%input: tensor<3x2xf32>, %condition: tensor<3xi1>) {
  // CHECK: onnx.Compress(%arg0, %arg1) : (tensor<3x2xf32>, tensor<3xi1>) -> tensor<?xf32>
  %0 = onnx.Compress(%input, %condition)
      : (tensor<3x2xf32>, tensor<3xi1>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: @nonzero(
func.func @nonzero(%X: tensor<2x3xi1>) {
  // CHECK: onnx.NonZero(%arg0) : (tensor<2x3xi1>) -> tensor<2x?xi64>
  %0 = onnx.NonZero(%X) : (tensor<2x3xi1>) -> tensor<2x?xi64>
  return
}

// CHECK-LABEL: @slice(
func.func @slice(%data: tensor<20x10x5xf32>, %starts: tensor<2xi64>,
                 %ends: tensor<2xi64>, %steps: tensor<2xi64>) {
  // CHECK: onnx.Slice(%arg0, %arg1, %arg2, _, %arg3)
  // CHECK-SAME: : (tensor<20x10x5xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
  // CHECK-SAME: -> tensor<3x10x5xf32>
  %0 = onnx.Slice(%data, %starts, %ends, _, %steps)
      : (tensor<20x10x5xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
      -> tensor<3x10x5xf32>
  return
}

// CHECK-LABEL: @split(
func.func @split(%input: tensor<2x6xf32>) {
  // CHECK: onnx.Split(%arg0) {axis = 1 : i64, num_outputs = 2 : i64}
  // CHECK-SAME: : (tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %0:2 = onnx.Split(%input) {axis = 1 : i64, num_outputs = 2 : i64}
      : (tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// CHECK-LABEL: @split_2(
func.func @split_2(%input: tensor<6xf32>, %split: tensor<3xi64>) {
  // CHECK: onnx.Split(%arg0, %arg1)
  // CHECK-SAME: : (tensor<6xf32>, tensor<3xi64>)
  // CHECK-SAME: -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>)
  %0:3 = onnx.Split(%input, %split)
      : (tensor<6xf32>, tensor<3xi64>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: @trilu(
func.func @trilu(%input: tensor<4x5xi64>, %k: tensor<i64>) {
  // CHECK: onnx.Trilu(%arg0, %arg1) {upper = 0 : i64}
  // CHECK-SAME: : (tensor<4x5xi64>, tensor<i64>) -> tensor<4x5xi64>
  %0 = onnx.Trilu(%input, %k) {upper = 0 : i64}
      : (tensor<4x5xi64>, tensor<i64>) -> tensor<4x5xi64>
  return
}

// CHECK-LABEL: @unique(
func.func @unique(%X: tensor<3x3xf32>) {
  // CHECK: onnx.Unique(%arg0) {axis = 0 : i64, sorted = 0 : i64}
  // CHECK-SAME: : (tensor<3x3xf32>) -> (tensor<?x3xf32>, _, tensor<3xi64>)
  %0:2 = onnx.Unique(%X) {axis = 0 : i64, sorted = 0 : i64}
      : (tensor<3x3xf32>) -> (tensor<?x3xf32>, _, tensor<3xi64>)
  return
}

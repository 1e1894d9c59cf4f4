// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @depthtospace(
func.func @depthtospace(%input: tensor<1x8x2x3xf32>) {
  // CHECK: onnx.DepthToSpace(%arg0) {blocksize = 2 : i64, mode = "CRD"}
  // CHECK-SAME: : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  %0 = onnx.DepthToSpace(%input) {blocksize = 2 : i64, mode = "CRD"}
      : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  return
}

// CHECK-LABEL: @reversesequence(
func.func @reversesequence(%input: tensor<4x4xf32>, %sequence_lens: tensor<4xi64>) {
  // CHECK: onnx.ReverseSequence(%arg0, %arg1) {batch_axis = 0 : i64, time_axis = 1 : i64}
  // CHECK-SAME: : (tensor<4x4xf32>, tensor<4xi64>) -> tensor<4x4xf32>
  %0 = onnx.ReverseSequence(%input, %sequence_lens)
      {batch_axis = 0 : i64, time_axis = 1 : i64}
      : (tensor<4x4xf32>, tensor<4xi64>) -> tensor<4x4xf32>
  return
}

// CHECK-LABEL: @spacetodepth(
func.func @spacetodepth(%input: tensor<1x2x4x6xf32>) {
  // CHECK: onnx.SpaceToDepth(%arg0) {blocksize = 2 : i64}
  // CHECK-SAME: : (tensor<1x2x4x6xf32>) -> tensor<1x8x2x3xf32>
  %0 = onnx.SpaceToDepth(%input) {blocksize = 2 : i64}
      : (tensor<1x2x4x6xf32>) -> tensor<1x8x2x3xf32>
  return
}

// CHECK-LABEL: @transpose(
func.func @transpose(%data: tensor<2x3x4xf32>) {
  // CHECK: onnx.Transpose(%arg0) {perm = array<i64: 1, 0, 2>}
  // CHECK-SAME: : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %0 = onnx.Transpose(%data) {perm = array<i64: 1, 0, 2>}
      : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  return
}

// CHECK-LABEL: @transpose_2(
func.func @transpose_2(%data: tensor<*xf32>) {
  // CHECK: onnx.Transpose(%arg0) : (tensor<*xf32>) -> tensor<*xf32>
  %0 = onnx.Transpose(%data) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// RUN: invar-opt --invar-decompose --split-input-file %s | FileCheck %s

// CHECK-LABEL: @decompose_einsum(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:
func.func @decompose_einsum(%x: tensor<4x2x3x8xf32>, %y: tensor<5x2x3x8xf32>) -> tensor<2x3x4x5xf32> {
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[X]]) {perm = array<i64: 1, 2, 0, 3>}
  // CHECK: %[[TRANSPOSE2:.*]] = onnx.Transpose(%[[Y]]) {perm = array<i64: 1, 2, 3, 0>}
  // CHECK: %[[MAT_MUL:.*]] = onnx.MatMul(%[[TRANSPOSE]], %[[TRANSPOSE2]])
  // CHECK: return %[[MAT_MUL]]
  %0 = onnx.Einsum(%x, %y) {equation = "ibnd,jbnd->bnij"} : (tensor<4x2x3x8xf32>, tensor<5x2x3x8xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: @decompose_einsum_with_merged_axes(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[W:[^:]*]]:
func.func @decompose_einsum_with_merged_axes(%x: tensor<?x2x8xf32, #onnx.dims<"i", "", "">>, %w: tensor<8x3x4xf32>) -> tensor<?x2x3x4xf32, #onnx.dims<"i", "", "", "">> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[8, 12]>
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[W]], %[[SIZES]])
  // CHECK: %[[MAT_MUL:.*]] = onnx.MatMul(%[[X]], %[[RESHAPE]])
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[0, 0, 3, 4]>
  // CHECK: %[[RESHAPE2:.*]] = onnx.Reshape(%[[MAT_MUL]], %[[SIZES2]])
  // CHECK: return %[[RESHAPE2]]
  %0 = onnx.Einsum(%x, %w) {equation = "ibh,hnd->ibnd"} : (tensor<?x2x8xf32, #onnx.dims<"i", "", "">>, tensor<8x3x4xf32>) -> tensor<?x2x3x4xf32, #onnx.dims<"i", "", "", "">>
  return %0 : tensor<?x2x3x4xf32, #onnx.dims<"i", "", "", "">>
}

// -----

// CHECK-LABEL: @decompose_einsum_of_rows(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:
func.func @decompose_einsum_of_rows(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[Y]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[MUL]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: return %[[REDUCE_SUM]]
  %0 = onnx.Einsum(%x, %y) {equation = "bi,bi->b"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @decompose_einsum_of_diagonal(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_einsum_of_diagonal(%x: tensor<2x3x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[0, 9]>
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[X]], %[[SIZES]])
  // CHECK: %[[SLICE:.*]] = onnx.Slice(%[[RESHAPE]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: return %[[SLICE]]
  %0 = onnx.Einsum(%x) {equation = "bii->bi"} : (tensor<2x3x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_einsum_of_unknown_diagonal(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_einsum_of_unknown_diagonal(%x: tensor<?x?xf32, #onnx.dims<"n", "n">>) -> tensor<f32> {
  // CHECK: %[[SHAPE:.*]] = onnx.Shape(%[[X]]) {end = 1 : i64, start = 0 : i64}
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[SHAPE]], %[[SHAPE]])
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[X]], %[[MUL]]) {allowzero = 1 : i64}
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[SHAPE]], %{{.*}})
  // CHECK: %[[SLICE:.*]] = onnx.Slice(%[[RESHAPE]], %{{.*}}, %{{.*}}, %{{.*}}, %[[ADD]])
  // CHECK: %[[RESHAPE2:.*]] = onnx.Reshape(%[[SLICE]], %[[SHAPE]]) {allowzero = 1 : i64}
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[RESHAPE2]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: return %[[REDUCE_SUM]]
  %0 = onnx.Einsum(%x) {equation = "ii"} : (tensor<?x?xf32, #onnx.dims<"n", "n">>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @decompose_einsum_of_three(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:{{.*}} %[[Z:[^:]*]]:
func.func @decompose_einsum_of_three(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %z: tensor<4x5xf32>) -> tensor<2x5xf32> {
  // CHECK: %[[MAT_MUL:.*]] = onnx.MatMul(%[[X]], %[[Y]])
  // CHECK: %[[MAT_MUL2:.*]] = onnx.MatMul(%[[MAT_MUL]], %[[Z]])
  // CHECK: return %[[MAT_MUL2]]
  %0 = onnx.Einsum(%x, %y, %z) {equation = "ij,jk,kl->il"} : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

// One j may be 1, and repeated.
// CHECK-LABEL: @decompose_einsum_refused(
func.func @decompose_einsum_refused(%x: tensor<2x?xf32>, %y: tensor<?x4xf32>) -> tensor<2x4xf32> {
  // CHECK: onnx.Einsum(
  %0 = onnx.Einsum(%x, %y) {equation = "ij,jk->ik"} : (tensor<2x?xf32>, tensor<?x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

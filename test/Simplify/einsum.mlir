// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// CHECK-LABEL: @name_einsum(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @name_einsum(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[X]]) {perm = array<i64: 1, 0>}
  // CHECK: return %[[TRANSPOSE]]
  %0 = onnx.Einsum(%x) {equation = "ij->ji"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @name_einsum_of_products(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:
func.func @name_einsum_of_products(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %y: tensor<3xf32>) -> tensor<?x3xf32, #onnx.dims<"n", "">> {
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[Y]])
  // CHECK: return %[[MUL]]
  %0 = onnx.Einsum(%x, %y) {equation = "ij,j->ij"} : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<3xf32>) -> tensor<?x3xf32, #onnx.dims<"n", "">>
  return %0 : tensor<?x3xf32, #onnx.dims<"n", "">>
}

// -----

// CHECK-LABEL: @name_einsum_of_nothing(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @name_einsum_of_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: return %[[X]]
  %0 = onnx.Einsum(%x) {equation = "ij"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// It would take two.
// CHECK-LABEL: @name_einsum_refused(
func.func @name_einsum_refused(%x: tensor<2x3xf32>, %y: tensor<2xf32>) -> tensor<2x3xf32> {
  // CHECK: onnx.Einsum(
  %0 = onnx.Einsum(%x, %y) {equation = "ij,i->ij"} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @name_product(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:
func.func @name_product(%x: tensor<?x2x?xf32, #onnx.dims<"b", "", "k">>, %y: tensor<?x?x4xf32, #onnx.dims<"b", "k", "">>) -> tensor<?x2x4xf32, #onnx.dims<"b", "", "">> {
  // CHECK: %[[MAT_MUL:.*]] = onnx.MatMul(%[[X]], %[[Y]])
  // CHECK: return %[[MAT_MUL]]
  %0 = onnx.Einsum(%x, %y) {equation = "bij,bjk->bik"} : (tensor<?x2x?xf32, #onnx.dims<"b", "", "k">>, tensor<?x?x4xf32, #onnx.dims<"b", "k", "">>) -> tensor<?x2x4xf32, #onnx.dims<"b", "", "">>
  return %0 : tensor<?x2x4xf32, #onnx.dims<"b", "", "">>
}

// -----

// CHECK-LABEL: @name_product_transposed(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:
func.func @name_product_transposed(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<2x4xf32> {
  // CHECK: %[[GEMM:.*]] = onnx.Gemm(%[[X]], %[[Y]]) {transB = 1 : i64}
  // CHECK: return %[[GEMM]]
  %0 = onnx.Einsum(%x, %y) {equation = "ij,kj->ik"} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @name_product_of_one(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @name_product_of_one(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[X]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: return %[[REDUCE_SUM]]
  %0 = onnx.Einsum(%x) {equation = "ij->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// One of them would be transposed before.
// CHECK-LABEL: @name_product_refused(
func.func @name_product_refused(%x: tensor<5x2x3xf32>, %y: tensor<5x4x3xf32>) -> tensor<5x2x4xf32> {
  // CHECK: onnx.Einsum(
  %0 = onnx.Einsum(%x, %y) {equation = "bij,bkj->bik"} : (tensor<5x2x3xf32>, tensor<5x4x3xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

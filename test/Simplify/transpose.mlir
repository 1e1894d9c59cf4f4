// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-simplify="fuse=false" --split-input-file %s | FileCheck %s --check-prefix=EXACT

// CHECK-LABEL: @drop_transpose(
// CHECK-SAME: %[[X:[^:]*]]: tensor
func.func @drop_transpose(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 1>} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: @drop_transpose_refused(
func.func @drop_transpose_refused(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK: onnx.Transpose(
  %0 = onnx.Transpose(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @merge_transposes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3x4xf32>
func.func @merge_transposes(%x: tensor<2x3x4xf32>) -> (tensor<3x2x4xf32>, tensor<2x3x4xf32>) {
  %0 = onnx.Transpose(%x) : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  // CHECK: %[[Y:.*]] = onnx.Transpose(%[[X]]) {perm = array<i64: 1, 0, 2>}
  %1 = onnx.Transpose(%0) {perm = array<i64: 1, 2, 0>} : (tensor<4x3x2xf32>) -> tensor<3x2x4xf32>
  %2 = onnx.Transpose(%0) : (tensor<4x3x2xf32>) -> tensor<2x3x4xf32>
  // CHECK: return %[[Y]], %[[X]]
  return %1, %2 : tensor<3x2x4xf32>, tensor<2x3x4xf32>
}

// -----

// A sum of floats lies between them, which may round differently.
// CHECK-LABEL: @merge_transposes_refused(
func.func @merge_transposes_refused(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %axis = onnx.Constant dense<1> : tensor<i64>
  // CHECK-COUNT-2: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = onnx.CumSum(%0, %axis) : (tensor<2x4x3xf32>, tensor<i64>) -> tensor<2x4x3xf32>
  %2 = onnx.Transpose(%1) {perm = array<i64: 1, 2, 0>} : (tensor<2x4x3xf32>) -> tensor<4x3x2xf32>
  return %2 : tensor<4x3x2xf32>
}

// -----

// Through what treats elements by themselves, or names axes; the bias is put in order.
// CHECK-LABEL: @cancel_transposes(
// EXACT-LABEL: @cancel_transposes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4x5x3xf32
func.func @cancel_transposes(%x: tensor<?x4x5x3xf32, #onnx.dims<"n", "", "", "">>) -> tensor<?x3x5x3xf32> {
  %bias = onnx.Constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
  %start = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %end = onnx.Constant dense<[9, 9]> : tensor<2xi64>
  %axes = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  // CHECK-DAG: %[[BIAS:.*]] = onnx.Constant {{.*}} tensor<1x1x1x3xf32>
  // CHECK-DAG: %[[AXES:.*]] = onnx.Constant {{.*}}dense<[0, 1]> : tensor<2xi64>
  // CHECK-DAG: %[[SUM:.*]] = onnx.Add(%[[X]], %[[BIAS]])
  // CHECK-DAG: %[[RELU:.*]] = onnx.Relu(%[[SUM]])
  // CHECK-DAG: onnx.Slice(%[[RELU]], %{{.*}}, %{{.*}}, %[[AXES]])
  // CHECK-NOT: onnx.Transpose(
  // EXACT-NOT: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<?x4x5x3xf32, #onnx.dims<"n", "", "", "">>) -> tensor<*xf32>
  %1 = onnx.Add(%0, %bias) : (tensor<*xf32>, tensor<3x1x1xf32>) -> tensor<*xf32>
  %2 = onnx.Relu(%1) : (tensor<*xf32>) -> tensor<*xf32>
  %3 = onnx.Slice(%2, %start, %end, %axes) : (tensor<*xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  %4 = onnx.Transpose(%3) {perm = array<i64: 0, 2, 3, 1>} : (tensor<*xf32>) -> tensor<?x3x5x3xf32>
  // EXACT: return
  return %4 : tensor<?x3x5x3xf32>
}

// -----

// Something else uses what is between: there would be as many.
// CHECK-LABEL: @cancel_transposes_refused(
func.func @cancel_transposes_refused(%x: tensor<2x3x4xf32>) -> (tensor<2x4x3xf32>, tensor<2x3x4xf32>) {
  // CHECK-COUNT-2: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = onnx.Relu(%0) : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %2 = onnx.Transpose(%1) {perm = array<i64: 0, 2, 1>} : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  return %1, %2 : tensor<2x4x3xf32>, tensor<2x3x4xf32>
}

// -----

// A sum may round differently.
// CHECK-LABEL: @cancel_transposes_of_sums(
// EXACT-LABEL: @cancel_transposes_of_sums(
func.func @cancel_transposes_of_sums(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // EXACT-COUNT-2: onnx.Transpose(
  // CHECK: onnx.Softmax(%{{.*}}) {axis = 1 : i64}
  // CHECK-NOT: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = onnx.Softmax(%0) : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %2 = onnx.Transpose(%1) {perm = array<i64: 0, 2, 1>} : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// -----

// They only change places with a Softmax then.
// CHECK-LABEL: @cancel_transposes_of_sums_refused(
func.func @cancel_transposes_of_sums_refused(%x: tensor<2x3x4xf32>, %y: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  // CHECK-COUNT-1: onnx.Transpose(
  // CHECK-NOT: onnx.Transpose(
  %0 = onnx.Softmax(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = onnx.Transpose(%0) {perm = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %2 = onnx.Add(%1, %y) : (tensor<4x2x3xf32>, tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  return %2 : tensor<4x2x3xf32>
}

// -----

// CHECK-LABEL: @join_transposes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3x4xf32>, %[[Y:[^:]*]]: tensor<2x1x4xf32>
func.func @join_transposes(%x: tensor<2x3x4xf32>, %y: tensor<2x1x4xf32>) -> tensor<4x2x3xf32> {
  // CHECK: %[[NEG:.*]] = onnx.Neg(%[[Y]])
  // CHECK: %[[PRODUCT:.*]] = onnx.Mul(%[[X]], %[[NEG]])
  // CHECK: %[[RESULT:.*]] = onnx.Transpose(%[[PRODUCT]]) {perm = array<i64: 2, 0, 1>}
  // CHECK-NEXT: return %[[RESULT]]
  %0 = onnx.Transpose(%x) {perm = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = onnx.Transpose(%y) {perm = array<i64: 2, 0, 1>} : (tensor<2x1x4xf32>) -> tensor<4x2x1xf32>
  %2 = onnx.Neg(%1) : (tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
  %3 = onnx.Mul(%0, %2) : (tensor<4x2x3xf32>, tensor<4x2x1xf32>) -> tensor<4x2x3xf32>
  return %3 : tensor<4x2x3xf32>
}

// -----

// In two orders; and one is used besides.
// CHECK-LABEL: @join_transposes_refused(
func.func @join_transposes_refused(%x: tensor<3x3x3xf32>, %y: tensor<3x3x3xf32>) -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3xf32>) {
  // CHECK: %[[A:.*]] = onnx.Transpose(%arg0) {perm = array<i64: 2, 0, 1>}
  // CHECK: %[[B:.*]] = onnx.Transpose(%arg1) {perm = array<i64: 1, 0, 2>}
  // CHECK: onnx.Add(%[[A]], %[[B]])
  %0 = onnx.Transpose(%x) {perm = array<i64: 2, 0, 1>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %1 = onnx.Transpose(%y) {perm = array<i64: 1, 0, 2>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %2 = onnx.Add(%0, %1) : (tensor<3x3x3xf32>, tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  // CHECK: %[[C:.*]] = onnx.Transpose(%arg0) {perm = array<i64: 1, 0, 2>}
  // CHECK: onnx.Mul(%[[C]], %[[B]])
  %3 = onnx.Transpose(%x) {perm = array<i64: 1, 0, 2>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %4 = onnx.Mul(%3, %1) : (tensor<3x3x3xf32>, tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return %2, %4, %1 : tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3xf32>
}

// -----

// CHECK-LABEL: @reduce_transposed(
func.func @reduce_transposed(%x: tensor<2x3x4x5xf32>) -> (tensor<2x5xf32>, tensor<2x3x5xi64>) {
  %axes = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: %[[AXES:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK-DAG: onnx.ReduceMax(%arg0, %[[AXES]]) {keepdims = 0 : i64}
  // CHECK-DAG: onnx.ArgMax(%arg0) {axis = 2 : i64, keepdims = 0 : i64}
  // CHECK-NOT: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32>
  %1 = onnx.ReduceMax(%0, %axes) {keepdims = 0 : i64} : (tensor<2x5x3x4xf32>, tensor<2xi64>) -> tensor<2x5xf32>
  %2 = onnx.Transpose(%x) {perm = array<i64: 2, 0, 1, 3>} : (tensor<2x3x4x5xf32>) -> tensor<4x2x3x5xf32>
  %3 = onnx.ArgMax(%2) {keepdims = 0 : i64} : (tensor<4x2x3x5xf32>) -> tensor<2x3x5xi64>
  return %1, %3 : tensor<2x5xf32>, tensor<2x3x5xi64>
}

// -----

// What is left is not in order.
// CHECK-LABEL: @reduce_transposed_refused(
func.func @reduce_transposed_refused(%x: tensor<2x3x4x5xf32>) -> tensor<5x2xf32> {
  %axes = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 3, 0, 1, 2>} : (tensor<2x3x4x5xf32>) -> tensor<5x2x3x4xf32>
  %1 = onnx.ReduceMax(%0, %axes) {keepdims = 0 : i64} : (tensor<5x2x3x4xf32>, tensor<2xi64>) -> tensor<5x2xf32>
  return %1 : tensor<5x2xf32>
}

// -----

// CHECK-LABEL: @sum_transposed(
func.func @sum_transposed(%x: tensor<?x3x4x5xf32>) -> tensor<?x5xf32> {
  %axes = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: %[[AXES:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK-DAG: onnx.ReduceMean(%arg0, %[[AXES]]) {keepdims = 0 : i64}
  // CHECK-NOT: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<?x3x4x5xf32>) -> tensor<?x5x3x4xf32>
  %1 = onnx.ReduceMean(%0, %axes) {keepdims = 0 : i64} : (tensor<?x5x3x4xf32>, tensor<2xi64>) -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

// Which axes are summed over is not known.
// CHECK-LABEL: @sum_transposed_refused(
func.func @sum_transposed_refused(%x: tensor<?x3x4x5xf32>, %axes: tensor<2xi64>) -> tensor<*xf32> {
  // CHECK: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<?x3x4x5xf32>) -> tensor<?x5x3x4xf32>
  %1 = onnx.ReduceMean(%0, %axes) {keepdims = 0 : i64} : (tensor<?x5x3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @swap_matmul(
func.func @swap_matmul(%a: tensor<2x3x4xf32>, %b: tensor<2x5x3xf32>) -> tensor<2x4x5xf32> {
  // CHECK: %[[PRODUCT:.*]] = onnx.MatMul(%arg1, %arg0)
  // CHECK: onnx.Transpose(%[[PRODUCT]]) {perm = array<i64: 0, 2, 1>}
  // CHECK-NOT: onnx.Transpose(
  %0 = onnx.Transpose(%a) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = onnx.Transpose(%b) {perm = array<i64: 0, 2, 1>} : (tensor<2x5x3xf32>) -> tensor<2x3x5xf32>
  %2 = onnx.MatMul(%0, %1) : (tensor<2x4x3xf32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %2 : tensor<2x4x5xf32>
}

// -----

// One is not of matrices.
// CHECK-LABEL: @swap_matmul_refused(
func.func @swap_matmul_refused(%a: tensor<2x3x4xf32>, %b: tensor<3x2x5xf32>) -> tensor<2x4x5xf32> {
  // CHECK-COUNT-2: onnx.Transpose(
  // CHECK: onnx.MatMul(
  %0 = onnx.Transpose(%a) {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = onnx.Transpose(%b) {perm = array<i64: 1, 0, 2>} : (tensor<3x2x5xf32>) -> tensor<2x3x5xf32>
  %2 = onnx.MatMul(%0, %1) : (tensor<2x4x3xf32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %2 : tensor<2x4x5xf32>
}

// -----

// CHECK-LABEL: @transpose_gemm(
func.func @transpose_gemm(%a: tensor<3x4xf32>, %b: tensor<5x3xf32>) -> tensor<4x5xf32> {
  // CHECK: onnx.Gemm(%arg0, %arg1) {transA = 1 : i64, transB = 1 : i64}
  %0 = onnx.Transpose(%a) : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %1 = onnx.Gemm(%0, %b) {transB = 1 : i64} : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

// The Transpose would stay for the other.
// CHECK-LABEL: @transpose_gemm_refused(
func.func @transpose_gemm_refused(%a: tensor<3x4xf32>, %b: tensor<5x3xf32>) -> (tensor<4x5xf32>, tensor<4x3xf32>) {
  // CHECK: %[[A:.*]] = onnx.Transpose(
  // CHECK: onnx.Gemm(%[[A]],
  %0 = onnx.Transpose(%a) : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %1 = onnx.Gemm(%0, %b) {transB = 1 : i64} : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
  return %1, %0 : tensor<4x5xf32>, tensor<4x3xf32>
}

// -----

// Only ones move, so that elements stay where they are.
// CHECK-LABEL: @reshape_transposed(
func.func @reshape_transposed(%x: tensor<?x1x4xf32, #onnx.dims<"n", "", "">>) -> tensor<*xf32> {
  %target = onnx.Constant dense<[0, 2, 2]> : tensor<3xi64>
  // CHECK: onnx.Reshape(%arg0,
  // CHECK-NOT: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 2, 1>} : (tensor<?x1x4xf32, #onnx.dims<"n", "", "">>) -> tensor<*xf32>
  %1 = onnx.Reshape(%0, %target) : (tensor<*xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// It is not known that one of them is a one.
// CHECK-LABEL: @reshape_transposed_refused(
func.func @reshape_transposed_refused(%x: tensor<?x?x4xf32>) -> tensor<*xf32> {
  %flat = onnx.Constant dense<-1> : tensor<1xi64>
  // CHECK: onnx.Transpose(
  %0 = onnx.Transpose(%x) {perm = array<i64: 1, 0, 2>} : (tensor<?x?x4xf32>) -> tensor<*xf32>
  %1 = onnx.Reshape(%0, %flat) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @transpose_reshaped(
func.func @transpose_reshaped(%x: tensor<?x6xf32, #onnx.dims<"n", "">>) -> tensor<*xf32> {
  %target = onnx.Constant dense<[-1, 3, 1]> : tensor<3xi64>
  // CHECK: %[[TARGET:.*]] = onnx.Constant {{.*}}dense<[1, -1, 3]>
  // CHECK: onnx.Reshape(%arg0, %[[TARGET]])
  // CHECK-NOT: onnx.Transpose(
  %0 = onnx.Reshape(%x, %target) : (tensor<?x6xf32, #onnx.dims<"n", "">>, tensor<3xi64>) -> tensor<*xf32>
  %1 = onnx.Transpose(%0) {perm = array<i64: 2, 0, 1>} : (tensor<*xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Elements change places.
// CHECK-LABEL: @transpose_reshaped_refused(
func.func @transpose_reshaped_refused(%x: tensor<?x6xf32, #onnx.dims<"n", "">>) -> tensor<*xf32> {
  %target = onnx.Constant dense<[-1, 3, 1]> : tensor<3xi64>
  // CHECK: onnx.Transpose(
  %0 = onnx.Reshape(%x, %target) : (tensor<?x6xf32, #onnx.dims<"n", "">>, tensor<3xi64>) -> tensor<*xf32>
  %1 = onnx.Transpose(%0) {perm = array<i64: 2, 1, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

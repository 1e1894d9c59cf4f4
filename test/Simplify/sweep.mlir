// RUN: invar-opt --invar-simplify %s | FileCheck %s
// RUN: invar-opt --invar-canonicalize %s | FileCheck %s --check-prefix=CANONICAL

// What nothing uses goes, and all that only it used.
// CHECK-LABEL: @drop_dead(
// CHECK-NEXT: return %{{.*}}
func.func @drop_dead(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Neg(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<2xf32>
}

// One result of several is enough to stay.
// CHECK-LABEL: @drop_dead_refused(
// CHECK: onnx.TopK(
func.func @drop_dead_refused(%x: tensor<8xf32>) -> tensor<2xi64> {
  %k = onnx.Constant dense<2> : tensor<1xi64>
  %values, %indices = onnx.TopK(%x, %k) : (tensor<8xf32>, tensor<1xi64>) -> (tensor<2xf32>, tensor<2xi64>)
  return %indices : tensor<2xi64>
}

// Rules look at elements that must be computed when they are stored.
// CHECK-LABEL: @stored_elements(
// CHECK-NEXT: %[[Y:.*]] = onnx.Relu(
// CHECK-NEXT: return %[[Y]]
func.func @stored_elements(%x: tensor<4xf32>) -> tensor<4xf32> {
  %count = onnx.Constant dense<[0, 1, 2, 3]> : tensor<4xi64>
  %limit = onnx.Constant dense<8> : tensor<i64>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %0 = onnx.Less(%count, %limit) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
  %1 = onnx.Relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Where(%0, %1, %zero) : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// What is known though its operand is not becomes a constant on the way, and the operand has a
// user less.
// CHECK-LABEL: @fold_known(
// CANONICAL-LABEL: @fold_known(
// CANONICAL: %[[C:.*]] = onnx.Constant {{.*}}dense<[2, 3]>
// CANONICAL-NEXT: return %[[C]]
func.func @fold_known(%x: tensor<2x3xf32>) -> tensor<2xi64> {
  %0 = onnx.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = onnx.Shape(%0) : (tensor<2x3xf32>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

// CHECK-LABEL: @fold_known_refused(
// CHECK: onnx.Shape(
func.func @fold_known_refused(%x: tensor<?x3xf32, #onnx.dims<"n", "">>) -> tensor<2xi64> {
  %0 = onnx.Shape(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// A constant needs no node.
// CHECK-LABEL: @constant_to_initializer(
// CANONICAL-LABEL: @constant_to_initializer(
// CANONICAL: onnx.Constant {onnx.initializer} dense<
func.func @constant_to_initializer(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<[1.0, 3.0]> : tensor<2xf32>
  %0 = onnx.Add(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A sparse one is small as it is.
// CHECK-LABEL: @constant_to_initializer_refused(
// CANONICAL-LABEL: @constant_to_initializer_refused(
// CANONICAL: onnx.Constant {sparse_value =
func.func @constant_to_initializer_refused(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = onnx.Constant {sparse_value = #onnx.sparse<dense<5.0> : tensor<1xf32>
      at dense<1> : tensor<1xi64> in tensor<3xf32>>} : tensor<3xf32>
  %0 = onnx.Add(%x, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// An output that is a sparse constant itself would be a sparse tensor.
// CANONICAL-LABEL: @sparse_output(
// CANONICAL: onnx.Constant {sparse_value =
// CANONICAL-NEXT: onnx.Identity
func.func @sparse_output() -> tensor<3xf32> {
  %c = onnx.Constant {sparse_value = #onnx.sparse<dense<5.0> : tensor<1xf32>
      at dense<1> : tensor<1xi64> in tensor<3xf32>>} : tensor<3xf32>
  %0 = onnx.Identity(%c) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// One way does it all: the two Transposes cancel, the Identity goes, the constant moves to the
// right and into the weights.
// CHECK-LABEL: @each_serves_the_next(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x2xf32
// CHECK: %[[Y:.*]] = onnx.{{Gemm|MatMul}}(%[[X]],
// CHECK-NOT: onnx.Transpose(
// CHECK-NOT: onnx.Mul(
// CHECK: return
func.func @each_serves_the_next(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %two = onnx.Constant dense<2.0> : tensor<f32>
  %0 = onnx.Transpose(%x) {perm = array<i64: 1, 0>} : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %1 = onnx.Transpose(%0) {perm = array<i64: 1, 0>} : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %2 = onnx.Identity(%1) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %3 = onnx.MatMul(%2, %w) : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %4 = onnx.Mul(%two, %3) : (tensor<f32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %4 : tensor<?x2xf32>
}

// What lies behind is visited again: %1 takes the constant of %0 when that has no other user
// any more, which is known only further down.
// CHECK-LABEL: @freed(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xi32>, %[[Y:[^:]*]]: tensor<2xi32>
// CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<[7, 8]>
// CHECK: %[[SUM:.*]] = onnx.Add(%[[X]], %[[C]])
// CHECK: return %[[SUM]], %[[Y]]
func.func @freed(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %c = onnx.Constant dense<3> : tensor<2xi32>
  %d = onnx.Constant dense<[4, 5]> : tensor<2xi32>
  %zero = onnx.Constant dense<0> : tensor<2xi32>
  %0 = onnx.Add(%x, %c) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = onnx.Add(%0, %d) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = onnx.Mul(%0, %zero) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %3 = onnx.Add(%y, %2) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %1, %3 : tensor<2xi32>, tensor<2xi32>
}

// Graphs of control flow are visited as the one around them is, and know what it knows.
// CHECK-LABEL: @inside(
// CHECK: onnx.If(
// CHECK-NOT: onnx.Identity(
// CHECK: onnx.Neg(
// CHECK-NOT: onnx.Identity(
// CHECK: return
func.func @inside(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<2xf32> {
    %1 = onnx.Identity(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = onnx.Neg(%1) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%2) : tensor<2xf32>
  } {
    %1 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = onnx.Identity(%1) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%2) : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

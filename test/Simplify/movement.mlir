// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// What has its operand's type and order vanishes, also where sizes are names.
// CHECK-LABEL: @unmoved(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4xf32
func.func @unmoved(%x: tensor<?x4xf32, #onnx.dims<"n", "">>) -> tensor<?x4xf32> {
  %shape = onnx.Shape(%x) : (tensor<?x4xf32, #onnx.dims<"n", "">>) -> tensor<2xi64>
  %0 = onnx.Reshape(%x, %shape) : (tensor<?x4xf32, #onnx.dims<"n", "">>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Expand(%0, %shape) : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  %ones = onnx.Constant dense<1> : tensor<2xi64>
  %2 = onnx.Tile(%1, %ones) : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  %none = onnx.Constant dense<0> : tensor<4xi64>
  %3 = onnx.Pad(%2, %none) : (tensor<*xf32>, tensor<4xi64>) -> tensor<*xf32>
  %start = onnx.Constant dense<0> : tensor<1xi64>
  %end = onnx.Constant dense<9> : tensor<1xi64>
  %axis = onnx.Constant dense<1> : tensor<1xi64>
  %4 = onnx.Slice(%3, %start, %end, %axis) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %5 = onnx.Flatten(%4) : (tensor<*xf32>) -> tensor<*xf32>
  %6 = onnx.Split(%5) {axis = 1 : i64, num_outputs = 1 : i64} : (tensor<*xf32>) -> tensor<*xf32>
  %7 = onnx.Concat(%6) {axis = 1 : i64} : (tensor<*xf32>) -> tensor<?x4xf32>
  %8 = onnx.Transpose(%7) {perm = array<i64: 0, 1>} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: return %[[X]]
  return %8 : tensor<?x4xf32>
}

// -----

// The type alone does not say that nothing moves.
// CHECK-LABEL: @moved(
func.func @moved(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  %first = onnx.Constant dense<-9> : tensor<1xi64>
  %axis = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK: onnx.Slice(
  %0 = onnx.Slice(%x, %last, %first, %axis, %last) : (tensor<2x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf32>
  %pads = onnx.Constant dense<[1, 0, -1, 0]> : tensor<4xi64>
  // CHECK: onnx.Pad(
  %1 = onnx.Pad(%x, %pads) : (tensor<2x2xf32>, tensor<4xi64>) -> tensor<2x2xf32>
  // CHECK: onnx.Transpose(
  %2 = onnx.Transpose(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @transposes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3x4xf32>
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<3x2x4xf32>, tensor<2x3x4xf32>) {
  %0 = onnx.Transpose(%x) : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  // CHECK: %[[Y:.*]] = onnx.Transpose(%[[X]]) {perm = array<i64: 1, 0, 2>}
  %1 = onnx.Transpose(%0) {perm = array<i64: 1, 2, 0>} : (tensor<4x3x2xf32>) -> tensor<3x2x4xf32>
  %2 = onnx.Transpose(%0) : (tensor<4x3x2xf32>) -> tensor<2x3x4xf32>
  // CHECK: return %[[Y]], %[[X]]
  return %1, %2 : tensor<3x2x4xf32>, tensor<2x3x4xf32>
}

// -----

// x[1:20:3][2:5:2] and a further axis of a size that is not known.
// CHECK-LABEL: @slices(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32
func.func @slices(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<20> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %t = onnx.Constant dense<3> : tensor<1xi64>
  %s2 = onnx.Constant dense<[-4, 2]> : tensor<2xi32>
  %e2 = onnx.Constant dense<[-1, 5]> : tensor<2xi32>
  %a2 = onnx.Constant dense<[-1, 0]> : tensor<2xi32>
  %t2 = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<[7, -4]>
  // CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<[16, -1]>
  // CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<[0, 1]>
  // CHECK-DAG: %[[T:.*]] = onnx.Constant {{.*}}dense<[6, 1]>
  // CHECK: onnx.Slice(%[[X]], %[[S]], %[[E]], %[[A]], %[[T]])
  %0 = onnx.Slice(%x, %s, %e, %a, %t) : (tensor<?x?xf32, #onnx.dims<"n", "m">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %s2, %e2, %a2, %t2) : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Counted from an end that is not known.
// CHECK-LABEL: @kept_slices(
func.func @kept_slices(%x: tensor<?xf32>) -> tensor<*xf32> {
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  // CHECK-COUNT-2: onnx.Slice(
  %0 = onnx.Slice(%x, %one, %last) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %one, %last) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @concats(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x2xf32>, %[[Y:[^:]*]]: tensor<1x2xf32>
func.func @concats(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>) -> (tensor<1x8xf32>, tensor<2x4xf32>) {
  %c = onnx.Constant dense<1.0> : tensor<1x2xf32>
  %d = onnx.Constant dense<2.0> : tensor<1x2xf32>
  // CHECK-DAG: %[[CD:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]]>
  // CHECK-DAG: onnx.Concat(%[[X]], %[[CD]], %[[Y]]) {axis = 1 : i64}
  %0 = onnx.Concat(%x, %c) {axis = -1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %1 = onnx.Concat(%0, %d, %y) {axis = 1 : i64} : (tensor<1x4xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x8xf32>
  // Along another axis.
  // CHECK-DAG: %[[XY:.*]] = onnx.Concat(%[[X]], %[[Y]]) {axis = 1 : i64}
  // CHECK-DAG: onnx.Concat(%[[XY]], %[[XY]]) {axis = 0 : i64}
  %2 = onnx.Concat(%x, %y) {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %3 = onnx.Concat(%2, %2) {axis = 0 : i64} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %1, %3 : tensor<1x8xf32>, tensor<2x4xf32>
}

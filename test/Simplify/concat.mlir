// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// CHECK-LABEL: @drop_concat(
func.func @drop_concat(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = onnx.Concat(%x) {axis = 0 : i64} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: @drop_concat_refused(
func.func @drop_concat_refused(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  // CHECK: onnx.Concat(
  %0 = onnx.Concat(%x, %x) {axis = 0 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: @flatten_concat(
func.func @flatten_concat(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>) -> tensor<1x6xf32> {
  // CHECK: onnx.Concat(%arg0, %arg1, %arg0) {axis = 1 : i64}
  %0 = onnx.Concat(%x, %y) {axis = -1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %1 = onnx.Concat(%0, %x) {axis = 1 : i64} : (tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  return %1 : tensor<1x6xf32>
}

// -----

// Along another axis, or used twice.
// CHECK-LABEL: @flatten_concat_refused(
func.func @flatten_concat_refused(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>) -> (tensor<2x4xf32>, tensor<1x8xf32>) {
  // CHECK: %[[XY:.*]] = onnx.Concat(%arg0, %arg1) {axis = 1 : i64}
  // CHECK: onnx.Concat(%[[XY]], %[[XY]]) {axis = 0 : i64}
  // CHECK: onnx.Concat(%[[XY]], %[[XY]]) {axis = 1 : i64}
  %0 = onnx.Concat(%x, %y) {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %1 = onnx.Concat(%0, %0) {axis = 0 : i64} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %2 = onnx.Concat(%0, %0) {axis = 1 : i64} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x8xf32>
  return %1, %2 : tensor<2x4xf32>, tensor<1x8xf32>
}

// -----

// CHECK-LABEL: @drop_empty_parts(
func.func @drop_empty_parts(%x: tensor<?x2xf32>, %y: tensor<0x2xf32>) -> tensor<*xf32> {
  %none = onnx.Constant dense<> : tensor<0x2xf32>
  // CHECK-NEXT: return %arg0
  %0 = onnx.Concat(%none, %x, %y) {axis = 0 : i64} : (tensor<0x2xf32>, tensor<?x2xf32>, tensor<0x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// It may be empty, and it may not be.
// CHECK-LABEL: @drop_empty_parts_refused(
func.func @drop_empty_parts_refused(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<*xf32> {
  // CHECK: onnx.Concat(%arg0, %arg1)
  %0 = onnx.Concat(%x, %y) {axis = 0 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @merge_parts(
func.func @merge_parts(%x: tensor<1x2xf32>) -> tensor<1x8xf32> {
  %c = onnx.Constant dense<1.0> : tensor<1x2xf32>
  %d = onnx.Constant dense<2.0> : tensor<1x2xf32>
  // CHECK: %[[CD:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]]>
  // CHECK: onnx.Concat(%arg0, %[[CD]], %arg0)
  %0 = onnx.Concat(%x, %c, %d, %x) {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

// CHECK-LABEL: @merge_parts_refused(
func.func @merge_parts_refused(%x: tensor<1x2xf32>) -> tensor<1x6xf32> {
  %c = onnx.Constant dense<1.0> : tensor<1x2xf32>
  %d = onnx.Constant dense<2.0> : tensor<1x2xf32>
  // CHECK: onnx.Concat(%{{.*}}, %arg0, %{{.*}})
  %0 = onnx.Concat(%c, %x, %d) {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  return %0 : tensor<1x6xf32>
}

// -----

// CHECK-LABEL: @join_split(
func.func @join_split(%x: tensor<?x5xf32>, %y: tensor<?x2xf32>) -> tensor<*xf32> {
  %sizes = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK: onnx.Concat(%arg1, %arg0) {axis = 1 : i64}
  // CHECK-NOT: onnx.Split(
  %0:2 = onnx.Split(%x, %sizes) {axis = -1 : i64} : (tensor<?x5xf32>, tensor<2xi64>) -> (tensor<?x2xf32>, tensor<?x3xf32>)
  %1 = onnx.Concat(%y, %0#0, %0#1) {axis = 1 : i64} : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// In another order.
// CHECK-LABEL: @join_split_refused(
func.func @join_split_refused(%x: tensor<?x5xf32>) -> tensor<*xf32> {
  %sizes = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK: onnx.Split(
  %0:2 = onnx.Split(%x, %sizes) {axis = -1 : i64} : (tensor<?x5xf32>, tensor<2xi64>) -> (tensor<?x2xf32>, tensor<?x3xf32>)
  %1 = onnx.Concat(%0#1, %0#0) {axis = 1 : i64} : (tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// All of it, at whatever place it is cut, and a part of it.
// CHECK-LABEL: @join_slices(
func.func @join_slices(%x: tensor<?xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %m1 = onnx.Constant dense<-1> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %3 = onnx.Constant dense<3> : tensor<1xi64>
  %4 = onnx.Constant dense<4> : tensor<1xi64>
  %end = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  // CHECK-DAG: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1>
  // CHECK-DAG: %[[FOUR:.*]] = onnx.Constant {{.*}}dense<4>
  // CHECK-DAG: %[[PART:.*]] = onnx.Slice(%arg0, %[[ONE]], %[[FOUR]]
  // CHECK: return %arg0, %[[PART]]
  %a = onnx.Slice(%x, %zero, %m1) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %b = onnx.Slice(%x, %m1, %end) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %ab = onnx.Concat(%a, %b) {axis = 0 : i64} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %c = onnx.Slice(%x, %one, %3) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %d = onnx.Slice(%x, %3, %4) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %cd = onnx.Concat(%c, %d) {axis = 0 : i64} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %ab, %cd : tensor<*xf32>, tensor<*xf32>
}

// -----

// Where one ends is behind where it begins, if the axis is short.
// CHECK-LABEL: @join_slices_refused(
func.func @join_slices_refused(%x: tensor<?xf32>) -> tensor<*xf32> {
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %m1 = onnx.Constant dense<-1> : tensor<1xi64>
  %end = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  // CHECK-COUNT-2: onnx.Slice(
  %a = onnx.Slice(%x, %one, %m1) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %b = onnx.Slice(%x, %m1, %end) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %ab = onnx.Concat(%a, %b) {axis = 0 : i64} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %ab : tensor<*xf32>
}

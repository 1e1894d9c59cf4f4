// RUN: invar-opt --invar-simplify %s | FileCheck %s
// RUN: invar-opt --invar-simplify=opset=12 %s | FileCheck %s --check-prefix=OLD

!t = tensor<?x4x8xf32>
!sums = tensor<?x4x1xf32>
!axes = tensor<1xi64>

// CHECK-LABEL: @make_softmax(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.Softmax(%[[X]])
// CHECK-NEXT: return %[[Y]]
// OLD-LABEL: @make_softmax(
// OLD: onnx.Softmax(
func.func @make_softmax(%x: !t) -> !t {
  %axes = onnx.Constant dense<-1> : !axes
  %0 = onnx.Exp(%x) : (!t) -> !t
  %1 = onnx.ReduceSum(%0, %axes) : (!t, !axes) -> !sums
  %2 = onnx.Div(%0, %1) : (!t, !sums) -> !t
  return %2 : !t
}

// Older opsets flatten what is not along the last axis.
// CHECK-LABEL: @make_softmax_of_channels(
// CHECK: onnx.Softmax(%{{.*}}) {axis = 1 : i64}
// OLD-LABEL: @make_softmax_of_channels(
// OLD-NOT: onnx.Softmax(
// OLD: onnx.Div(
func.func @make_softmax_of_channels(%x: !t) -> !t {
  %axes = onnx.Constant dense<1> : !axes
  %0 = onnx.Exp(%x) : (!t) -> !t
  %1 = onnx.ReduceSum(%0, %axes) : (!t, !axes) -> tensor<?x1x8xf32>
  %2 = onnx.Div(%0, %1) : (!t, tensor<?x1x8xf32>) -> !t
  return %2 : !t
}

// CHECK-LABEL: @make_softmax_refused(
// CHECK: onnx.Exp(
func.func @make_softmax_refused(%x: !t) -> !t {
  %axes = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %0 = onnx.Exp(%x) : (!t) -> !t
  %1 = onnx.ReduceSum(%0, %axes) : (!t, tensor<2xi64>) -> tensor<?x1x1xf32>
  %2 = onnx.Div(%0, %1) : (!t, tensor<?x1x1xf32>) -> !t
  return %2 : !t
}

// CHECK-LABEL: @make_log_softmax(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.LogSoftmax(%[[X]]) {axis = 1 : i64}
// CHECK-NEXT: return %[[Y]]
func.func @make_log_softmax(%x: !t) -> !t {
  %0 = onnx.Softmax(%x) {axis = 1 : i64} : (!t) -> !t
  %1 = onnx.Log(%0) : (!t) -> !t
  return %1 : !t
}

// CHECK-LABEL: @make_log_softmax_refused(
// CHECK: onnx.Log(
func.func @make_log_softmax_refused(%x: !t) -> (!t, !t) {
  %0 = onnx.Softmax(%x) : (!t) -> !t
  %1 = onnx.Log(%0) : (!t) -> !t
  return %1, %0 : !t, !t
}

// CHECK-LABEL: @sum_to_log_softmax(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.LogSoftmax(%[[X]])
// CHECK-NEXT: return %[[Y]]
func.func @sum_to_log_softmax(%x: !t) -> !t {
  %axes = onnx.Constant dense<2> : !axes
  %0 = onnx.Exp(%x) : (!t) -> !t
  %1 = onnx.ReduceSum(%0, %axes) : (!t, !axes) -> !sums
  %2 = onnx.Log(%1) : (!sums) -> !sums
  %3 = onnx.Sub(%x, %2) : (!t, !sums) -> !t
  return %3 : !t
}

// CHECK-LABEL: @sum_to_log_softmax_refused(
// CHECK: onnx.Sub(
func.func @sum_to_log_softmax_refused(%x: !t, %y: !t) -> !t {
  %axes = onnx.Constant dense<2> : !axes
  %0 = onnx.Exp(%y) : (!t) -> !t
  %1 = onnx.ReduceSum(%0, %axes) : (!t, !axes) -> !sums
  %2 = onnx.Log(%1) : (!sums) -> !sums
  %3 = onnx.Sub(%x, %2) : (!t, !sums) -> !t
  return %3 : !t
}

// CHECK-LABEL: @drop_softmax_shift(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.Softmax(%[[X]])
// CHECK-NEXT: return %[[Y]]
func.func @drop_softmax_shift(%x: !t) -> !t {
  %axes = onnx.Constant dense<2> : !axes
  %0 = onnx.ReduceMax(%x, %axes) : (!t, !axes) -> !sums
  %1 = onnx.Sub(%x, %0) : (!t, !sums) -> !t
  %2 = onnx.Softmax(%1) : (!t) -> !t
  return %2 : !t
}

// What is taken away is not the same along the axis.
// CHECK-LABEL: @drop_softmax_shift_refused(
// CHECK: onnx.ReduceMax(
func.func @drop_softmax_shift_refused(%x: !t) -> !t {
  %axes = onnx.Constant dense<1> : !axes
  %0 = onnx.ReduceMax(%x, %axes) : (!t, !axes) -> tensor<?x1x8xf32>
  %1 = onnx.Sub(%x, %0) : (!t, tensor<?x1x8xf32>) -> !t
  %2 = onnx.Softmax(%1) : (!t) -> !t
  return %2 : !t
}

// CHECK-LABEL: @drop_log_softmax_shift(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.LogSoftmax(%[[X]])
// CHECK-NEXT: return %[[Y]]
func.func @drop_log_softmax_shift(%x: !t) -> !t {
  %axes = onnx.Constant dense<2> : !axes
  %0 = onnx.ReduceMax(%x, %axes) : (!t, !axes) -> !sums
  %1 = onnx.Sub(%x, %0) : (!t, !sums) -> !t
  %2 = onnx.LogSoftmax(%1) : (!t) -> !t
  return %2 : !t
}

// CHECK-LABEL: @drop_log_softmax_shift_refused(
// CHECK: onnx.ReduceMax(
func.func @drop_log_softmax_shift_refused(%x: !t, %y: !t) -> !t {
  %axes = onnx.Constant dense<2> : !axes
  %0 = onnx.ReduceMax(%y, %axes) : (!t, !axes) -> !sums
  %1 = onnx.Sub(%x, %0) : (!t, !sums) -> !t
  %2 = onnx.LogSoftmax(%1) : (!t) -> !t
  return %2 : !t
}

// Below version 13 it was said like this, where the rank was not known.
// CHECK-LABEL: @drop_softmax_flattening(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[Y:.*]] = onnx.Softmax(%[[X]])
// CHECK-NEXT: return %[[Y]]
func.func @drop_softmax_flattening(%x: !t) -> tensor<*xf32> {
  %0 = onnx.Shape(%x) : (!t) -> tensor<3xi64>
  %1 = onnx.Flatten(%x) {axis = 2 : i64} : (!t) -> tensor<?x8xf32>
  %2 = onnx.Softmax(%1) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %3 = onnx.Reshape(%2, %0) : (tensor<?x8xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %3 : tensor<*xf32>
}

// The sums are over two axes.
// CHECK-LABEL: @drop_softmax_flattening_refused(
// CHECK: onnx.Flatten(
func.func @drop_softmax_flattening_refused(%x: !t) -> tensor<*xf32> {
  %0 = onnx.Shape(%x) : (!t) -> tensor<3xi64>
  %1 = onnx.Flatten(%x) : (!t) -> tensor<?x32xf32>
  %2 = onnx.Softmax(%1) : (tensor<?x32xf32>) -> tensor<?x32xf32>
  %3 = onnx.Reshape(%2, %0) : (tensor<?x32xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %3 : tensor<*xf32>
}

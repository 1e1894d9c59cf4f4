// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @argmax(
func.func @argmax(%data: tensor<2x3xf32>) {
  // CHECK: onnx.ArgMax(%arg0)
  // CHECK-SAME: {axis = -1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2xi64>
  %0 = onnx.ArgMax(%data)
      {axis = -1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64}
      : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// CHECK-LABEL: @argmin(
func.func @argmin(%data: tensor<2x3xf32>) {
  // CHECK: onnx.ArgMin(%arg0)
  // CHECK-SAME: {axis = -1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2xi64>
  %0 = onnx.ArgMin(%data)
      {axis = -1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64}
      : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// CHECK-LABEL: @cumprod(
func.func @cumprod(%x: tensor<2x3xf32>, %axis: tensor<i32>) {
  // CHECK: onnx.CumProd(%arg0, %arg1) {exclusive = 1 : i64, reverse = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  %0 = onnx.CumProd(%x, %axis) {exclusive = 1 : i64, reverse = 1 : i64}
      : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @cumsum(
func.func @cumsum(%x: tensor<2x3xf32>, %axis: tensor<i32>) {
  // CHECK: onnx.CumSum(%arg0, %arg1) {exclusive = 1 : i64, reverse = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  %0 = onnx.CumSum(%x, %axis) {exclusive = 1 : i64, reverse = 1 : i64}
      : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @reducel1(
func.func @reducel1(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceL1(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceL1(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducel2(
func.func @reducel2(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceL2(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceL2(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducelogsum(
func.func @reducelogsum(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceLogSum(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceLogSum(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducelogsumexp(
func.func @reducelogsumexp(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceLogSumExp(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceLogSumExp(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducemax(
func.func @reducemax(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceMax(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceMax(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducemean(
func.func @reducemean(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceMean(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceMean(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducemin(
func.func @reducemin(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceMin(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceMin(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reduceprod(
func.func @reduceprod(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceProd(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceProd(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducesum(
func.func @reducesum(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceSum(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceSum(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducesumsquare(
func.func @reducesumsquare(%data: tensor<2x3xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.ReduceSumSquare(%arg0, %arg1) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  %0 = onnx.ReduceSumSquare(%data, %axes) {keepdims = 0 : i64}
      : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @reducemax_2(
func.func @reducemax_2(%data: tensor<2x3xi1>) {
  // CHECK: onnx.ReduceMax(%arg0) {noop_with_empty_axes = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xi1>) -> !onnx.unknown
  %0 = onnx.ReduceMax(%data) {noop_with_empty_axes = 1 : i64}
      : (tensor<2x3xi1>) -> !onnx.unknown
  return
}

// CHECK-LABEL: @topk(
func.func @topk(%X: tensor<5x3xf32>, %K: tensor<1xi64>) {
  // CHECK: onnx.TopK(%arg0, %arg1) {axis = 0 : i64, largest = 0 : i64, sorted = 0 : i64}
  // CHECK-SAME: : (tensor<5x3xf32>, tensor<1xi64>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  %0:2 = onnx.TopK(%X, %K) {axis = 0 : i64, largest = 0 : i64, sorted = 0 : i64}
      : (tensor<5x3xf32>, tensor<1xi64>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}

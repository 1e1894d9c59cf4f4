// RUN: invar-opt --invar-simplify=opset=10 --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-simplify=opset=13 --split-input-file %s | FileCheck %s --check-prefix=NEW

// Operators that differ in how axes are counted are equal.
// CHECK-LABEL: @count_axes_from_front(
// NEW-LABEL: @count_axes_from_front(
func.func @count_axes_from_front(%x: tensor<?x3x4xf32>) -> (tensor<?x3x1xf32>, tensor<?x3x1xf32>) {
  %back = onnx.Constant dense<-1> : tensor<1xi64>
  %front = onnx.Constant dense<2> : tensor<1xi64>
  // CHECK: %[[MAX:.*]] = onnx.ReduceMax(
  // CHECK-NOT: onnx.ReduceMax(
  // NEW-COUNT-2: onnx.ReduceMax(
  %0 = onnx.ReduceMax(%x, %back) : (tensor<?x3x4xf32>, tensor<1xi64>) -> tensor<?x3x1xf32>
  %1 = onnx.ReduceMax(%x, %front) : (tensor<?x3x4xf32>, tensor<1xi64>) -> tensor<?x3x1xf32>
  %2 = onnx.Neg(%0) : (tensor<?x3x1xf32>) -> tensor<?x3x1xf32>
  %3 = onnx.Exp(%1) : (tensor<?x3x1xf32>) -> tensor<?x3x1xf32>
  return %2, %3 : tensor<?x3x1xf32>, tensor<?x3x1xf32>
}

// -----

// Axes of the result.
// CHECK-LABEL: @count_axes_of_result(
func.func @count_axes_of_result(%x: tensor<?x?xf32>) -> tensor<?x1x?xf32> {
  // CHECK: onnx.Constant {{.*}}dense<1>
  %back = onnx.Constant dense<-2> : tensor<1xi64>
  %0 = onnx.Unsqueeze(%x, %back) : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  return %0 : tensor<?x1x?xf32>
}

// -----

// The rank is not known.
// CHECK-LABEL: @count_axes_from_front_refused(
func.func @count_axes_from_front_refused(%x: tensor<*xf32>) -> tensor<*xf32> {
  // CHECK: onnx.Constant {{.*}}dense<-1>
  %back = onnx.Constant dense<-1> : tensor<1xi64>
  %0 = onnx.ReduceMax(%x, %back) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @count_axis_from_front(
// NEW-LABEL: @count_axis_from_front(
func.func @count_axis_from_front(%x: tensor<?x3x4xf32>, %i: tensor<2xi64>) -> tensor<?x3x2xf32> {
  // CHECK: onnx.Gather({{.*}}axis = 2
  // NEW: onnx.Gather({{.*}}axis = -1
  %0 = onnx.Gather(%x, %i) {axis = -1 : i64} : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<?x3x2xf32>
  return %0 : tensor<?x3x2xf32>
}

// -----

// CHECK-LABEL: @count_axis_from_front_refused(
func.func @count_axis_from_front_refused(%x: tensor<*xf32>) -> tensor<*xi64> {
  // CHECK: onnx.ArgMax({{.*}}axis = -2
  %0 = onnx.ArgMax(%x) {axis = -2 : i64} : (tensor<*xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

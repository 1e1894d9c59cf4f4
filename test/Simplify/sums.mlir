// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// CHECK-LABEL: @add_two(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:
func.func @add_two(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[X]], %[[Y]])
  // CHECK: return %[[ADD]]
  %0 = onnx.Sum(%x, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @add_two_refused(
func.func @add_two_refused(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: onnx.Sum(
  %0 = onnx.Sum(%x, %y, %z) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @drop_reduction(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @drop_reduction(%x: tensor<1x?xf32, #onnx.dims<"", "n">>) -> tensor<1x?xf32, #onnx.dims<"", "n">> {
  // CHECK: return %[[X]]
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %0 = onnx.ReduceMean(%x, %axes) : (tensor<1x?xf32, #onnx.dims<"", "n">>, tensor<1xi64>) -> tensor<1x?xf32, #onnx.dims<"", "n">>
  return %0 : tensor<1x?xf32, #onnx.dims<"", "n">>
}

// -----

// CHECK-LABEL: @drop_reduction_of_axis(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @drop_reduction_of_axis(%x: tensor<2x1xf32>) -> tensor<2xf32> {
  // CHECK: %[[SQUEEZE:.*]] = onnx.Squeeze(%[[X]], %{{.*}})
  // CHECK: return %[[SQUEEZE]]
  %axes = onnx.Constant dense<-1> : tensor<1xi64>
  %0 = onnx.ReduceSum(%x, %axes) {keepdims = 0} : (tensor<2x1xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @drop_reduction_refused(
func.func @drop_reduction_refused(%x: tensor<?x1xf32, #onnx.dims<"n", "">>) -> tensor<1x1xf32> {
  // CHECK: onnx.ReduceMax(
  %0 = onnx.ReduceMax(%x) : (tensor<?x1xf32, #onnx.dims<"n", "">>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

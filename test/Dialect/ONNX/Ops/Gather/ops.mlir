// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @gather(
func.func @gather(%data: tensor<3x4xf32>, %indices: tensor<2x2xi32>) {
  // CHECK: onnx.Gather(%arg0, %arg1) {axis = 1 : i64}
  // CHECK-SAME: : (tensor<3x4xf32>, tensor<2x2xi32>) -> tensor<3x2x2xf32>
  %0 = onnx.Gather(%data, %indices) {axis = 1 : i64}
      : (tensor<3x4xf32>, tensor<2x2xi32>) -> tensor<3x2x2xf32>
  return
}

// CHECK-LABEL: @gatherelements(
func.func @gatherelements(%data: tensor<3x4xf32>, %indices: tensor<3x2xi64>) {
  // CHECK: onnx.GatherElements(%arg0, %arg1) {axis = 1 : i64}
  // CHECK-SAME: : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  %0 = onnx.GatherElements(%data, %indices) {axis = 1 : i64}
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: @gathernd(
func.func @gathernd(%data: tensor<2x2x2xf32>, %indices: tensor<2x1xi64>) {
  // CHECK: onnx.GatherND(%arg0, %arg1) {batch_dims = 1 : i64}
  // CHECK-SAME: : (tensor<2x2x2xf32>, tensor<2x1xi64>) -> tensor<2x2xf32>
  %0 = onnx.GatherND(%data, %indices) {batch_dims = 1 : i64}
      : (tensor<2x2x2xf32>, tensor<2x1xi64>) -> tensor<2x2xf32>
  return
}

// CHECK-LABEL: @nonmaxsuppression(
func.func @nonmaxsuppression(%boxes: tensor<1x6x4xf32>, %scores: tensor<1x1x6xf32>,
                             %iou_threshold: tensor<1xf32>) {
  // CHECK: onnx.NonMaxSuppression(%arg0, %arg1, _, %arg2) {center_point_box = 1 : i64}
  // CHECK-SAME: : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xf32>)
  // CHECK-SAME: -> tensor<?x3xi64>
  %0 = onnx.NonMaxSuppression(%boxes, %scores, _, %iou_threshold)
      {center_point_box = 1 : i64}
      : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xf32>) -> tensor<?x3xi64>
  return
}

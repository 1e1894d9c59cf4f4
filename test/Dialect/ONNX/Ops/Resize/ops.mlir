// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @affinegrid(
func.func @affinegrid(%theta: tensor<2x2x3xf32>, %size: tensor<4xi64>) {
  // CHECK: onnx.AffineGrid(%arg0, %arg1) {align_corners = 1 : i64}
  // CHECK-SAME: : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<2x?x?x2xf32>
  %0 = onnx.AffineGrid(%theta, %size) {align_corners = 1 : i64}
      : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<2x?x?x2xf32>
  return
}

// CHECK-LABEL: @gridsample(
func.func @gridsample(%X: tensor<1x1x4x4xf32>, %grid: tensor<1x6x6x2xf32>) {
  // CHECK: onnx.GridSample(%arg0, %arg1)
  // CHECK-SAME: {align_corners = 1 : i64, mode = "cubic", padding_mode = "border"}
  // CHECK-SAME: : (tensor<1x1x4x4xf32>, tensor<1x6x6x2xf32>) -> tensor<1x1x6x6xf32>
  %0 = onnx.GridSample(%X, %grid)
      {align_corners = 1 : i64, mode = "cubic", padding_mode = "border"}
      : (tensor<1x1x4x4xf32>, tensor<1x6x6x2xf32>) -> tensor<1x1x6x6xf32>
  return
}

// CHECK-LABEL: @resize(
func.func @resize(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>) {
  // CHECK: onnx.Resize(%arg0, _, %arg1)
  // CHECK-SAME: {coordinate_transformation_mode = "asymmetric", mode = "linear"}
  // CHECK-SAME: : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x4x4xf32>
  %0 = onnx.Resize(%X, _, %scales)
      {coordinate_transformation_mode = "asymmetric", mode = "linear"}
      : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x4x4xf32>
  return
}

// CHECK-LABEL: @resize_2(
func.func @resize_2(%X: tensor<1x1x2x2xf32>, %sizes: tensor<2xi64>) {
  // CHECK: onnx.Resize(%arg0, _, _, %arg1)
  // CHECK-SAME: {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_larger"}
  // CHECK-SAME: : (tensor<1x1x2x2xf32>, tensor<2xi64>) -> tensor<1x1x7x7xf32>
  %0 = onnx.Resize(%X, _, _, %sizes)
      {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_larger"}
      : (tensor<1x1x2x2xf32>, tensor<2xi64>) -> tensor<1x1x7x7xf32>
  return
}

// CHECK-LABEL: @resize_3(
func.func @resize_3(%X: tensor<1x1x2x2xf32>, %roi: tensor<0xf32>,
                    %scales: tensor<0xf32>, %sizes: tensor<4xi64>) {
  // CHECK: onnx.Resize(%arg0, %arg1, %arg2, %arg3)
  // CHECK-SAME: : (tensor<1x1x2x2xf32>, tensor<0xf32>, tensor<0xf32>, tensor<4xi64>)
  // CHECK-SAME: -> tensor<1x1x7x7xf32>
  %0 = onnx.Resize(%X, %roi, %scales, %sizes)
      : (tensor<1x1x2x2xf32>, tensor<0xf32>, tensor<0xf32>, tensor<4xi64>)
      -> tensor<1x1x7x7xf32>
  return
}

// CHECK-LABEL: @upsample(
func.func @upsample(%X: tensor<1x1x2x2xf32>, %scales: tensor<4xf32>) {
  // CHECK: onnx.Upsample(%arg0, %arg1) {mode = "linear"}
  // CHECK-SAME: : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x4x4xf32>
  %0 = onnx.Upsample(%X, %scales) {mode = "linear"}
      : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x4x4xf32>
  return
}

// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @averagepool(
func.func @averagepool(%X: tensor<1x3x8x8xf32>) {
  // CHECK: onnx.AveragePool(%arg0)
  // CHECK-SAME: {auto_pad = "SAME_UPPER", ceil_mode = 1 : i64,
  // CHECK-SAME: count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>,
  // CHECK-SAME: strides = array<i64: 2, 2>}
  // CHECK-SAME: : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
  %0 = onnx.AveragePool(%X)
      {auto_pad = "SAME_UPPER", ceil_mode = 1 : i64, count_include_pad = 1 : i64,
       kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>}
      : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
  return
}

// CHECK-LABEL: @globalaveragepool(
func.func @globalaveragepool(%X: tensor<1x3x8x8xf32>) {
  // CHECK: onnx.GlobalAveragePool(%arg0) : (tensor<1x3x8x8xf32>) -> tensor<1x3x1x1xf32>
  %0 = onnx.GlobalAveragePool(%X) : (tensor<1x3x8x8xf32>) -> tensor<1x3x1x1xf32>
  return
}

// CHECK-LABEL: @globallppool(
func.func @globallppool(%X: tensor<1x3x8x8xf32>) {
  // CHECK: onnx.GlobalLpPool(%arg0) {p = 3 : i64}
  // CHECK-SAME: : (tensor<1x3x8x8xf32>) -> tensor<1x3x1x1xf32>
  %0 = onnx.GlobalLpPool(%X) {p = 3 : i64} : (tensor<1x3x8x8xf32>) -> tensor<1x3x1x1xf32>
  return
}

// CHECK-LABEL: @globalmaxpool(
func.func @globalmaxpool(%X: tensor<1x3x8xf32>) {
  // CHECK: onnx.GlobalMaxPool(%arg0) : (tensor<1x3x8xf32>) -> tensor<1x3x1xf32>
  %0 = onnx.GlobalMaxPool(%X) : (tensor<1x3x8xf32>) -> tensor<1x3x1xf32>
  return
}

// CHECK-LABEL: @lppool(
func.func @lppool(%X: tensor<1x3x8xf32>) {
  // CHECK: onnx.LpPool(%arg0) {kernel_shape = array<i64: 2>, p = 1 : i64}
  // CHECK-SAME: : (tensor<1x3x8xf32>) -> tensor<1x3x7xf32>
  %0 = onnx.LpPool(%X) {kernel_shape = array<i64: 2>, p = 1 : i64}
      : (tensor<1x3x8xf32>) -> tensor<1x3x7xf32>
  return
}

// CHECK-LABEL: @maxpool(
func.func @maxpool(%X: tensor<1x3x8x8xui8>) {
  // CHECK: onnx.MaxPool(%arg0) {kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64}
  // CHECK-SAME: : (tensor<1x3x8x8xui8>) -> (tensor<1x3x7x7xui8>, tensor<1x3x7x7xi64>)
  %0:2 = onnx.MaxPool(%X) {kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64}
      : (tensor<1x3x8x8xui8>) -> (tensor<1x3x7x7xui8>, tensor<1x3x7x7xi64>)
  return
}

// CHECK-LABEL: @maxpool_2(
func.func @maxpool_2(%X: !onnx.unknown) {
  // CHECK: onnx.MaxPool(%arg0) {kernel_shape = array<i64: 2>}
  // CHECK-SAME: : (!onnx.unknown) -> !onnx.unknown
  %0 = onnx.MaxPool(%X) {kernel_shape = array<i64: 2>} : (!onnx.unknown) -> !onnx.unknown
  return
}

// CHECK-LABEL: @maxroipool(
func.func @maxroipool(%X: tensor<1x3x8x8xf32>, %rois: tensor<4x5xf32>) {
  // CHECK: onnx.MaxRoiPool(%arg0, %arg1)
  // CHECK-SAME: {pooled_shape = array<i64: 2, 2>, spatial_scale = 5.000000e-01 : f32}
  // CHECK-SAME: : (tensor<1x3x8x8xf32>, tensor<4x5xf32>) -> tensor<4x3x2x2xf32>
  %0 = onnx.MaxRoiPool(%X, %rois)
      {pooled_shape = array<i64: 2, 2>, spatial_scale = 5.000000e-01 : f32}
      : (tensor<1x3x8x8xf32>, tensor<4x5xf32>) -> tensor<4x3x2x2xf32>
  return
}

// CHECK-LABEL: @maxunpool(
func.func @maxunpool(%X: tensor<1x1x2x2xf32>, %I: tensor<1x1x2x2xi64>,
                     %output_shape: tensor<4xi64>) {
  // CHECK: onnx.MaxUnpool(%arg0, %arg1, %arg2)
  // CHECK-SAME: {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  // CHECK-SAME: : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>)
  // CHECK-SAME: -> tensor<1x1x4x4xf32>
  %0 = onnx.MaxUnpool(%X, %I, %output_shape)
      {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<1x1x4x4xf32>
  return
}

// CHECK-LABEL: @roialign(
func.func @roialign(%X: tensor<1x3x8x8xf32>, %rois: tensor<4x4xf32>,
                    %batch_indices: tensor<4xi64>) {
  // CHECK: onnx.RoiAlign(%arg0, %arg1, %arg2)
  // CHECK-SAME: {coordinate_transformation_mode = "output_half_pixel", mode = "max",
  // CHECK-SAME: output_height = 2 : i64, output_width = 3 : i64}
  // CHECK-SAME: : (tensor<1x3x8x8xf32>, tensor<4x4xf32>, tensor<4xi64>)
  // CHECK-SAME: -> tensor<4x3x2x3xf32>
  %0 = onnx.RoiAlign(%X, %rois, %batch_indices)
      {coordinate_transformation_mode = "output_half_pixel", mode = "max",
       output_height = 2 : i64, output_width = 3 : i64}
      : (tensor<1x3x8x8xf32>, tensor<4x4xf32>, tensor<4xi64>) -> tensor<4x3x2x3xf32>
  return
}

// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// An operand without content says how large the window is; the border never wins.
// CHECK-DAG: [[X:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 2 + d5)>
// CHECK-DAG: [[TAPS:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
// CHECK-LABEL: @max(
// CHECK-DAG: %[[LOWEST:.+]] = arith.constant 0xFF800000 : f32
// CHECK-DAG: %[[WINDOW:.+]] = tensor.empty() : tensor<3x3xf32>
// CHECK: tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK: tensor.yield %[[LOWEST]]
// CHECK: linalg.generic {indexing_maps = [[[X]], [[TAPS]]{{.*}} ins({{.*}}, %[[WINDOW]]
// CHECK: arith.maximumf
func.func @max(%x: tensor<1x4x7x7xf32>) -> tensor<*xf32> {
  %0 = onnx.MaxPool(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
      : (tensor<1x4x7x7xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Integers keep their sign, which their type below does not say.
// CHECK-LABEL: @max_of_unsigned(
// CHECK: linalg.fill ins(%c0_i8
// CHECK: arith.maxui
func.func @max_of_unsigned(%x: tensor<1x4x7xui8>) -> tensor<*xui8> {
  %0 = onnx.MaxPool(%x) {kernel_shape = array<i64: 3>} : (tensor<1x4x7xui8>) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// -----

// CHECK-LABEL: @max_and_where(
// CHECK: %[[NUMBERS:.*]] = arith.constant dense<[7, 3, 5, 1, 1, 0, 0]>
// CHECK: %[[WINDOW:.*]] = tensor.reshape %[[NUMBERS]]{{.*}} -> tensor<1x7xi64>
// CHECK: rt.call "MaxPool"(%arg0, %[[WINDOW]]) {by_columns = 0 : i64} : (tensor<1x4x7xf32>, tensor<1x7xi64>) -> (tensor<1x4x5xf32>, tensor<1x4x5xi64>)
func.func @max_and_where(%x: tensor<1x4x7xf32>) -> (tensor<*xf32>, tensor<*xi64>) {
  %0, %1 = onnx.MaxPool(%x) {kernel_shape = array<i64: 3>} : (tensor<1x4x7xf32>) -> (tensor<*xf32>, tensor<*xi64>)
  return %0, %1 : tensor<*xf32>, tensor<*xi64>
}

// -----

// All windows are full, so the count is a constant.
// CHECK-LABEL: @average(
// CHECK-DAG: %[[COUNT:.+]] = arith.constant 6.000000e+00 : f32
// CHECK-NOT: tensor.pad
// CHECK-NOT: linalg.index
// CHECK: arith.divf %{{.*}}, %[[COUNT]]
func.func @average(%x: tensor<1x4x6x6xf32>) -> tensor<*xf32> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 3>, strides = array<i64: 2, 3>}
      : (tensor<1x4x6x6xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// What is padded does not count, so the count depends on the place along that axis.
// CHECK-LABEL: @average_in_border(
// CHECK: tensor.pad
// CHECK: linalg.index 3
// CHECK-NOT: linalg.index 2
// CHECK: arith.divf
func.func @average_in_border(%x: tensor<1x4x6x6xf32>) -> tensor<*xf32> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 3>, pads = array<i64: 0, 1, 0, 1>}
      : (tensor<1x4x6x6xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @average_of_padding(
// CHECK-NOT: linalg.index
// CHECK: arith.divf
func.func @average_of_padding(%x: tensor<1x4x6xf32>) -> tensor<*xf32> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, count_include_pad = 1 : i64}
      : (tensor<1x4x6xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// The last window goes past the image, and past its padding.
// CHECK-LABEL: @overhang(
// CHECK: tensor.pad %arg0 low[0, 0, 0] high[0, 0, 1]
// CHECK: outs({{.*}} : tensor<1x4x3xf32>)
func.func @overhang(%x: tensor<1x4x6xf32>) -> tensor<*xf32> {
  %0 = onnx.MaxPool(%x) {kernel_shape = array<i64: 3>, strides = array<i64: 2>, ceil_mode = 1 : i64}
      : (tensor<1x4x6xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @global(
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction", "reduction"]} ins(%arg0 : tensor<?x4x?x?xf32>)
// CHECK: arith.divf
// CHECK: tensor.reshape {{.*}} -> tensor<?x4x1x1xf32>
func.func @global(%x: tensor<?x4x?x?xf32>) -> tensor<*xf32> {
  %0 = onnx.GlobalAveragePool(%x) : (tensor<?x4x?x?xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @boxes(
// CHECK: rt.call "RoiAlign"(%arg0, %arg1, %arg2) {half_pixel = 1 : i64, height = 2 : i64, samples = 0 : i64, scale = 1.000000e+00 : f64, takes_greatest = 1 : i64, width = 1 : i64}
func.func @boxes(%x: tensor<1x4x7x7xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi64>) -> tensor<*xf32> {
  %0 = onnx.RoiAlign(%x, %rois, %images) {mode = "max", output_height = 2 : i64}
      : (tensor<1x4x7x7xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

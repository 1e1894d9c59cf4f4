// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @merge_clips(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>
func.func @merge_clips(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %m1 = onnx.Constant dense<-1.0> : tensor<f32>
  %p3 = onnx.Constant dense<3.0> : tensor<f32>
  %p2 = onnx.Constant dense<2.0> : tensor<f32>
  %p9 = onnx.Constant dense<9.0> : tensor<f32>
  // CHECK-DAG: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK-DAG: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK-DAG: %[[THREE:.*]] = onnx.Constant {{.*}}dense<3.000000e+00>
  // CHECK-DAG: %[[A:.*]] = onnx.Clip(%[[X]], %[[TWO]], %[[THREE]])
  %0 = onnx.Clip(%x, %m1, %p3) : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %1 = onnx.Clip(%0, %p2, %p9) : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-DAG: %[[B:.*]] = onnx.Clip(%[[X]], %[[ZERO]], %{{.*}})
  %2 = onnx.Relu(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-DAG: %[[C:.*]] = onnx.Clip(%[[X]], %{{.*}}, %{{.*}})
  %3 = onnx.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %4 = onnx.Clip(%3, %m1, %p9) : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-NOT: onnx.Relu(
  return %1, %2, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// A bound that is not known, and an empty range.
// CHECK-LABEL: @merge_clips_refused(
func.func @merge_clips_refused(%x: tensor<2xf32>, %b: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %p3 = onnx.Constant dense<3.0> : tensor<f32>
  %p2 = onnx.Constant dense<2.0> : tensor<f32>
  // CHECK-COUNT-4: onnx.Clip(
  %0 = onnx.Clip(%x, %b) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = onnx.Clip(%0, %p2) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = onnx.Clip(%x, %p3, %p2) : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %3 = onnx.Clip(%2, %p2) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %1, %3 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @pad_conv(
func.func @pad_conv(%x: tensor<1x1x8x8xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<*xf32> {
  %p = onnx.Constant dense<[1, 0, 2, 1]> : tensor<4xi64>
  %axes = onnx.Constant dense<[2, -1]> : tensor<2xi64>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  // CHECK: onnx.Conv(%arg0, %{{.*}}) {pads = array<i64: 2, 1, 3, 2>}
  // CHECK-NOT: onnx.Pad(
  %0 = onnx.Pad(%x, %p, %zero, %axes) : (tensor<1x1x8x8xf32>, tensor<4xi64>, tensor<f32>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Conv(%0, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<*xf32>, tensor<1x1x3x3xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Channels are padded; by ones; by what is at the edge.
// CHECK-LABEL: @pad_conv_refused(
func.func @pad_conv_refused(%x: tensor<1x1x8x8xf32>, %w: tensor<1x2x3x3xf32>, %v: tensor<1x1x3x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %p = onnx.Constant dense<[0, 0, 1, 1, 0, 0, 1, 1]> : tensor<8xi64>
  %channels = onnx.Constant dense<[0, 1, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  // CHECK-COUNT-3: onnx.Pad(
  %0 = onnx.Pad(%x, %channels) : (tensor<1x1x8x8xf32>, tensor<8xi64>) -> tensor<*xf32>
  %1 = onnx.Conv(%0, %w) : (tensor<*xf32>, tensor<1x2x3x3xf32>) -> tensor<*xf32>
  %2 = onnx.Pad(%x, %p, %one) : (tensor<1x1x8x8xf32>, tensor<8xi64>, tensor<f32>) -> tensor<*xf32>
  %3 = onnx.Conv(%2, %v) : (tensor<*xf32>, tensor<1x1x3x3xf32>) -> tensor<*xf32>
  %4 = onnx.Pad(%x, %p) {mode = "edge"} : (tensor<1x1x8x8xf32>, tensor<8xi64>) -> tensor<*xf32>
  %5 = onnx.Conv(%4, %v) : (tensor<*xf32>, tensor<1x1x3x3xf32>) -> tensor<*xf32>
  return %1, %3, %5 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @pad_maxpool(
func.func @pad_maxpool(%x: tensor<1x1x8x8xf32>) -> tensor<*xf32> {
  %p = onnx.Constant dense<[1, 0, 2, 1]> : tensor<4xi64>
  %axes = onnx.Constant dense<[2, -1]> : tensor<2xi64>
  %low = onnx.Constant dense<0xFF800000> : tensor<f32>
  // CHECK: onnx.MaxPool(%arg0) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 0, 2, 1>}
  // CHECK-NOT: onnx.Pad(
  %0 = onnx.Pad(%x, %p, %low, %axes) : (tensor<1x1x8x8xf32>, tensor<4xi64>, tensor<f32>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.MaxPool(%0) {kernel_shape = array<i64: 3, 3>} : (tensor<*xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// A border of zeros may be the largest.
// CHECK-LABEL: @pad_maxpool_refused(
func.func @pad_maxpool_refused(%x: tensor<1x1x8x8xf32>) -> tensor<*xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 1, 0, 0, 1, 1]> : tensor<8xi64>
  // CHECK: onnx.Pad(
  %0 = onnx.Pad(%x, %p) : (tensor<1x1x8x8xf32>, tensor<8xi64>) -> tensor<*xf32>
  %1 = onnx.MaxPool(%0) {kernel_shape = array<i64: 3, 3>} : (tensor<*xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// A window whose elements are two apart may have none of a small image.
// CHECK-LABEL: @pad_maxpool_refused_dilated(
func.func @pad_maxpool_refused_dilated(%x: tensor<1x1x?xf32>) -> tensor<*xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 0, 0, 1]> : tensor<6xi64>
  %lowest = onnx.Constant dense<0xFF800000> : tensor<f32>
  // CHECK: onnx.Pad(
  %0 = onnx.Pad(%x, %p, %lowest) : (tensor<1x1x?xf32>, tensor<6xi64>, tensor<f32>) -> tensor<*xf32>
  %1 = onnx.MaxPool(%0) {kernel_shape = array<i64: 2>, dilations = array<i64: 2>} : (tensor<*xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @pad_averagepool(
func.func @pad_averagepool(%x: tensor<1x1x8x8xf32>) -> tensor<*xf32> {
  %p = onnx.Constant dense<[1, 0, 2, 1]> : tensor<4xi64>
  %axes = onnx.Constant dense<[2, -1]> : tensor<2xi64>
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  // CHECK: onnx.AveragePool(%arg0) {count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 0, 2, 1>}
  // CHECK-NOT: onnx.Pad(
  %0 = onnx.Pad(%x, %p, %zero, %axes) : (tensor<1x1x8x8xf32>, tensor<4xi64>, tensor<f32>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.AveragePool(%0) {kernel_shape = array<i64: 3, 3>} : (tensor<*xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Padding of its own does not count; a window would see nothing but padding.
// CHECK-LABEL: @pad_averagepool_refused(
func.func @pad_averagepool_refused(%x: tensor<1x1x8x8xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %p = onnx.Constant dense<[0, 0, 1, 1, 0, 0, 1, 1]> : tensor<8xi64>
  %much = onnx.Constant dense<[0, 0, 3, 0, 0, 0, 0, 0]> : tensor<8xi64>
  // CHECK-COUNT-2: onnx.Pad(
  %0 = onnx.Pad(%x, %p) : (tensor<1x1x8x8xf32>, tensor<8xi64>) -> tensor<*xf32>
  %1 = onnx.AveragePool(%0) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<*xf32>) -> tensor<*xf32>
  %2 = onnx.Pad(%x, %much) : (tensor<1x1x8x8xf32>, tensor<8xi64>) -> tensor<*xf32>
  %3 = onnx.AveragePool(%2) {count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>} : (tensor<*xf32>) -> tensor<*xf32>
  return %1, %3 : tensor<*xf32>, tensor<*xf32>
}

// -----

// One number goes up to where the elements come from, and into a constant if it meets one.
// CHECK-LABEL: @scalar_up(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3xf32>, %[[SHAPE:[^:]*]]: tensor<2xi64>
func.func @scalar_up(%x: tensor<2x3xf32>, %shape: tensor<2xi64>) -> (tensor<3x2xf32>, tensor<*xf32>) {
  %c = onnx.Constant dense<3.0> : tensor<1xf32>
  // CHECK-DAG: %[[THREE:.*]] = onnx.Constant {{.*}}dense<3.000000e+00> : tensor<f32>
  // CHECK-DAG: %[[PRODUCT:.*]] = onnx.Mul(%[[X]], %[[THREE]])
  // CHECK-DAG: onnx.Transpose(%[[PRODUCT]])
  %0 = onnx.Transpose(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<3x2xf32>, tensor<1xf32>) -> tensor<3x2xf32>
  // CHECK-DAG: %[[FIVE:.*]] = onnx.Constant {{.*}}dense<5.000000e+00> : tensor<f32>
  // CHECK-DAG: onnx.Expand(%[[FIVE]], %[[SHAPE]])
  %two = onnx.Constant dense<2.0> : tensor<f32>
  %2 = onnx.Expand(%two, %shape) : (tensor<f32>, tensor<2xi64>) -> tensor<*xf32>
  %3 = onnx.Add(%2, %c) : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
  return %1, %3 : tensor<3x2xf32>, tensor<*xf32>
}

// -----

// Something else uses the arrangement, or the number has more axes than it.
// CHECK-LABEL: @scalar_up_refused(
func.func @scalar_up_refused(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x1x6xf32>) {
  %c = onnx.Constant dense<3.0> : tensor<f32>
  %d = onnx.Constant dense<3.0> : tensor<1x1x1xf32>
  %flat = onnx.Constant dense<6> : tensor<1xi64>
  // CHECK: %[[A:.*]] = onnx.Transpose(
  // CHECK: onnx.Mul(%[[A]], %{{.*}})
  %0 = onnx.Transpose(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  // CHECK: %[[B:.*]] = onnx.Reshape(
  // CHECK: onnx.Mul(%[[B]], %{{.*}})
  %2 = onnx.Reshape(%x, %flat) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>
  %3 = onnx.Mul(%2, %d) : (tensor<6xf32>, tensor<1x1x1xf32>) -> tensor<1x1x6xf32>
  return %0, %1, %3 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x1x6xf32>
}

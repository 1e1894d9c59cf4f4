// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// What has its operand's type and order vanishes, also where sizes are names.
// CHECK-LABEL: @drop_unmoved(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4xf32
func.func @drop_unmoved(%x: tensor<?x4xf32, #onnx.dims<"n", "">>) -> tensor<?x4xf32> {
  %shape = onnx.Shape(%x) : (tensor<?x4xf32, #onnx.dims<"n", "">>) -> tensor<2xi64>
  %0 = onnx.Reshape(%x, %shape) : (tensor<?x4xf32, #onnx.dims<"n", "">>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Expand(%0, %shape) : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  %ones = onnx.Constant dense<1> : tensor<2xi64>
  %2 = onnx.Tile(%1, %ones) : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  %none = onnx.Constant dense<0> : tensor<4xi64>
  %3 = onnx.Pad(%2, %none) : (tensor<*xf32>, tensor<4xi64>) -> tensor<*xf32>
  %start = onnx.Constant dense<0> : tensor<1xi64>
  %end = onnx.Constant dense<9> : tensor<1xi64>
  %axis = onnx.Constant dense<1> : tensor<1xi64>
  %4 = onnx.Slice(%3, %start, %end, %axis) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %5 = onnx.Flatten(%4) : (tensor<*xf32>) -> tensor<*xf32>
  %6 = onnx.Split(%5) {axis = 1 : i64, num_outputs = 1 : i64} : (tensor<*xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: return %[[X]]
  return %6 : tensor<?x4xf32>
}

// -----

// The type alone does not say that nothing moves.
// CHECK-LABEL: @drop_unmoved_refused(
func.func @drop_unmoved_refused(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  %first = onnx.Constant dense<-9> : tensor<1xi64>
  %axis = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK: onnx.Slice(
  %0 = onnx.Slice(%x, %last, %first, %axis, %last) : (tensor<2x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf32>
  %pads = onnx.Constant dense<[1, 0, -1, 0]> : tensor<4xi64>
  // CHECK: onnx.Pad(
  %1 = onnx.Pad(%x, %pads) : (tensor<2x2xf32>, tensor<4xi64>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @drop_resize(
func.func @drop_resize(%x: tensor<1x1x?x4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %ones = onnx.Constant dense<1.0> : tensor<4xf32>
  %size = onnx.Constant dense<4> : tensor<1xi64>
  %0 = "onnx.Resize"(%x, %ones) {mode = "linear", operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (tensor<1x1x?x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  %1 = "onnx.Resize"(%x, %size) {axes = array<i64: 3>, operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (tensor<1x1x?x4xf32>, tensor<1xi64>) -> tensor<*xf32>
  // CHECK-NEXT: return %arg0
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// By a factor that leaves the size as it is, the last element is not the last.
// CHECK-LABEL: @drop_resize_refused(
func.func @drop_resize_refused(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %scales = onnx.Constant dense<[1.0, 1.0, 1.2, 1.0]> : tensor<4xf32>
  // CHECK: onnx.Resize(
  %0 = "onnx.Resize"(%x, %scales) {mode = "linear", operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (tensor<1x1x4x4xf32>, tensor<4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

// Each element is half a pixel further.
// CHECK-LABEL: @drop_resize_refused_half_pixel(
func.func @drop_resize_refused_half_pixel(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %scales = onnx.Constant dense<1.0> : tensor<4xf32>
  // CHECK: onnx.Resize(
  %0 = "onnx.Resize"(%x, %scales) {mode = "linear", coordinate_transformation_mode = "tf_half_pixel_for_nn", operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (tensor<1x1x4x4xf32>, tensor<4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

// CHECK-LABEL: @drop_upsample(
func.func @drop_upsample(%x: tensor<1x1x?x4xf32>) -> tensor<*xf32> {
  %ones = onnx.Constant dense<1.0> : tensor<4xf32>
  %0 = onnx.Upsample(%x, %ones) : (tensor<1x1x?x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_upsample_refused(
func.func @drop_upsample_refused(%x: tensor<1x1x?x4xf32>) -> tensor<*xf32> {
  %scales = onnx.Constant dense<[1.0, 1.0, 1.0, 2.0]> : tensor<4xf32>
  // CHECK: onnx.Upsample(
  %0 = onnx.Upsample(%x, %scales) : (tensor<1x1x?x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_max_pool(
func.func @drop_max_pool(%x: tensor<1x1x?x4xf32>) -> tensor<*xf32> {
  %0 = onnx.MaxPool(%x) {auto_pad = "SAME_UPPER", kernel_shape = array<i64: 1, 1>} : (tensor<1x1x?x4xf32>) -> tensor<*xf32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_max_pool_refused(
func.func @drop_max_pool_refused(%x: tensor<1x1x?x4xf32>) -> tensor<*xf32> {
  // CHECK: onnx.MaxPool(
  %0 = onnx.MaxPool(%x) {kernel_shape = array<i64: 1, 1>, strides = array<i64: 1, 2>} : (tensor<1x1x?x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_average_pool(
func.func @drop_average_pool(%x: tensor<1x1x?x4xf32>) -> tensor<*xf32> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>} : (tensor<1x1x?x4xf32>) -> tensor<*xf32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_average_pool_refused(
func.func @drop_average_pool_refused(%x: tensor<1x1x?x4xf32>) -> tensor<*xf32> {
  // CHECK: onnx.AveragePool(
  %0 = onnx.AveragePool(%x) {count_include_pad = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 1>} : (tensor<1x1x?x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_clip(
func.func @drop_clip(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %low = onnx.Constant dense<0xFF800000> : tensor<f32>
  %0 = onnx.Clip(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = onnx.Clip(%x, %low) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  // CHECK-NEXT: return %arg0, %arg0
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Infinities are limited by the greatest number.
// CHECK-LABEL: @drop_clip_refused(
func.func @drop_clip_refused(%x: tensor<?xf32>) -> tensor<?xf32> {
  %low = onnx.Constant dense<0xFF7FFFFF> : tensor<f32>
  // CHECK: onnx.Clip(
  %0 = onnx.Clip(%x, %low) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// By numbers, and by a Range over a size that has a name.
// CHECK-LABEL: @drop_gather(
func.func @drop_gather(%x: tensor<3x?xf32, #onnx.dims<"", "n">>) -> tensor<*xf32> {
  %all = onnx.Constant dense<[0, 1, -1]> : tensor<3xi32>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %0 = onnx.Gather(%x, %all) : (tensor<3x?xf32, #onnx.dims<"", "n">>, tensor<3xi32>) -> tensor<*xf32>
  %shape = onnx.Shape(%x) : (tensor<3x?xf32, #onnx.dims<"", "n">>) -> tensor<2xi64>
  %size = onnx.Gather(%shape, %one) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %range = onnx.Range(%zero, %size, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %1 = onnx.Gather(%0, %range) {axis = 1 : i64} : (tensor<*xf32>, tensor<?xi64>) -> tensor<*xf32>
  // CHECK-NEXT: return %arg0
  return %1 : tensor<*xf32>
}

// -----

// Not all of them, and not in order.
// CHECK-LABEL: @drop_gather_refused(
func.func @drop_gather_refused(%x: tensor<3x?xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %some = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %turned = onnx.Constant dense<[0, 2, 1]> : tensor<3xi64>
  // CHECK-COUNT-2: onnx.Gather(
  %0 = onnx.Gather(%x, %some) : (tensor<3x?xf32>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Gather(%x, %turned) : (tensor<3x?xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_gather_elements(
func.func @drop_gather_elements(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %places = onnx.Constant dense<[[0, 1, 2], [0, 1, -1]]> : tensor<2x3xi64>
  %0 = onnx.GatherElements(%x, %places) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @drop_gather_elements_refused(
func.func @drop_gather_elements_refused(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %places = onnx.Constant dense<[[0, 1, 2], [0, 1, 1]]> : tensor<2x3xi64>
  // CHECK: onnx.GatherElements(
  %0 = onnx.GatherElements(%x, %places) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @drop_compress(
func.func @drop_compress(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  %all = onnx.Constant dense<true> : tensor<3xi1>
  %0 = onnx.Compress(%x, %all) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xi1>) -> tensor<*xf32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<*xf32>
}

// -----

// The list is shorter than the axis, and elements are taken out of a flat tensor.
// CHECK-LABEL: @drop_compress_refused(
func.func @drop_compress_refused(%x: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %some = onnx.Constant dense<true> : tensor<2xi1>
  %all = onnx.Constant dense<true> : tensor<6xi1>
  // CHECK-COUNT-2: onnx.Compress(
  %0 = onnx.Compress(%x, %some) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xi1>) -> tensor<*xf32>
  %1 = onnx.Compress(%x, %all) : (tensor<2x3xf32>, tensor<6xi1>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

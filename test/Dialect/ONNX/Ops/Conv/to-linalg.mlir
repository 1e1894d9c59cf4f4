// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// A sum over windows of the image in its border, then the bias.
// CHECK-DAG: [[X:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
// CHECK-DAG: [[W:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: [[Y:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: [[B:#.+]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: @dense(
// CHECK: %[[PADDED:.+]] = tensor.pad %arg0 low[0, 0, 1, 0] high[0, 0, 1, 0]
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [[[X]], [[W]], [[Y]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[PADDED]], %arg1
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}}[[B]]{{.*}} ins({{.*}}, %arg2
func.func @dense(%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<*xf32> {
  %0 = onnx.Conv(%x, %w, %b) {pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>}
      : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Without padding there is no border; sizes may be open.
// CHECK-LABEL: @open(
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<?x3x?xf32>, tensor<8x3x3xf32>) outs({{.*}} : tensor<?x8x?xf32>)
func.func @open(%x: tensor<?x3x?xf32, #onnx.dims<"n", "", "l">>, %w: tensor<8x3x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Conv(%x, %w)
      : (tensor<?x3x?xf32, #onnx.dims<"n", "", "l">>, tensor<8x3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// With one tap, the place of the window is that of the image: then the loops over places
// cover the image, whatever its size is.
// CHECK-DAG: [[X:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2, d3)>
// CHECK-DAG: [[W:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-LABEL: @one_tap(
// CHECK: linalg.generic {indexing_maps = [[[X]], [[W]]
func.func @one_tap(%x: tensor<?x3x?x?xf32, #onnx.dims<"n", "", "h", "w">>, %w: tensor<8x3x1x1xf32>) -> tensor<*xf32> {
  %0 = onnx.Conv(%x, %w)
      : (tensor<?x3x?x?xf32, #onnx.dims<"n", "", "h", "w">>, tensor<8x3x1x1xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// With a stride or a border, the loops do not cover the image.
// CHECK-DAG: [[X:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 + d6)>
// CHECK-LABEL: @one_tap_of_some(
// CHECK: linalg.generic {indexing_maps = [[[X]],
func.func @one_tap_of_some(%x: tensor<1x3x?x4xf32, #onnx.dims<"", "", "h", "">>, %w: tensor<8x3x1x1xf32>) -> tensor<*xf32> {
  %0 = onnx.Conv(%x, %w) {strides = array<i64: 2, 1>, pads = array<i64: 0, 1, 0, 0>}
      : (tensor<1x3x?x4xf32, #onnx.dims<"", "", "h", "">>, tensor<8x3x1x1xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-DAG: [[X:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3 + d5 * 2)>
// CHECK-DAG: [[W:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
// CHECK-LABEL: @grouped(
// CHECK: tensor.reshape %arg0{{.*}} -> tensor<1x2x2x9xf32>
// CHECK: tensor.reshape %arg1{{.*}} -> tensor<2x3x2x3xf32>
// CHECK: linalg.generic {indexing_maps = [[[X]], [[W]]
// CHECK: tensor.reshape {{.*}} -> tensor<1x6x5xf32>
func.func @grouped(%x: tensor<1x4x9xf32>, %w: tensor<6x2x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Conv(%x, %w) {group = 2 : i64, dilations = array<i64: 2>}
      : (tensor<1x4x9xf32>, tensor<6x2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// One filter for each channel: no channels are summed over.
// CHECK-DAG: [[X:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>
// CHECK-DAG: [[W:#.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d4, d5)>
// CHECK-LABEL: @depthwise(
// CHECK: linalg.generic {indexing_maps = [[[X]], [[W]]
func.func @depthwise(%x: tensor<1x4x9x9xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Conv(%x, %w) {group = 4 : i64}
      : (tensor<1x4x9x9xf32>, tensor<4x1x3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Narrow floats are summed as float32, and rounded once.
// CHECK-LABEL: @narrow(
// CHECK: arith.extf
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: linalg.generic
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @narrow(%x: tensor<1x3x5xf16>, %w: tensor<2x3x1xf16>) -> tensor<*xf16> {
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x5xf16>, tensor<2x3x1xf16>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

// -----

// Two features for each, from every second tap: a plain convolution of stride 1. They are put
// side by side, and the padding is cut off.
// CHECK-LABEL: @transposed(
// CHECK: %[[TURNED:.+]] = tensor.reshape {{.*}} -> tensor<4x4x2xf32>
// CHECK: %[[PADDED:.+]] = tensor.pad %arg0 low[0, 0, 1] high[0, 0, 1]
// CHECK: %[[SUMS:.+]] = linalg.generic {{.*}}"reduction", "reduction"]} ins(%[[PADDED]], %[[TURNED]]
// CHECK: tensor.reshape %[[SUMS]]{{.*}} -> tensor<1x2x2x6xf32>
// CHECK: tensor.reshape {{.*}} -> tensor<1x2x12xf32>
// CHECK: tensor.extract_slice {{.*}}[0, 0, 1] [1, 2, 10] [1, 1, 1]
func.func @transposed(%x: tensor<1x4x5xf32>, %w: tensor<4x2x4xf32>) -> tensor<*xf32> {
  %0 = onnx.ConvTranspose(%x, %w) {pads = array<i64: 1, 1>, strides = array<i64: 2>}
      : (tensor<1x4x5xf32>, tensor<4x2x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Where kernel and stride are the same, nothing overlaps and nothing is cut off.
// CHECK-LABEL: @upsampled(
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor.extract_slice
func.func @upsampled(%x: tensor<1x4x5xf32>, %w: tensor<4x2x2xf32>) -> tensor<*xf32> {
  %0 = onnx.ConvTranspose(%x, %w) {strides = array<i64: 2>}
      : (tensor<1x4x5xf32>, tensor<4x2x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Windows are computed before the calls.
// CHECK-LABEL: @blocks(
// CHECK: %[[WINDOW:.*]] = tensor.reshape {{.*}} -> tensor<1x7xi64>
// CHECK: rt.call "Col2Im"(%arg0, %[[WINDOW]])
func.func @blocks(%x: tensor<1x2x2xf32>) -> tensor<*xf32> {
  %image = onnx.Constant dense<3> : tensor<1xi64>
  %block = onnx.Constant dense<2> : tensor<1xi64>
  %0 = onnx.Col2Im(%x, %image, %block) : (tensor<1x2x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @deformed(
// CHECK: %[[WINDOW:.*]] = tensor.reshape {{.*}} -> tensor<2x7xi64>
// CHECK: rt.call "DeformConv"(%arg0, %arg1, %arg2, %{{.*}}, %{{.*}}, %[[WINDOW]]) {groups = 1 : i64, offset_groups = 1 : i64}
func.func @deformed(%x: tensor<1x1x3x3xf32>, %w: tensor<1x1x2x2xf32>, %offset: tensor<1x8x2x2xf32>) -> tensor<*xf32> {
  %0 = onnx.DeformConv(%x, %w, %offset) : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

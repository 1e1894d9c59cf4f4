// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Twice as large: each place is read by a line, also where sizes are open.
// CHECK-DAG: [[HALF:#.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 floordiv 2, d3 floordiv 2)>
// CHECK-LABEL: @twice(
// CHECK: linalg.generic {indexing_maps = [[[HALF]], {{.*}} ins(%arg0 : tensor<1x3x4x?xf32>) outs({{.*}} : tensor<1x3x8x?xf32>)
func.func @twice(%x: tensor<1x3x4x?xf32>) -> tensor<*xf32> {
  %scales = onnx.Constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %0 = onnx.Resize(%x, _, %scales) {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"}
      : (tensor<1x3x4x?xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Each place reads the same place, and nothing reads the last one.
// CHECK-LABEL: @without_last(
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[0, 0] [1, 2] [1, 1]
// CHECK: return %[[PART]] : tensor<1x2xf32>
func.func @without_last(%x: tensor<1x3xf32>) -> tensor<*xf32> {
  %sizes = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %0 = onnx.Resize(%x, _, _, %sizes) {nearest_mode = "floor"} : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Other places are in a table.
// CHECK-LABEL: @to_four(
// CHECK: const.ref dense<[0, 0, 1, 2]> : tensor<4xi64>
// CHECK: tensor.extract %arg0
func.func @to_four(%x: tensor<1x3xf32>) -> tensor<*xf32> {
  %sizes = onnx.Constant dense<[1, 4]> : tensor<2xi64>
  %0 = onnx.Resize(%x, _, _, %sizes) {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"}
      : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Two elements for each, read in a border where they have no weight.
// CHECK-DAG: [[FIRST:#.+]] = affine_map<(d0, d1) -> (d0, (d1 + 1) floordiv 2)>
// CHECK-DAG: [[SECOND:#.+]] = affine_map<(d0, d1) -> (d0, (d1 + 1) floordiv 2 + 1)>
// CHECK-LABEL: @linear(
// CHECK: const.ref dense<{{\[\[}}0.000000e+00, 7.500000e-01, 2.500000e-01, 7.500000e-01, 2.500000e-01, 1.000000e+00], [1.000000e+00, 2.500000e-01, 7.500000e-01, 2.500000e-01, 7.500000e-01, 0.000000e+00]]>
// CHECK: tensor.pad %arg0 low[0, 1] high[0, 1]
// CHECK: linalg.generic {indexing_maps = [{{.*}}, {{.*}}, [[FIRST]], [[SECOND]]
func.func @linear(%x: tensor<1x3xf32>) -> tensor<*xf32> {
  %scales = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = onnx.Resize(%x, _, %scales) {mode = "linear"} : (tensor<1x3xf32>, tensor<2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @open(
// CHECK: %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %cst : f64
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[PRODUCT]]
// CHECK: %[[WIDTH:.*]] = arith.fptosi %[[ROUNDED]] : f32 to i64
// CHECK: %[[SIZES:.*]] = tensor.from_elements %{{.*}}, %[[WIDTH]]
// CHECK: rt.call "Resize"(%arg0, %[[SIZES]], %arg1, %{{.*}}) {{{.*}}axes = array<i64: 0, 1>{{.*}}takes_nearest = 0 : i64}
func.func @open(%x: tensor<1x3xf32>, %scales: tensor<2xf32>) -> tensor<*xf32> {
  %0 = onnx.Resize(%x, _, %scales) {mode = "linear"} : (tensor<1x3xf32>, tensor<2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @constant(
// CHECK: tensor.pad %{{.*}} low[0, 2] high[1, 0]
// CHECK: tensor.yield %cst : f32
func.func @constant(%x: tensor<3x4xf32>) -> tensor<*xf32> {
  %pads = onnx.Constant dense<[0, 2, 1, 0]> : tensor<4xi64>
  %value = onnx.Constant dense<1.5> : tensor<f32>
  %0 = onnx.Pad(%x, %pads, %value) : (tensor<3x4xf32>, tensor<4xi64>, tensor<f32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Pads that only the program knows may crop.
// CHECK-LABEL: @open(
// CHECK-COUNT-2: cf.assert {{.*}}, "expected no more to be cropped than there is"
// CHECK: %[[REST:.*]] = tensor.extract_slice
// CHECK: tensor.pad %[[REST]]
func.func @open(%x: tensor<3xf32>, %pads: tensor<2xi64>) -> tensor<*xf32> {
  %0 = onnx.Pad(%x, %pads) : (tensor<3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// What is cropped is not there to be repeated.
// CHECK-LABEL: @edge(
// CHECK: %[[REST:.*]] = tensor.extract_slice %{{.*}}[1] [5] [1]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8xf32>)
// CHECK: arith.minsi %{{.*}}, %c4
// CHECK: tensor.extract %[[REST]]
func.func @edge(%x: tensor<6xf32>) -> tensor<*xf32> {
  %pads = onnx.Constant dense<[-1, 3]> : tensor<2xi64>
  %0 = onnx.Pad(%x, %pads) {mode = "edge"} : (tensor<6xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @some_axes(
// CHECK: cf.assert {{.*}}, "expected 'pads' to have a length of 0, 2, 4
// CHECK: scf.if
// CHECK: cf.assert {{.*}}, "expected 'axes' to have a length of 0"
// CHECK: scf.if
// CHECK: cf.assert {{.*}}, "expected 'axes' to have a length of 1"
func.func @some_axes(%x: tensor<3x4xf32>, %pads: tensor<?xi64>, %axes: tensor<?xi64>) -> tensor<*xf32> {
  %0 = onnx.Pad(%x, %pads, _, %axes) : (tensor<3x4xf32>, tensor<?xi64>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @flatten(
func.func @flatten(%input: tensor<2x3x4xf32>) {
  // CHECK: onnx.Flatten(%arg0) {axis = 3 : i64} : (tensor<2x3x4xf32>) -> tensor<24x1xf32>
  %0 = onnx.Flatten(%input) {axis = 3 : i64} : (tensor<2x3x4xf32>) -> tensor<24x1xf32>
  return
}

// CHECK-LABEL: @identity(
func.func @identity(%input: !onnx.seq<tensor<2xf32>>) {
  // CHECK: onnx.Identity(%arg0) : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  %0 = onnx.Identity(%input) : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  return
}

// CHECK-LABEL: @reshape(
func.func @reshape(%data: tensor<2x3xi4>, %shape: tensor<1xi64>) {
  // CHECK: onnx.Reshape(%arg0, %arg1) {allowzero = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xi4>, tensor<1xi64>) -> tensor<6xi4>
  %0 = onnx.Reshape(%data, %shape) {allowzero = 1 : i64}
      : (tensor<2x3xi4>, tensor<1xi64>) -> tensor<6xi4>
  return
}

// CHECK-LABEL: @shape(
func.func @shape(%data: tensor<2x3x4xf32>) {
  // CHECK: onnx.Shape(%arg0) {end = -1 : i64, start = 1 : i64}
  // CHECK-SAME: : (tensor<2x3x4xf32>) -> tensor<1xi64>
  %0 = onnx.Shape(%data) {end = -1 : i64, start = 1 : i64}
      : (tensor<2x3x4xf32>) -> tensor<1xi64>
  return
}

// CHECK-LABEL: @size(
func.func @size(%data: tensor<2x?xf8E4M3FN>) {
  // CHECK: onnx.Size(%arg0) : (tensor<2x?xf8E4M3FN>) -> tensor<i64>
  %0 = onnx.Size(%data) : (tensor<2x?xf8E4M3FN>) -> tensor<i64>
  return
}

// CHECK-LABEL: @squeeze(
func.func @squeeze(%data: tensor<1x3x1xf32>) {
  // CHECK: onnx.Squeeze(%arg0) : (tensor<1x3x1xf32>) -> tensor<3xf32>
  %0 = onnx.Squeeze(%data) : (tensor<1x3x1xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: @squeeze_2(
func.func @squeeze_2(%data: tensor<1x3x1xf32>, %axes: tensor<1xi64>) {
  // CHECK: onnx.Squeeze(%arg0, %arg1)
  // CHECK-SAME: : (tensor<1x3x1xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  %0 = onnx.Squeeze(%data, %axes) : (tensor<1x3x1xf32>, tensor<1xi64>) -> tensor<3x1xf32>
  return
}

// CHECK-LABEL: @unsqueeze(
func.func @unsqueeze(%data: tensor<3xf32>, %axes: tensor<2xi64>) {
  // CHECK: onnx.Unsqueeze(%arg0, %arg1)
  // CHECK-SAME: : (tensor<3xf32>, tensor<2xi64>) -> tensor<1x3x1xf32>
  %0 = onnx.Unsqueeze(%data, %axes) : (tensor<3xf32>, tensor<2xi64>) -> tensor<1x3x1xf32>
  return
}

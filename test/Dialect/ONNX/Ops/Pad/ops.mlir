// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @pad(
func.func @pad(%data: tensor<2x3xf32>, %pads: tensor<2xi64>,
               %constant_value: tensor<f32>, %axes: tensor<1xi32>) {
  // CHECK: onnx.Pad(%arg0, %arg1, %arg2, %arg3) {mode = "constant"}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<2xi64>, tensor<f32>, tensor<1xi32>)
  // CHECK-SAME: -> tensor<2x5xf32>
  %0 = onnx.Pad(%data, %pads, %constant_value, %axes) {mode = "constant"}
      : (tensor<2x3xf32>, tensor<2xi64>, tensor<f32>, tensor<1xi32>) -> tensor<2x5xf32>
  return
}

// CHECK-LABEL: @pad_2(
func.func @pad_2(%data: tensor<2x3xf32>, %pads: tensor<1x4xi64>) {
  // CHECK: onnx.Pad(%arg0, %arg1) {mode = "wrap"}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<1x4xi64>) -> tensor<?x?xf32>
  %0 = onnx.Pad(%data, %pads) {mode = "wrap"}
      : (tensor<2x3xf32>, tensor<1x4xi64>) -> tensor<?x?xf32>
  return
}

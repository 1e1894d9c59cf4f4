// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @expand(
func.func @expand(%input: tensor<3x1xf32>, %shape: tensor<3xi64>) {
  // CHECK: onnx.Expand(%arg0, %arg1)
  // CHECK-SAME: : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x3x6xf32>
  %0 = onnx.Expand(%input, %shape) : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x3x6xf32>
  return
}

// CHECK-LABEL: @tile(
func.func @tile(%input: tensor<3x1xf32>, %repeats: tensor<2xi64>) {
  // CHECK: onnx.Tile(%arg0, %arg1) : (tensor<3x1xf32>, tensor<2xi64>) -> tensor<6x2xf32>
  %0 = onnx.Tile(%input, %repeats) : (tensor<3x1xf32>, tensor<2xi64>) -> tensor<6x2xf32>
  return
}

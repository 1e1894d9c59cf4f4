// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @concat(
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x?xf32>, %c: tensor<*xf32>) {
  // CHECK: onnx.Concat(%arg0, %arg1, %arg2) {axis = -1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
  %0 = onnx.Concat(%a, %b, %c) {axis = -1 : i64}
      : (tensor<2x3xf32>, tensor<2x?xf32>, tensor<*xf32>) -> tensor<2x?xf32>
  return
}

// CHECK-LABEL: @concat_2(
func.func @concat_2(%a: tensor<2x3xf32>, %empty: tensor<0xf32>) {
  // CHECK: onnx.Concat(%arg0, %arg1) {axis = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<0xf32>) -> tensor<2x3xf32>
  %0 = onnx.Concat(%a, %empty) {axis = 1 : i64}
      : (tensor<2x3xf32>, tensor<0xf32>) -> tensor<2x3xf32>
  return
}

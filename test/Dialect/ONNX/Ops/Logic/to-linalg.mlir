// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @xor(
// CHECK: arith.xori {{.*}} : i1
func.func @xor(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<*xi1> {
  %0 = onnx.Xor(%x, %y) : (tensor<4xi1>, tensor<4xi1>) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}

// -----

// Bits that are moved too far are gone: no shift is undefined.
// CHECK-LABEL: @shift(
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, {{.*}}, %c32_i32
// CHECK: arith.shrui
// CHECK: arith.select %[[INSIDE]]
func.func @shift(%x: tensor<4xui32>, %y: tensor<4xui32>) -> tensor<*xui32> {
  %0 = onnx.BitShift(%x, %y) {direction = "RIGHT"} : (tensor<4xui32>, tensor<4xui32>) -> tensor<*xui32>
  return %0 : tensor<*xui32>
}

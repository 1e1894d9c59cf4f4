// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @and(
func.func @and(%A: tensor<2x3xi1>, %B: tensor<3xi1>) {
  // CHECK: onnx.And(%arg0, %arg1) : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  %0 = onnx.And(%A, %B) : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @or(
func.func @or(%A: tensor<2x3xi1>, %B: tensor<3xi1>) {
  // CHECK: onnx.Or(%arg0, %arg1) : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  %0 = onnx.Or(%A, %B) : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @xor(
func.func @xor(%A: tensor<2x3xi1>, %B: tensor<3xi1>) {
  // CHECK: onnx.Xor(%arg0, %arg1) : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  %0 = onnx.Xor(%A, %B) : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @bitwiseand(
func.func @bitwiseand(%A: tensor<2x3xui8>, %B: tensor<ui8>) {
  // CHECK: onnx.BitwiseAnd(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xui8>
  %0 = onnx.BitwiseAnd(%A, %B) : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xui8>
  return
}

// CHECK-LABEL: @bitwiseor(
func.func @bitwiseor(%A: tensor<2x3xui8>, %B: tensor<ui8>) {
  // CHECK: onnx.BitwiseOr(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xui8>
  %0 = onnx.BitwiseOr(%A, %B) : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xui8>
  return
}

// CHECK-LABEL: @bitwisexor(
func.func @bitwisexor(%A: tensor<2x3xui8>, %B: tensor<ui8>) {
  // CHECK: onnx.BitwiseXor(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xui8>
  %0 = onnx.BitwiseXor(%A, %B) : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xui8>
  return
}

// CHECK-LABEL: @bitwisenot(
func.func @bitwisenot(%X: tensor<2x3xi32>) {
  // CHECK: onnx.BitwiseNot(%arg0) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %0 = onnx.BitwiseNot(%X) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: @bitshift(
func.func @bitshift(%X: tensor<3xui8>, %Y: tensor<3xui8>) {
  // CHECK: onnx.BitShift(%arg0, %arg1) {direction = "LEFT"}
  // CHECK-SAME: : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %0 = onnx.BitShift(%X, %Y) {direction = "LEFT"}
      : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  return
}

// CHECK-LABEL: @not(
func.func @not(%X: tensor<2x3xi1>) {
  // CHECK: onnx.Not(%arg0) : (tensor<2x3xi1>) -> tensor<2x3xi1>
  %0 = onnx.Not(%X) : (tensor<2x3xi1>) -> tensor<2x3xi1>
  return
}

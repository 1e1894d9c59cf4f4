// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @equal(
func.func @equal(%A: tensor<2x3xf32>, %B: tensor<3xf32>) {
  // CHECK: onnx.Equal(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %0 = onnx.Equal(%A, %B) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @greater(
func.func @greater(%A: tensor<2x3xf32>, %B: tensor<3xf32>) {
  // CHECK: onnx.Greater(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %0 = onnx.Greater(%A, %B) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @greaterorequal(
func.func @greaterorequal(%A: tensor<2x3xf32>, %B: tensor<3xf32>) {
  // CHECK: onnx.GreaterOrEqual(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %0 = onnx.GreaterOrEqual(%A, %B) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @less(
func.func @less(%A: tensor<2x3xf32>, %B: tensor<3xf32>) {
  // CHECK: onnx.Less(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %0 = onnx.Less(%A, %B) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @lessorequal(
func.func @lessorequal(%A: tensor<2x3xf32>, %B: tensor<3xf32>) {
  // CHECK: onnx.LessOrEqual(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %0 = onnx.LessOrEqual(%A, %B) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @equal_2(
func.func @equal_2(%A: tensor<2x!elements.string>, %B: tensor<2x!elements.string>) {
  // CHECK: onnx.Equal(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2x!elements.string>, tensor<2x!elements.string>)
  // CHECK-SAME: -> tensor<2xi1>
  %0 = onnx.Equal(%A, %B)
      : (tensor<2x!elements.string>, tensor<2x!elements.string>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: @isinf(
func.func @isinf(%X: tensor<2x3xf32>) {
  // CHECK: onnx.IsInf(%arg0) {detect_negative = 0 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %0 = onnx.IsInf(%X) {detect_negative = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @isnan(
func.func @isnan(%X: tensor<2x3xf8E5M2>) {
  // CHECK: onnx.IsNaN(%arg0) : (tensor<2x3xf8E5M2>) -> tensor<2x3xi1>
  %0 = onnx.IsNaN(%X) : (tensor<2x3xf8E5M2>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: @where(
func.func @where(%condition: tensor<2x1xi1>, %X: tensor<3xf32>, %Y: tensor<f32>) {
  // CHECK: onnx.Where(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %0 = onnx.Where(%condition, %X, %Y)
      : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

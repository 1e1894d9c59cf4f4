// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @acos(
func.func @acos(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Acos(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Acos(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @acosh(
func.func @acosh(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Acosh(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Acosh(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @asin(
func.func @asin(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Asin(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Asin(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @asinh(
func.func @asinh(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Asinh(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Asinh(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @atan(
func.func @atan(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Atan(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Atan(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @atanh(
func.func @atanh(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Atanh(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Atanh(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @cos(
func.func @cos(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Cos(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Cos(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @cosh(
func.func @cosh(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Cosh(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Cosh(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @sin(
func.func @sin(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Sin(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Sin(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @sinh(
func.func @sinh(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Sinh(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Sinh(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @tan(
func.func @tan(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Tan(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Tan(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @tanh(
func.func @tanh(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Tanh(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Tanh(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

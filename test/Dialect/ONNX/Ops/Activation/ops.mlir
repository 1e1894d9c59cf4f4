// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @hardswish(
func.func @hardswish(%X: tensor<2x3xf32>) {
  // CHECK: onnx.HardSwish(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.HardSwish(%X) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @mish(
func.func @mish(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Mish(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Mish(%X) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @relu(
func.func @relu(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Relu(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Relu(%X) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @sigmoid(
func.func @sigmoid(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Sigmoid(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Sigmoid(%X) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @softplus(
func.func @softplus(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Softplus(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Softplus(%X) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @softsign(
func.func @softsign(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Softsign(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Softsign(%X) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @celu(
func.func @celu(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Celu(%arg0) {alpha = 2.000000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Celu(%X) {alpha = 2.000000e+00 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @elu(
func.func @elu(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Elu(%arg0) {alpha = 2.000000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Elu(%X) {alpha = 2.000000e+00 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @leakyrelu(
func.func @leakyrelu(%X: tensor<2x3xf32>) {
  // CHECK: onnx.LeakyRelu(%arg0) {alpha = 2.000000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.LeakyRelu(%X) {alpha = 2.000000e+00 : f32}
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @swish(
func.func @swish(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Swish(%arg0) {alpha = 2.000000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Swish(%X) {alpha = 2.000000e+00 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @thresholdedrelu(
func.func @thresholdedrelu(%X: tensor<2x3xf32>) {
  // CHECK: onnx.ThresholdedRelu(%arg0) {alpha = 2.000000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.ThresholdedRelu(%X) {alpha = 2.000000e+00 : f32}
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @gelu(
func.func @gelu(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Gelu(%arg0) {approximate = "tanh"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Gelu(%X) {approximate = "tanh"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @hardsigmoid(
func.func @hardsigmoid(%X: tensor<2x3xf32>) {
  // CHECK: onnx.HardSigmoid(%arg0)
  // CHECK-SAME: {alpha = 5.000000e-01 : f32, beta = 2.500000e-01 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.HardSigmoid(%X) {alpha = 5.000000e-01 : f32, beta = 2.500000e-01 : f32}
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @prelu(
func.func @prelu(%X: tensor<2x3xf32>, %slope: tensor<3xf32>) {
  // CHECK: onnx.PRelu(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = onnx.PRelu(%X, %slope) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @selu(
func.func @selu(%X: tensor<2x3xf32>) {
  // CHECK: onnx.Selu(%arg0) {alpha = 2.000000e+00 : f32, gamma = 1.500000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Selu(%X) {alpha = 2.000000e+00 : f32, gamma = 1.500000e+00 : f32}
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @shrink(
func.func @shrink(%input: tensor<2x3xi32>) {
  // CHECK: onnx.Shrink(%arg0) {bias = 1.000000e+00 : f32, lambd = 1.500000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %0 = onnx.Shrink(%input) {bias = 1.000000e+00 : f32, lambd = 1.500000e+00 : f32}
      : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: @swiglu(
func.func @swiglu(%A: tensor<2x3xf32>, %B: tensor<2x3xf32>) {
  // CHECK: onnx.SwiGLU(%arg0, %arg1) {alpha = 2.000000e+00 : f32}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.SwiGLU(%A, %B) {alpha = 2.000000e+00 : f32}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

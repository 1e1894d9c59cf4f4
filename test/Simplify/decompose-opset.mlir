// RUN: invar-opt --invar-decompose=opset=8 --split-input-file %s | FileCheck %s

// Formulas broadcast as operators do since opset 9, which the model's own must reach.

// CHECK-LABEL: @decompose_mish_refused(
func.func @decompose_mish_refused(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: onnx.Mish(
  %0 = onnx.Mish(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_swiglu_refused(
func.func @decompose_swiglu_refused(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: onnx.SwiGLU(
  %0 = onnx.SwiGLU(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_swish_refused(
func.func @decompose_swish_refused(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: onnx.Swish(
  %0 = onnx.Swish(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_sum_refused(
func.func @decompose_sum_refused(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: onnx.Sum(
  %0 = onnx.Sum(%x, %y, %z) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_clip_refused(
func.func @decompose_clip_refused(%x: tensor<2x3xf32>, %least: tensor<f32>, %most: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK: onnx.Clip(
  %0 = onnx.Clip(%x, %least, %most) : (tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_l1_refused(
func.func @decompose_l1_refused(%x: tensor<2x3xf32>) -> tensor<f32> {
  // CHECK: onnx.ReduceL1(
  %0 = onnx.ReduceL1(%x) {keepdims = 0} : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @decompose_log_sum_refused(
func.func @decompose_log_sum_refused(%x: tensor<2x3xf32>) -> tensor<f32> {
  // CHECK: onnx.ReduceLogSum(
  %0 = onnx.ReduceLogSum(%x) {keepdims = 0} : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @decompose_sum_square_refused(
func.func @decompose_sum_square_refused(%x: tensor<2x3xf32>) -> tensor<f32> {
  // CHECK: onnx.ReduceSumSquare(
  %0 = onnx.ReduceSumSquare(%x) {keepdims = 0} : (tensor<2x3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @decompose_lpnorm_refused(
func.func @decompose_lpnorm_refused(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: onnx.LpNormalization(
  %0 = onnx.LpNormalization(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_mean_variance_refused(
func.func @decompose_mean_variance_refused(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  // CHECK: onnx.MeanVarianceNormalization(
  %0 = onnx.MeanVarianceNormalization(%x) : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %0 : tensor<1x2x3x4xf32>
}

// -----

// CHECK-LABEL: @decompose_dynamic_quantize_refused(
func.func @decompose_dynamic_quantize_refused(%x: tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) {
  // CHECK: onnx.DynamicQuantizeLinear(
  %0:3 = onnx.DynamicQuantizeLinear(%x) : (tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>)
  return %0#0, %0#1, %0#2 : tensor<2x3xui8>, tensor<f32>, tensor<ui8>
}

// -----

// CHECK-LABEL: @decompose_likelihood_refused(
func.func @decompose_likelihood_refused(%x: tensor<2x5xf32>, %target: tensor<2xi64>) -> tensor<f32> {
  // CHECK: onnx.NegativeLogLikelihoodLoss(
  %0 = onnx.NegativeLogLikelihoodLoss(%x, %target) : (tensor<2x5xf32>, tensor<2xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @decompose_cross_entropy_refused(
func.func @decompose_cross_entropy_refused(%scores: tensor<2x5xf32>, %labels: tensor<2xi64>) -> tensor<f32> {
  // CHECK: onnx.SoftmaxCrossEntropyLoss(
  %0 = onnx.SoftmaxCrossEntropyLoss(%scores, %labels) : (tensor<2x5xf32>, tensor<2xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}

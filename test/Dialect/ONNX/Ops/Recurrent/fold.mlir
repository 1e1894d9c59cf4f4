// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @plain(
func.func @plain() -> (tensor<2x1x2x1xf32>, tensor<1x2x1xf32>, tensor<2x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) {
  // Two sequences, of which the second ends after a step.
  %x = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %w = onnx.Constant dense<1.0> : tensor<1x1x1xf32>
  %b = onnx.Constant dense<[[1.0, 0.0]]> : tensor<1x2xf32>
  %n = onnx.Constant dense<[2, 1]> : tensor<2xi32>
  %h = onnx.Constant dense<[[[10.0], [20.0]]]> : tensor<1x2x1xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}1.200000e+01], [2.300000e+01]]], {{\[\[\[}}1.600000e+01], [0.000000e+00]]]]>
  // CHECK-DAG: dense<{{\[\[\[}}1.600000e+01], [2.300000e+01]]]>
  %0, %1 = onnx.RNN(%x, %w, %w, %b, %n, %h) {activations = ["Relu"]} : (tensor<2x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x2xf32>, tensor<2xi32>, tensor<1x2x1xf32>) -> (tensor<2x1x2x1xf32>, tensor<1x2x1xf32>)
  // Both directions, the batch first; only the last states are wanted.
  %w2 = onnx.Constant dense<1.0> : tensor<2x1x1xf32>
  // CHECK-DAG: dense<{{\[\[\[}}3.000000e+00], [1.000000e+00]], {{\[\[}}7.000000e+00], [2.500000e+00]]]> : tensor<2x2x1xf32>
  %2 = onnx.RNN(%x, %w2, %w2) {activations = ["Affine", "Affine"], activation_alpha = array<f32: 1.0, 0.5>, activation_beta = array<f32: 0.0, 0.0>, direction = "bidirectional", layout = 1 : i64} : (tensor<2x2x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> (_, tensor<2x2x1xf32>)
  // Runtimes differ in the defaults of some activations.
  // CHECK-DAG: onnx.RNN({{.*}}"Affine"
  %3 = onnx.RNN(%x, %w, %w) {activations = ["Affine"]} : (tensor<2x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (_, tensor<1x2x1xf32>)
  // A sequence that is longer than its steps.
  %m = onnx.Constant dense<[2, 3]> : tensor<2xi32>
  // CHECK-DAG: onnx.RNN({{.*}}"Relu"
  %4 = onnx.RNN(%x, %w, %w, _, %m) {activations = ["Relu"]} : (tensor<2x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<2xi32>) -> (_, tensor<1x2x1xf32>)
  return %0, %1, %2, %3, %4 : tensor<2x1x2x1xf32>, tensor<1x2x1xf32>, tensor<2x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
}

// -----

// CHECK-LABEL: @gated(
func.func @gated() -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %x = onnx.Constant dense<1.0> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.25], [0.5], [1.0]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.0], [0.0], [1.0]]]> : tensor<1x3x1xf32>
  %b = onnx.Constant dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]]> : tensor<1x6xf32>
  %h = onnx.Constant dense<4.0> : tensor<1x1x1xf32>
  // 3/4 of 1 + 4/2 + 2, and 1/4 of what was.
  // CHECK-DAG: dense<4.750000e+00> : tensor<1x1x1x1xf32>
  %0 = onnx.GRU(%x, %w, %r, %b, _, %h) {activations = ["Relu", "Relu"]} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x6xf32>, tensor<1x1x1xf32>) -> (tensor<1x1x1x1xf32>, _)
  // 3/4 of 1 + (4 + 2)/2, and 1/4 of what was.
  // CHECK-DAG: dense<4.000000e+00> : tensor<1x1x1x1xf32>
  %1 = onnx.GRU(%x, %w, %r, %b, _, %h) {activations = ["Relu", "Relu"], linear_before_reset = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x6xf32>, tensor<1x1x1xf32>) -> (tensor<1x1x1x1xf32>, _)
  return %0, %1 : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @long_short_term(
func.func @long_short_term() -> (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.0> : tensor<1x1x1xf32>
  // Of input, output, forget and cell.
  %w = onnx.Constant dense<[[[0.5], [2.0], [1.0], [4.0]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.0> : tensor<1x4x1xf32>
  %h = onnx.Constant dense<1.0> : tensor<1x1x1xf32>
  %c = onnx.Constant dense<3.0> : tensor<1x1x1xf32>
  %p = onnx.Constant dense<[[0.5, 1.0, 0.0]]> : tensor<1x3xf32>
  // It takes in 0.5 + 1.5 = 2 of 4 and keeps 3; 2 + 11 of that are given.
  // CHECK-DAG: dense<1.430000e+02> : tensor<1x1x1xf32>
  // CHECK-DAG: dense<1.100000e+01> : tensor<1x1x1xf32>
  %0:2 = onnx.LSTM(%x, %w, %r, _, _, %h, %c, %p) {activations = ["Relu", "Relu", "Relu"]} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x3xf32>) -> (_, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  // Clipped at 1, and coupled: it takes in 1 of 1 and keeps nothing.
  // CHECK-DAG: dense<1.000000e+00> : tensor<1x1x1xf32>
  %1 = onnx.LSTM(%x, %w, %r, _, _, %h, %c, %p) {activations = ["Relu", "Relu", "Relu"], clip = 1.0 : f32, input_forget = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x3xf32>) -> (_, tensor<1x1x1xf32>, _)
  return %0#0, %0#1, %1 : tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

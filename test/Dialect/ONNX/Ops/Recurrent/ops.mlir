// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @gru(
func.func @gru(%X: tensor<7x2x3xf32>, %W: tensor<1x15x3xf32>, %R: tensor<1x15x5xf32>) {
  // CHECK: onnx.GRU(%arg0, %arg1, %arg2)
  // CHECK-SAME: {activations = ["Sigmoid", "Tanh"], hidden_size = 5 : i64,
  // CHECK-SAME: linear_before_reset = 1 : i64}
  // CHECK-SAME: : (tensor<7x2x3xf32>, tensor<1x15x3xf32>, tensor<1x15x5xf32>)
  // CHECK-SAME: -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>)
  %0:2 = onnx.GRU(%X, %W, %R)
      {activations = ["Sigmoid", "Tanh"], hidden_size = 5 : i64,
       linear_before_reset = 1 : i64}
      : (tensor<7x2x3xf32>, tensor<1x15x3xf32>, tensor<1x15x5xf32>)
      -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// CHECK-LABEL: @lstm(
func.func @lstm(%X: tensor<7x2x3xf32>, %W: tensor<2x20x3xf32>, %R: tensor<2x20x5xf32>,
                %sequence_lens: tensor<2xi32>, %initial_c: tensor<2x2x5xf32>) {
  // CHECK: onnx.LSTM(%arg0, %arg1, %arg2, _, %arg3, _, %arg4)
  // CHECK-SAME: {direction = "bidirectional", hidden_size = 5 : i64}
  // CHECK-SAME: : (tensor<7x2x3xf32>, tensor<2x20x3xf32>, tensor<2x20x5xf32>,
  // CHECK-SAME: tensor<2xi32>, tensor<2x2x5xf32>)
  // CHECK-SAME: -> (_, tensor<2x2x5xf32>)
  %0 = onnx.LSTM(%X, %W, %R, _, %sequence_lens, _, %initial_c)
      {direction = "bidirectional", hidden_size = 5 : i64}
      : (tensor<7x2x3xf32>, tensor<2x20x3xf32>, tensor<2x20x5xf32>, tensor<2xi32>,
       tensor<2x2x5xf32>)
      -> (_, tensor<2x2x5xf32>)
  return
}

// CHECK-LABEL: @rnn(
func.func @rnn(%X: tensor<2x7x3xf32>, %W: tensor<1x5x3xf32>, %R: tensor<1x5x5xf32>,
               %B: tensor<1x10xf32>) {
  // CHECK: onnx.RNN(%arg0, %arg1, %arg2, %arg3)
  // CHECK-SAME: {activations = ["tanh", "tanh"], layout = 1 : i64}
  // CHECK-SAME: : (tensor<2x7x3xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>,
  // CHECK-SAME: tensor<1x10xf32>)
  // CHECK-SAME: -> tensor<2x7x1x5xf32>
  %0 = onnx.RNN(%X, %W, %R, %B) {activations = ["tanh", "tanh"], layout = 1 : i64}
      : (tensor<2x7x3xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>, tensor<1x10xf32>)
      -> tensor<2x7x1x5xf32>
  return
}

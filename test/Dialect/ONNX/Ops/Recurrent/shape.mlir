// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @lstm(
func.func @lstm(%X: tensor<?x?x5xf32, #onnx.dims<"s", "b", "">>, %W: tensor<2x12x5xf32>,
                %R: tensor<2x12x3xf32>) {
  // CHECK: onnx.LSTM({{.*}} -> (tensor<?x2x?x3xf32, #onnx.dims<"s", "", "b", "">>,
  // CHECK-SAME: tensor<2x?x3xf32, #onnx.dims<"", "b", "">>,
  // CHECK-SAME: tensor<2x?x3xf32, #onnx.dims<"", "b", "">>)
  %0:3 = onnx.LSTM(%X, %W, %R) {direction = "bidirectional", hidden_size = 3 : i64}
      : (tensor<?x?x5xf32, #onnx.dims<"s", "b", "">>, tensor<2x12x5xf32>, tensor<2x12x3xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  // The batch comes first, here the other axis of `X`.
  // CHECK: onnx.LSTM({{.*}} -> (tensor<?x?x2x3xf32, #onnx.dims<"s", "b", "", "">>,
  // CHECK-SAME: tensor<?x2x3xf32, #onnx.dims<"s", "", "">>)
  %1:2 = onnx.LSTM(%X, %W, %R) {direction = "bidirectional", layout = 1 : i64}
      : (tensor<?x?x5xf32, #onnx.dims<"s", "b", "">>, tensor<2x12x5xf32>, tensor<2x12x3xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// CHECK-LABEL: @gru(
func.func @gru(%X: tensor<7x2x5xf32>, %W: tensor<1x9x5xf32>, %R: tensor<1x9x3xf32>,
               %unknown: tensor<*xf32>) {
  // CHECK: onnx.GRU({{.*}} -> (tensor<7x1x2x3xf32>, tensor<1x2x3xf32>)
  %0:2 = onnx.GRU(%X, %W, %R) : (tensor<7x2x5xf32>, tensor<1x9x5xf32>, tensor<1x9x3xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  // Three rows of weights for each hidden unit.
  // CHECK: onnx.GRU({{.*}} -> (tensor<7x1x2x3xf32>, tensor<1x2x3xf32>)
  %1:2 = onnx.GRU(%X, %W, %unknown) : (tensor<7x2x5xf32>, tensor<1x9x5xf32>, tensor<*xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// Nothing is known but what the attributes say.
// CHECK-LABEL: @rnn(
func.func @rnn(%unknown: tensor<*xf32>) {
  // CHECK: onnx.RNN({{.*}} -> (tensor<?x1x?x4xf32, #onnx.dims<"y.0", "", "y.2", "">>,
  // CHECK-SAME: tensor<1x?x4xf32, #onnx.dims<"", "h.1", "">>)
  %0:2 = onnx.RNN(%unknown, %unknown, %unknown)
      {hidden_size = 4 : i64, direction = "reverse", onnx.outputs = ["y", "h"]}
      : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @along_an_axis(
func.func @along_an_axis(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %unknown: tensor<*xf32>) {
  // CHECK: onnx.Hardmax({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %0 = onnx.Hardmax(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.LogSoftmax({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %1 = onnx.LogSoftmax(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Softmax({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %2 = onnx.Softmax(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Softmax({{.*}} -> tensor<*xf32>
  %3 = onnx.Softmax(%unknown) : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @losses(
func.func @losses(%scores: tensor<?x5x?xf32, #onnx.dims<"n", "", "d">>,
                  %labels: tensor<?x7xi64, #onnx.dims<"n", "">>, %unknown: tensor<*xf32>) {
  // A loss for each label.
  // CHECK: onnx.NegativeLogLikelihoodLoss({{.*}} -> tensor<?x7xf32, #onnx.dims<"n", "">>
  %0 = onnx.NegativeLogLikelihoodLoss(%scores, %labels) {reduction = "none"}
      : (tensor<?x5x?xf32, #onnx.dims<"n", "", "d">>, tensor<?x7xi64, #onnx.dims<"n", "">>)
      -> !onnx.unknown
  // CHECK: onnx.NegativeLogLikelihoodLoss({{.*}} -> tensor<f32>
  %1 = onnx.NegativeLogLikelihoodLoss(%unknown, %labels)
      : (tensor<*xf32>, tensor<?x7xi64, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.SoftmaxCrossEntropyLoss(
  // CHECK-SAME: -> (tensor<f32>, tensor<?x5x7xf32, #onnx.dims<"n", "", "">>)
  %2:2 = onnx.SoftmaxCrossEntropyLoss(%scores, %labels)
      : (tensor<?x5x?xf32, #onnx.dims<"n", "", "d">>, tensor<?x7xi64, #onnx.dims<"n", "">>)
      -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.SoftmaxCrossEntropyLoss({{.*}} -> tensor<?x7xf32, #onnx.dims<"n", "">>
  %3 = onnx.SoftmaxCrossEntropyLoss(%unknown, %labels) {reduction = "none"}
      : (tensor<*xf32>, tensor<?x7xi64, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}

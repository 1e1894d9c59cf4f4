// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @hardmax(
func.func @hardmax(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Hardmax(%arg0) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Hardmax(%input) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @logsoftmax(
func.func @logsoftmax(%input: tensor<2x3xf32>) {
  // CHECK: onnx.LogSoftmax(%arg0) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.LogSoftmax(%input) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @rows(
func.func @rows(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Hardmax.rows(%arg0) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Hardmax.rows(%input) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: onnx.LogSoftmax.rows(%arg0) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = onnx.LogSoftmax.rows(%input) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: onnx.Softmax.rows(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = onnx.Softmax.rows(%input) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @softmax(
func.func @softmax(%input: tensor<2x3xf32>) {
  // CHECK: onnx.Softmax(%arg0) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.Softmax(%input) {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @negativeloglikelihoodloss(
func.func @negativeloglikelihoodloss(%input: tensor<3x5xf32>, %target: tensor<3xi64>,
                                     %weight: tensor<5xf32>) {
  // CHECK: onnx.NegativeLogLikelihoodLoss(%arg0, %arg1, %arg2)
  // CHECK-SAME: {ignore_index = -1 : i64, reduction = "sum"}
  // CHECK-SAME: : (tensor<3x5xf32>, tensor<3xi64>, tensor<5xf32>) -> tensor<f32>
  %0 = onnx.NegativeLogLikelihoodLoss(%input, %target, %weight)
      {ignore_index = -1 : i64, reduction = "sum"}
      : (tensor<3x5xf32>, tensor<3xi64>, tensor<5xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @softmaxcrossentropyloss(
func.func @softmaxcrossentropyloss(%scores: tensor<3x5x2xf32>, %labels: tensor<3x2xi32>) {
  // CHECK: onnx.SoftmaxCrossEntropyLoss(%arg0, %arg1) {reduction = "none"}
  // CHECK-SAME: : (tensor<3x5x2xf32>, tensor<3x2xi32>)
  // CHECK-SAME: -> (tensor<3x2xf32>, tensor<3x5x2xf32>)
  %0:2 = onnx.SoftmaxCrossEntropyLoss(%scores, %labels) {reduction = "none"}
      : (tensor<3x5x2xf32>, tensor<3x2xi32>) -> (tensor<3x2xf32>, tensor<3x5x2xf32>)
  return
}

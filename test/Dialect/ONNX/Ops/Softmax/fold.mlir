// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @softmax(
func.func @softmax() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf16>, tensor<2x2xf32>) {
  // Exponents that would overflow do not.
  %a = onnx.Constant dense<[[1.0, 1.0], [1000.0, 0.0]]> : tensor<2x2xf32>
  // CHECK-DAG: dense<{{\[\[}}5.000000e-01, 5.000000e-01], [1.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %0 = onnx.Softmax(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK-DAG: dense<{{\[\[}}-9.990000e+02, 0.000000e+00], [0.000000e+00, -1.000000e+03]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<[[1.0, 1000.0], [1000.0, 0.0]]> : tensor<2x2xf32>
  %1 = onnx.LogSoftmax(%b) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // Of equal elements the first counts.
  %c = onnx.Constant dense<[[1.0, 3.0], [1.0, 2.0]]> : tensor<2x2xf16>
  // CHECK-DAG: dense<{{\[\[}}1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf16>
  %2 = onnx.Hardmax(%c) {axis = 0 : i64} : (tensor<2x2xf16>) -> tensor<2x2xf16>
  // Nothing but -inf has no softmax.
  %d = onnx.Constant dense<0xFF800000> : tensor<2x2xf32>
  // CHECK-DAG: dense<{{0xFFC00000|0x7FC00000}}> : tensor<2x2xf32>
  %3 = onnx.Softmax(%d) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK-NOT: max(
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf16>, tensor<2x2xf32>
}

// -----

// Of a matrix that the tensor becomes, cut at the axis.
// CHECK-LABEL: @rows(
func.func @rows() -> (tensor<1x2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>) {
  %a = onnx.Constant dense<0.0> : tensor<1x2x2xf32>
  // CHECK-DAG: dense<2.500000e-01> : tensor<1x2x2xf32>
  %0 = onnx.Softmax.rows(%a) : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %b = onnx.Constant dense<[[[1000.0, 0.0]], [[0.0, 0.0]]]> : tensor<2x1x2xf32>
  // CHECK-DAG: dense<{{\[\[\[}}0.000000e+00, -1.000000e+03]], {{\[\[}}-1.000000e+03, -1.000000e+03]]]> : tensor<2x1x2xf32>
  %1 = onnx.LogSoftmax.rows(%b) {axis = 0 : i64} : (tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
  %c = onnx.Constant dense<[[1.0, 3.0], [1.0, 2.0]]> : tensor<2x2xf32>
  // CHECK-DAG: dense<{{\[\[}}0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %2 = onnx.Hardmax.rows(%c) {axis = -2 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK-NOT: max.rows(
  return %0, %1, %2 : tensor<1x2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @losses(
func.func @losses() -> (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2x2xf32>, tensor<f32>) {
  %scores = onnx.Constant dense<[[-1.0, -2.0], [-3.0, -4.0]]> : tensor<2x2xf32>
  %labels = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  // CHECK-DAG: dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
  %0 = onnx.NegativeLogLikelihoodLoss(%scores, %labels) {reduction = "none"} : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2xf32>
  // A mean is over the weights that count.
  %weights = onnx.Constant dense<[3.0, 1.0]> : tensor<2xf32>
  // CHECK-DAG: dense<2.750000e+00> : tensor<f32>
  %1 = onnx.NegativeLogLikelihoodLoss(%scores, %labels, %weights) : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<f32>
  // CHECK-DAG: dense<3.000000e+00> : tensor<f32>
  %2 = onnx.NegativeLogLikelihoodLoss(%scores, %labels) {ignore_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<f32>
  %even = onnx.Constant dense<[[7.0, 7.0], [0.0, 0.0]]> : tensor<2x2xf32>
  // CHECK-DAG: dense<0.693147182> : tensor<f32>
  // CHECK-DAG: dense<-0.693147182> : tensor<2x2xf32>
  %3, %4 = onnx.SoftmaxCrossEntropyLoss(%even, %labels) : (tensor<2x2xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<2x2xf32>)
  // A label that is no class is left to run time.
  %far = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: onnx.NegativeLogLikelihoodLoss
  %5 = onnx.NegativeLogLikelihoodLoss(%scores, %far) : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<f32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2x2xf32>, tensor<f32>
}

// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @hardmax_c1(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.Hardmax(%input) {axis = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @logsoftmax_c1(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.LogSoftmax(%input) {axis = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @hardmaxrows_c1(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2], but got 3}}
  %0 = onnx.Hardmax.rows(%input) {axis = 3 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @logsoftmaxrows_c1(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2], but got -3}}
  %0 = onnx.LogSoftmax.rows(%input) {axis = -3 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @softmaxrows_c1(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2], but got 3}}
  %0 = onnx.Softmax.rows(%input) {axis = 3 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @softmax_c1(%input: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.Softmax(%input) {axis = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @negativeloglikelihoodloss_c1(%input: tensor<3x5xf32>, %target: tensor<3xi64>) {
  // expected-error @+1 {{(C1) expected 'reduction' to be one of 'none', 'sum', 'mean', but got 'max'}}
  %0 = onnx.NegativeLogLikelihoodLoss(%input, %target) {reduction = "max"}
      : (tensor<3x5xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @softmaxcrossentropyloss_c1(%scores: tensor<3x5xf32>, %labels: tensor<3xi64>) {
  // expected-error @+1 {{(C1) expected 'reduction' to be one of 'none', 'sum', 'mean', but got 'max'}}
  %0 = onnx.SoftmaxCrossEntropyLoss(%scores, %labels) {reduction = "max"}
      : (tensor<3x5xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @negativeloglikelihoodloss_c2(%input: tensor<3x5xf32>,
                                        %target: tensor<3x5xi64>) {
  // expected-error @+1 {{(C2) expected 'target' to have rank 1, but got 2}}
  %0 = onnx.NegativeLogLikelihoodLoss(%input, %target)
      : (tensor<3x5xf32>, tensor<3x5xi64>) -> !onnx.unknown
  return
}

// -----

func.func @softmaxcrossentropyloss_c2(%scores: tensor<3x5xf32>,
                                      %labels: tensor<3x5xi64>) {
  // expected-error @+1 {{(C2) expected 'labels' to have rank 1, but got 2}}
  %0 = onnx.SoftmaxCrossEntropyLoss(%scores, %labels)
      : (tensor<3x5xf32>, tensor<3x5xi64>) -> !onnx.unknown
  return
}

// -----

func.func @negativeloglikelihoodloss_c3(%input: tensor<3x5xf32>,
                                        %target: tensor<3xi64>,
                                        %weight: tensor<3xf32>) {
  // expected-error @+1 {{(C3) expected 'weight' to have 5 entries, but got 3}}
  %0 = onnx.NegativeLogLikelihoodLoss(%input, %target, %weight)
      : (tensor<3x5xf32>, tensor<3xi64>, tensor<3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @softmaxcrossentropyloss_c3(%scores: tensor<3x5xf32>, %labels: tensor<3xi64>,
                                      %weights: tensor<3xf32>) {
  // expected-error @+1 {{(C3) expected 'weights' to have 5 entries, but got 3}}
  %0 = onnx.SoftmaxCrossEntropyLoss(%scores, %labels, %weights)
      : (tensor<3x5xf32>, tensor<3xi64>, tensor<3xf32>) -> !onnx.unknown
  return
}

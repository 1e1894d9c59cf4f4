// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @negativeloglikelihoodloss_places(%scores: tensor<2x5x?xf32, #onnx.dims<"", "", "2*d">>, %labels: tensor<2x3xi64>) {
  // expected-error @+1 {{expected the places of scores and of labels to agree, but got 2*d and 3}}
  %0 = onnx.NegativeLogLikelihoodLoss(%scores, %labels)
      : (tensor<2x5x?xf32, #onnx.dims<"", "", "2*d">>, tensor<2x3xi64>) -> !onnx.unknown
  return
}

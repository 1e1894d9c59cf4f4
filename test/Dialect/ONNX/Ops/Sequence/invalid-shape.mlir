// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0 is float[3, 6]}}
func.func @splittosequence_c4(%input: tensor<3x6xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %split = onnx.Constant dense<[2, 2]> : tensor<2xi64>
  // expected-error @+1 {{(C4) expected parts of 6 in sum, but got 4}}
  %0 = onnx.SplitToSequence(%input, %split) {axis = 1 : i64} : (tensor<3x6xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[3, 6]}}
func.func @splittosequence_c4_scalar(%input: tensor<3x6xf32>) {
  // expected-note @+1 {{operand 1 is int64[]}}
  %split = onnx.Constant dense<0> : tensor<i64>
  // expected-error @+1 {{(C4) expected parts of at least 1, but got 0}}
  %0 = onnx.SplitToSequence(%input, %split) {axis = 1 : i64} : (tensor<3x6xf32>, tensor<i64>) -> !onnx.unknown
  return
}

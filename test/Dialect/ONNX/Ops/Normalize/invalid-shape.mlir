// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+5 {{operand 0}}
// expected-note @+4 {{operand 1}}
// expected-note @+3 {{operand 2}}
// expected-note @+2 {{operand 3}}
// expected-note @+1 {{operand 4}}
func.func @batchnormalization_channels(%X: tensor<?x?xf32, #onnx.dims<"n", "2*c">>, %v: tensor<3xf32>) {
  // expected-error @+1 {{expected the channels of 'X' and the statistics to agree, but got 2*c and 3}}
  %0 = onnx.BatchNormalization(%X, %v, %v, %v, %v)
      : (tensor<?x?xf32, #onnx.dims<"n", "2*c">>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
         tensor<3xf32>) -> !onnx.unknown
  return
}

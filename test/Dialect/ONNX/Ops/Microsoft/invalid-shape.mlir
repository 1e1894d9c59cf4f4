// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+2 {{operand 0}}
// expected-note @+1 {{operand 1}}
func.func @cdist_columns(%A: tensor<2x?xf32, #onnx.dims<"", "2*i">>, %B: tensor<5x3xf32>) {
  // expected-error @+1 {{expected the columns of 'A' and 'B' to agree, but got 2*i and 3}}
  %0 = onnx.ms.CDist(%A, %B)
      : (tensor<2x?xf32, #onnx.dims<"", "2*i">>, tensor<5x3xf32>) -> !onnx.unknown
  return
}

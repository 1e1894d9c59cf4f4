// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// Types that inference finds can break what the verifier could not see before.
func.func @add_c1(%x: tensor<2x3xf32>) {
  // expected-note @+1 {{operand 0 is float[3, 2]}}
  %0 = onnx.Transpose(%x) : (tensor<2x3xf32>) -> !onnx.unknown
  // expected-note @+1 {{operand 1 is float[2, 3]}}
  %1 = onnx.Neg(%x) : (tensor<2x3xf32>) -> !onnx.unknown
  // expected-error @+1 {{(C1) expected shapes that broadcast}}
  %2 = onnx.Add(%0, %1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+5 {{operand 0}}
// expected-note @+4 {{operand 1}}
// expected-note @+3 {{operand 2}}
// expected-note @+2 {{operand 3}}
// expected-note @+1 {{operand 4}}
func.func @adagrad_sizes(%r: tensor<f32>, %t: tensor<i64>, %x: tensor<1xf32>, %g: tensor<2xf32>, %h: tensor<1xf32>) {
  // expected-error @+1 {{expected the sizes of a tensor and its gradient to agree, but got 1 and 2}}
  %0:2 = onnx.training.Adagrad(%r, %t, %x, %g, %h)
      : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<2xf32>, tensor<1xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

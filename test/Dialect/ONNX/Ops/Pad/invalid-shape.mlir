// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+1 {{operand 0 is float[6]}}
func.func @pad_c4(%data: tensor<6xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %pads = onnx.Constant dense<1> : tensor<2xi64>
  // expected-note @+1 {{operand 2 is int64[1]}}
  %axes = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @+1 {{(C4) expected axes in [-1, 1), but got 2}}
  %0 = onnx.Pad(%data, %pads, _, %axes)
      : (tensor<6xf32>, tensor<2xi64>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// expected-note @+1 {{operand 0 is float[6]}}
func.func @pad_c5(%data: tensor<6xf32>) {
  // expected-note @+1 {{operand 1 is int64[2]}}
  %pads = onnx.Constant dense<-4> : tensor<2xi64>
  // expected-error @+1 {{(C5) expected a size of at least 0 to remain, but got -2}}
  %0 = onnx.Pad(%data, %pads) : (tensor<6xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// Sizes by name can differ for sure.
// expected-note @+1 {{operand 0 'x' is float[n, 3]}}
func.func @concat_names(%x: tensor<?x3xf32, #onnx.dims<"n", "">> {onnx.name = "x"}, %row: tensor<1x3xf32>) {
  // expected-note @+1 {{operand 1 'more' is float[n + 1, 3]}}
  %more = onnx.Concat(%x, %row) {axis = 0 : i64, onnx.outputs = ["more"]}
      : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<1x3xf32>) -> !onnx.unknown
  // expected-error @+1 {{expected axis 0 of the operands to agree, but got n and n + 1}}
  %0 = onnx.Concat(%x, %more) {axis = 1 : i64} : (tensor<?x3xf32, #onnx.dims<"n", "">>, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

// A name that has become a number is one everywhere.
// expected-note @+2 {{operand 0 is}}
// expected-note @+1 {{operand 1 is float[5, 3]}}
func.func @concat_learned(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %y: tensor<5x3xf32>, %z: tensor<4x3xf32>) {
  %0 = onnx.Concat(%x, %z) {axis = 1 : i64} : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<4x3xf32>) -> !onnx.unknown
  // expected-error @+1 {{expected axis 0 of the operands to agree, but got 4 and 5}}
  %1 = onnx.Concat(%x, %y) {axis = 1 : i64} : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<5x3xf32>) -> !onnx.unknown
  return
}

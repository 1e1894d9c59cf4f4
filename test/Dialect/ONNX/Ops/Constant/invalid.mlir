// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @constant_c1() {
  // expected-error @+1 {{(C1) expected exactly one value attribute, but got 2}}
  %0 = onnx.Constant {value_float = 1.0 : f32, value_int = 3 : i64} : tensor<i64>
  return
}

// -----

func.func @constant_c1_b() {
  // expected-error @+1 {{(C1) expected exactly one value attribute, but got 0}}
  %0 = onnx.Constant : tensor<i64>
  return
}

// -----

func.func @constant_c2() {
  // expected-error @+1 {{(C2) expected the result to have the value's type 'tensor<2xi64>', but got 'tensor<3xi64>'}}
  %0 = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<3xi64>
  return
}

// RUN: invar-opt --split-input-file --verify-diagnostics %s

// An attribute of another kind than the operator's is an error. It is not left out.

func.func @list(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // expected-error @below {{attribute 'perm' failed to satisfy constraint: a list of ints}}
  %y = onnx.Transpose(%x) {perm = [0, 1]} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

func.func @narrow_list(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // expected-error @below {{attribute 'perm' failed to satisfy constraint: a list of ints}}
  %y = onnx.Transpose(%x) {perm = array<i32: 0, 1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

func.func @number(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // expected-error @below {{attribute 'axis' failed to satisfy constraint}}
  %y = onnx.Softmax(%x) {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

func.func @float(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // expected-error @below {{attribute 'alpha' failed to satisfy constraint}}
  %y = onnx.LeakyRelu(%x) {alpha = 1 : i64} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

func.func @constant() -> tensor<*xf32> {
  // expected-error @below {{attribute 'value_float' failed to satisfy constraint}}
  %y = onnx.Constant {value_float = 1 : i64} : tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

func.func @reference() -> tensor<2xf32> {
  // expected-error @below {{attribute 'offsets' failed to satisfy constraint}}
  %y = const.ref {offsets = [0]} dense<1.0> : tensor<2xf32>
  return %y : tensor<2xf32>
}

// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @adagrad_c1(%R: tensor<f32>, %T: tensor<i64>, %X: tensor<2xf32>,
                      %G: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 3 operands for each tensor, but got 2}}
  %0:2 = onnx.training.Adagrad(%R, %T, %X, %G)
      : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @adagrad_c2(%R: tensor<2xf32>, %T: tensor<i64>, %X: tensor<2xf32>,
                      %G: tensor<2xf32>, %H: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'R' to have one element, but got tensor<2xf32>}}
  %0:2 = onnx.training.Adagrad(%R, %T, %X, %G, %H)
      : (tensor<2xf32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @adam_c1(%R: tensor<f32>, %T: tensor<i64>, %X: tensor<2xf32>,
                   %G: tensor<2xf32>, %V: tensor<2xf32>, %H: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 3 results, but got 2}}
  %0:2 = onnx.training.Adam(%R, %T, %X, %G, %V, %H)
      : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
       tensor<2xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @adam_c2(%R: tensor<f32>, %T: tensor<2xi64>, %X: tensor<2xf32>,
                   %G: tensor<2xf32>, %V: tensor<2xf32>, %H: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'T' to have one element, but got tensor<2xi64>}}
  %0:3 = onnx.training.Adam(%R, %T, %X, %G, %V, %H)
      : (tensor<f32>, tensor<2xi64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
       tensor<2xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @gradient_c1(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'xs' and 'zs' to name 2 operands, but got 1}}
  %0 = onnx.training.Gradient(%a, %b) {xs = ["a"], y = "c"}
      : (tensor<2xf32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

func.func @gradient_c2(%a: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 1 results, one for each of 'xs', but got 2}}
  %0:2 = onnx.training.Gradient(%a) {xs = ["a"], y = "c"}
      : (tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @momentum_c1(%R: tensor<f32>, %T: tensor<i64>) {
  // expected-error @+1 {{(C1) expected 3 operands for each tensor, but got 0}}
  %0 = onnx.training.Momentum(%R, %T)
      {alpha = 1.0 : f32, beta = 1.0 : f32, mode = "standard",
       norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

func.func @momentum_c2(%R: tensor<f32>, %T: tensor<3xi64>, %X: tensor<2xf32>,
                       %G: tensor<2xf32>, %V: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'T' to have one element, but got tensor<3xi64>}}
  %0:2 = onnx.training.Momentum(%R, %T, %X, %G, %V)
      {alpha = 1.0 : f32, beta = 1.0 : f32, mode = "standard",
       norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<3xi64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @momentum_c3(%R: tensor<f32>, %T: tensor<i64>, %X: tensor<2xf32>,
                       %G: tensor<2xf32>, %V: tensor<2xf32>) {
  // expected-error @+1 {{(C3) expected 'mode' to be one of 'standard', 'nesterov', but got 'heavy'}}
  %0:2 = onnx.training.Momentum(%R, %T, %X, %G, %V)
      {alpha = 1.0 : f32, beta = 1.0 : f32, mode = "heavy", norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
      -> (!onnx.unknown, !onnx.unknown)
  return
}

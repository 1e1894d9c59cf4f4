// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @pad_c1(%data: tensor<2x3xf32>, %pads: tensor<4xi64>) {
  // expected-error @+1 {{(C1) expected 'mode' to be one of 'constant', 'reflect', 'edge', 'wrap', but got 'zero'}}
  %0 = onnx.Pad(%data, %pads) {mode = "zero"}
      : (tensor<2x3xf32>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

func.func @pad_c2(%data: tensor<2x3xf32>, %pads: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected 'pads' to have 4 entries, but got 2}}
  %0 = onnx.Pad(%data, %pads) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @pad_c2_b(%data: !onnx.unknown, %pads: tensor<3xi64>) {
  // expected-error @+1 {{(C2) expected 'pads' to have an even number of elements, but got 3}}
  %0 = onnx.Pad(%data, %pads) : (!onnx.unknown, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @pad_c2_c(%data: !onnx.unknown, %pads: tensor<4xi64>, %axes: tensor<3xi64>) {
  // expected-error @+1 {{(C2) expected 'pads' to have 6 entries, but got 4}}
  %0 = onnx.Pad(%data, %pads, _, %axes)
      : (!onnx.unknown, tensor<4xi64>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @pad_c3(%data: tensor<2x3xf32>, %pads: tensor<4xi64>,
                  %constant_value: tensor<2xf32>) {
  // expected-error @+1 {{(C3) expected 'constant_value' to have one element, but got tensor<2xf32>}}
  %0 = onnx.Pad(%data, %pads, %constant_value)
      : (tensor<2x3xf32>, tensor<4xi64>, tensor<2xf32>) -> !onnx.unknown
  return
}

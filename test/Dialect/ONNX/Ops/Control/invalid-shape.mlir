// RUN: invar-opt --invar-infer-shapes --verify-diagnostics --split-input-file %s

// expected-note @+2 {{operand 0 is float[6]}}
// expected-note @+1 {{operand 1 is float[7, 2]}}
func.func @scan_lengths(%x: tensor<6xf32>, %y: tensor<7x2xf32>) {
  // expected-error @+1 {{expected the lengths of the scan inputs to agree, but got 6 and 7}}
  %0 = onnx.Scan(%x, %y) {num_scan_inputs = 2 : i64} : (tensor<6xf32>, tensor<7x2xf32>) -> !onnx.unknown {
  ^bb0(%a: !onnx.unknown, %b: !onnx.unknown):
    onnx.Yield(%a) : !onnx.unknown
  }
  return
}

// -----

// A contradiction in a branch that may run.
// expected-note @+1 {{operand 0 is float[2]}}
func.func @in_a_branch(%cond: tensor<i1>, %x: tensor<2xf32>) {
  %0 = onnx.If(%cond) : (tensor<i1>) -> !onnx.unknown {
    // expected-note @+1 {{operand 1 is int64[1]}}
    %shape = onnx.Constant dense<5> : tensor<1xi64>
    // expected-error @+1 {{(C5) expected the shape to have 2 elements, as 'data' has, but got 5}}
    %a = onnx.Reshape(%x, %shape) : (tensor<2xf32>, tensor<1xi64>) -> !onnx.unknown
    onnx.Yield(%a) : !onnx.unknown
  } {
    onnx.Yield(%x) : tensor<2xf32>
  }
  return
}

// -----

// What branches yield is found when they are gone through.
// expected-note @+1 {{operand 0 is bool[]}}
func.func @if_c2(%cond: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected 'else_branch' to be tensor<2xi64>, but got tensor<2xf32>}}
  %0 = onnx.If(%cond) : (tensor<i1>) -> !onnx.unknown {
    %a = onnx.Neg(%x) : (tensor<2xf32>) -> !onnx.unknown
    onnx.Yield(%a) : !onnx.unknown
  } {
    %b = onnx.Neg(%y) : (tensor<2xi64>) -> !onnx.unknown
    onnx.Yield(%b) : !onnx.unknown
  }
  return
}

// -----

// expected-note @+2 {{operand 0 is int64[]}}
// expected-note @+1 {{operand 1 is float[2]}}
func.func @loop_c3(%M: tensor<i64>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C3) expected 'state' to be}}
  %0 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<2xf32>) -> !onnx.unknown {
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown):
    %shape = onnx.Shape(%s) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%go_on, %shape) : !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// expected-note @+2 {{operand 0 is float[2]}}
// expected-note @+1 {{operand 1 is float[6, 2]}}
func.func @scan_c6(%state: tensor<2xf32>, %x: tensor<6x2xf32>) {
  // expected-error @+1 {{(C6) expected 'state' to be}}
  %0 = onnx.Scan(%state, %x) {num_scan_inputs = 1 : i64} : (tensor<2xf32>, tensor<6x2xf32>) -> !onnx.unknown {
  ^bb0(%s: !onnx.unknown, %row: !onnx.unknown):
    %shape = onnx.Shape(%s) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%shape) : !onnx.unknown
  }
  return
}

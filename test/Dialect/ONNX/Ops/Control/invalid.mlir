// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @if_c1(%cond: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'then_branch' to yield 1 values, but got 2}}
  %0 = onnx.If(%cond) : (tensor<i1>) -> tensor<2xf32> {
    onnx.Yield(%x) : tensor<2xf32>
  } {
    onnx.Yield(%x, %x) : tensor<2xf32>, tensor<2xf32>
  }
  return
}

// -----

func.func @if_c1_b(%cond: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'else_branch' to end in 'onnx.Yield', but got no such operation}}
  %0 = onnx.If(%cond) : (tensor<i1>) -> tensor<2xf32> {
    %neg = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
  } {
    onnx.Yield(%x) : tensor<2xf32>
  }
  return
}

// -----

func.func @if_c1_c(%cond: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'else_branch' to take 0 arguments, but got 1}}
  %0 = onnx.If(%cond) : (tensor<i1>) -> tensor<2xf32> {
  ^bb0(%argument: tensor<2xf32>):
    onnx.Yield(%x) : tensor<2xf32>
  } {
    onnx.Yield(%x) : tensor<2xf32>
  }
  return
}

// -----

func.func @if_c2(%cond: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected 'else_branch' to be tensor<2xf32>, but got tensor<2xi64>}}
  %0 = onnx.If(%cond) : (tensor<i1>) -> tensor<2xf32> {
    onnx.Yield(%y) : tensor<2xi64>
  } {
    onnx.Yield(%x) : tensor<2xf32>
  }
  return
}

// -----

func.func @if_c3(%cond: tensor<2xi1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C3) expected 'cond' to have one element, but got tensor<2xi1>}}
  %0 = onnx.If(%cond) : (tensor<2xi1>) -> tensor<2xf32> {
    onnx.Yield(%x) : tensor<2xf32>
  } {
    onnx.Yield(%x) : tensor<2xf32>
  }
  return
}

// -----

func.func @loop_c1(%M: tensor<i64>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C1) expected 'body' to take 3 arguments, but got 2}}
  %0 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    onnx.Yield(%go_on, %x) : tensor<i1>, tensor<2xf32>
  }
  return
}

// -----

func.func @loop_c2(%M: tensor<i64>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'body' to yield 2 values, but got 1}}
  %0 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %s: tensor<2xf32>):
    onnx.Yield(%go_on) : tensor<i1>
  }
  return
}

// -----

func.func @loop_c3(%M: tensor<i64>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C3) expected 'state' to be tensor<2xf32>, but got tensor<2xi64>}}
  %0 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %s: tensor<2xi64>):
    onnx.Yield(%go_on, %x) : tensor<i1>, tensor<2xf32>
  }
  return
}

// -----

func.func @loop_c3_b(%M: tensor<i64>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C3) expected 'condition' to be tensor<*xi1>, but got tensor<i64>}}
  %0 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %s: tensor<2xf32>):
    onnx.Yield(%i, %x) : tensor<i64>, tensor<2xf32>
  }
  return
}

// -----

func.func @loop_c4(%M: tensor<2xi64>, %x: tensor<2xf32>) {
  // expected-error @+1 {{(C4) expected 'M' to have one element, but got tensor<2xi64>}}
  %0 = onnx.Loop(%M, _, %x) : (tensor<2xi64>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %s: tensor<2xf32>):
    onnx.Yield(%go_on, %x) : tensor<i1>, tensor<2xf32>
  }
  return
}

// -----

func.func @scan_c1(%x: tensor<5x3xf32>) {
  // expected-error @+1 {{(C1) expected 'num_scan_inputs' to be in [1, 1], but got 2}}
  %0 = onnx.Scan(%x) {num_scan_inputs = 2 : i64} : (tensor<5x3xf32>) -> tensor<5x3xf32> {
  ^bb0(%row: tensor<3xf32>):
    onnx.Yield(%row) : tensor<3xf32>
  }
  return
}

// -----

func.func @scan_c1_b(%x: tensor<5x3xf32>) {
  // expected-error @+1 {{(C1) expected 'num_scan_inputs' to be in [1, 1], but got -9223372036854775808}}
  %0 = onnx.Scan(%x) {num_scan_inputs = -9223372036854775808 : i64}
      : (tensor<5x3xf32>) -> tensor<5x3xf32> {
  ^bb0(%row: tensor<3xf32>):
    onnx.Yield(%row) : tensor<3xf32>
  }
  return
}

// -----

func.func @scan_c2(%x: tensor<5x3xf32>) {
  // expected-error @+1 {{(C2) expected 'body' to take 1 arguments, but got 0}}
  %0 = onnx.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<5x3xf32>) -> tensor<5x3xf32> {
    onnx.Yield(%x) : tensor<5x3xf32>
  }
  return
}

// -----

func.func @scan_c3(%x: tensor<5x3xf32>) {
  // expected-error @+1 {{(C3) expected 'scan_output_axes' to have 1 entry, but got 2}}
  %0 = onnx.Scan(%x) {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: 0, 1>}
      : (tensor<5x3xf32>) -> tensor<5x3xf32> {
  ^bb0(%row: tensor<3xf32>):
    onnx.Yield(%row) : tensor<3xf32>
  }
  return
}

// -----

func.func @scan_c4(%x: tensor<5x3xf32>) {
  // expected-error @+1 {{(C4) expected 'direction' to be one of 0, 1, but got 2}}
  %0 = onnx.Scan(%x) {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 2>}
      : (tensor<5x3xf32>) -> tensor<5x3xf32> {
  ^bb0(%row: tensor<3xf32>):
    onnx.Yield(%row) : tensor<3xf32>
  }
  return
}

// -----

func.func @scan_c5(%x: tensor<5x3xf32>) {
  // expected-error @+1 {{(C5) expected 'scan_input_axes' to be in [-2, 2), but got 2}}
  %0 = onnx.Scan(%x) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 2>}
      : (tensor<5x3xf32>) -> tensor<5x3xf32> {
  ^bb0(%row: tensor<3xf32>):
    onnx.Yield(%row) : tensor<3xf32>
  }
  return
}

// -----

func.func @sequencemap_c1(%s: !onnx.seq<tensor<2xf32>>) {
  // expected-error @+1 {{(C1) expected 'body' to yield 1 values, but got 0}}
  %0 = onnx.SequenceMap(%s) : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>> {
  ^bb0(%element: tensor<2xf32>):
    onnx.Yield
  }
  return
}

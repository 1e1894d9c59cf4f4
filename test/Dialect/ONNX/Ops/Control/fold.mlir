// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// Each iteration has shapes of its own: the state grows.
// CHECK-LABEL: @loop(
// CHECK-DAG: dense<[7, 0, 1, 2]> : tensor<4xi64>
// CHECK-DAG: dense<{{\[\[}}0, 5], [1, 5], [2, 5]]> : tensor<3x2xi64>
// CHECK-NOT: onnx.Loop
func.func @loop() -> (tensor<?xi64>, tensor<?x2xi64>) {
  %m = onnx.Constant dense<3> : tensor<i64>
  %s = onnx.Constant dense<[7]> : tensor<1xi64>
  %five = onnx.Constant dense<[5]> : tensor<1xi64>
  %shape = onnx.Constant dense<[1]> : tensor<1xi64>
  %0:2 = onnx.Loop(%m, _, %s) : (tensor<i64>, tensor<1xi64>) -> (tensor<?xi64>, tensor<?x2xi64>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %state: tensor<?xi64>):
    %v = onnx.Reshape(%i, %shape) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %next = onnx.Concat(%state, %v) {axis = 0 : i64} : (tensor<?xi64>, tensor<1xi64>) -> tensor<?xi64>
    %slice = onnx.Concat(%v, %five) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    onnx.Yield(%c, %next, %slice) : tensor<i1>, tensor<?xi64>, tensor<2xi64>
  }
  return %0#0, %0#1 : tensor<?xi64>, tensor<?x2xi64>
}

// -----

// A condition ends it; the sequence that it carries along is constant, too.
// CHECK-LABEL: @while(
// CHECK: dense<[1, 2, 4]> : tensor<3xi64>
// CHECK-NOT: onnx.Loop
func.func @while() -> tensor<?xi64> {
  %true = onnx.Constant dense<true> : tensor<i1>
  %one = onnx.Constant dense<[1]> : tensor<1xi64>
  %four = onnx.Constant dense<[4]> : tensor<1xi64>
  %empty = onnx.SequenceEmpty() {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  %0:2 = onnx.Loop(_, %true, %one, %empty) : (tensor<i1>, tensor<1xi64>, !onnx.seq<tensor<*xi64>>) -> (tensor<1xi64>, !onnx.seq<tensor<*xi64>>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %x: tensor<1xi64>, %all: !onnx.seq<tensor<*xi64>>):
    %more = onnx.SequenceInsert(%all, %x) : (!onnx.seq<tensor<*xi64>>, tensor<1xi64>) -> !onnx.seq<tensor<*xi64>>
    %twice = onnx.Add(%x, %x) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %less = onnx.LessOrEqual(%twice, %four) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
    onnx.Yield(%less, %twice, %more) : tensor<1xi1>, tensor<1xi64>, !onnx.seq<tensor<*xi64>>
  }
  %1 = onnx.ConcatFromSequence(%0#1) {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<?xi64>
  return %1 : tensor<?xi64>
}

// -----

// Nothing is stacked, but it has a shape.
// CHECK-LABEL: @never(
// CHECK-DAG: dense<4.000000e+00> : tensor<f32>
// CHECK-DAG: dense<> : tensor<0x2xf32>
// CHECK-NOT: onnx.Loop
func.func @never() -> (tensor<f32>, tensor<?x2xf32>) {
  %m = onnx.Constant dense<9> : tensor<i64>
  %false = onnx.Constant dense<false> : tensor<i1>
  %s = onnx.Constant dense<4.0> : tensor<f32>
  %x = onnx.Constant dense<1.0> : tensor<2xf32>
  %0:2 = onnx.Loop(%m, %false, %s) : (tensor<i64>, tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<?x2xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %state: tensor<f32>):
    %sum = onnx.Add(%x, %state) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
    onnx.Yield(%c, %state, %sum) : tensor<i1>, tensor<f32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<?x2xf32>
}

// -----

// What never ends is left alone, and so is what is random. Types in a body are those of all
// iterations again.
// CHECK-LABEL: @left(
// CHECK: onnx.Loop(_, _,
// CHECK: onnx.Loop(
// CHECK: onnx.Concat({{.*}}) -> tensor<?xf32
func.func @left() -> (tensor<f32>, tensor<?xf32>, tensor<f32>) {
  %m = onnx.Constant dense<1000> : tensor<i64>
  %s = onnx.Constant dense<4.0> : tensor<f32>
  %v = onnx.Constant dense<4.0> : tensor<1xf32>
  %0 = onnx.Loop(_, _, %s) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %state: tensor<f32>):
    %next = onnx.Neg(%state) : (tensor<f32>) -> tensor<f32>
    onnx.Yield(%c, %next) : tensor<i1>, tensor<f32>
  }
  %1:2 = onnx.Loop(%m, _, %v, %s) : (tensor<i64>, tensor<1xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %state: tensor<?xf32>, %other: tensor<f32>):
    %grown = onnx.Concat(%state, %v) {axis = 0 : i64} : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
    %random = onnx.RandomUniformLike(%other) : (tensor<f32>) -> tensor<f32>
    onnx.Yield(%c, %grown, %random) : tensor<i1>, tensor<?xf32>, tensor<f32>
  }
  return %0, %1#0, %1#1 : tensor<f32>, tensor<?xf32>, tensor<f32>
}

// -----

// The columns backwards, and their running sums stacked backwards along the last axis.
// CHECK-LABEL: @scan(
// CHECK-DAG: dense<[6, 15]> : tensor<2xi32>
// CHECK-DAG: dense<{{\[\[}}6, 5, 3], [15, 11, 6]]> : tensor<2x3xi32>
// CHECK-NOT: onnx.Scan
func.func @scan() -> (tensor<2xi32>, tensor<2x3xi32>) {
  %s = onnx.Constant dense<0> : tensor<2xi32>
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0:2 = onnx.Scan(%s, %x) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: -1>, scan_input_directions = array<i64: 1>,
                            scan_output_axes = array<i64: 1>, scan_output_directions = array<i64: 1>}
      : (tensor<2xi32>, tensor<2x3xi32>) -> (tensor<2xi32>, tensor<2x3xi32>) {
  ^bb0(%state: tensor<2xi32>, %column: tensor<2xi32>):
    %sum = onnx.Add(%state, %column) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    onnx.Yield(%sum, %sum) : tensor<2xi32>, tensor<2xi32>
  }
  return %0#0, %0#1 : tensor<2xi32>, tensor<2x3xi32>
}

// -----

// CHECK-LABEL: @map(
// CHECK: dense<[11, 12, 14, 15]> : tensor<4xi32>
// CHECK-NOT: onnx.SequenceMap
func.func @map() -> tensor<?xi32> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %b = onnx.Constant dense<[4, 5]> : tensor<2xi32>
  %ten = onnx.Constant dense<10> : tensor<i32>
  %s = onnx.SequenceConstruct(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> !onnx.seq<tensor<2xi32>>
  %0 = onnx.SequenceMap(%s, %ten) : (!onnx.seq<tensor<2xi32>>, tensor<i32>) -> !onnx.seq<tensor<2xi32>> {
  ^bb0(%item: tensor<2xi32>, %other: tensor<i32>):
    %sum = onnx.Add(%item, %other) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    onnx.Yield(%sum) : tensor<2xi32>
  }
  %1 = onnx.ConcatFromSequence(%0) {axis = 0 : i64} : (!onnx.seq<tensor<2xi32>>) -> tensor<?xi32>
  return %1 : tensor<?xi32>
}

// -----

// CHECK-LABEL: @if(
// CHECK: dense<5> : tensor<i32>
// CHECK-NOT: onnx.If
func.func @if() -> tensor<i32> {
  %two = onnx.Constant dense<2> : tensor<i32>
  %three = onnx.Constant dense<3> : tensor<i32>
  %less = onnx.Less(%two, %three) : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = onnx.If(%less) : (tensor<i1>) -> tensor<i32> {
    onnx.Yield(%two) : tensor<i32>
  } {
    %sum = onnx.Add(%two, %three) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    onnx.Yield(%sum) : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// A state that may be absent at first may be so in the body, though it is there later.
// CHECK-LABEL: @comes_to_stay(
// CHECK: ^bb0({{.*}}: !onnx.opt<tensor<f32>>):
// CHECK: onnx.OptionalHasElement(
func.func @comes_to_stay(%n: tensor<i64>, %x: !onnx.opt<tensor<f32>>, %y: tensor<f32>) -> !onnx.unknown {
  %0 = onnx.Loop(%n, _, %x) : (tensor<i64>, !onnx.opt<tensor<f32>>) -> !onnx.unknown {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: !onnx.opt<tensor<f32>>):
    %has = onnx.OptionalHasElement(%s) : (!onnx.opt<tensor<f32>>) -> tensor<i1>
    %1 = onnx.If(%has) : (tensor<i1>) -> tensor<f32> {
      onnx.Yield(%y) : tensor<f32>
    } {
      %2 = onnx.OptionalGetElement(%s) : (!onnx.opt<tensor<f32>>) -> tensor<f32>
      onnx.Yield(%2) : tensor<f32>
    }
    onnx.Yield(%on, %1) : tensor<i1>, tensor<f32>
  }
  return %0 : !onnx.unknown
}

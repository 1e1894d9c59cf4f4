// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @sequenceconstruct(
func.func @sequenceconstruct(%a: tensor<2x?xf32, #onnx.dims<"", "n">>, %b: tensor<3x?xf32, #onnx.dims<"", "n">>,
                             %c: tensor<4xf32>) {
  // What all elements have in common.
  // CHECK: onnx.SequenceConstruct({{.*}} -> !onnx.seq<tensor<?x?xf32, #onnx.dims<"", "n">>>
  %0 = onnx.SequenceConstruct(%a, %b)
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<3x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.SequenceConstruct({{.*}} -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.SequenceConstruct(%a, %c) : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

// Two elements of a sequence may differ, so each gets names of its own.
// CHECK-LABEL: @sequenceat(
func.func @sequenceat(%s: !onnx.seq<tensor<?x4xf32>>, %i: tensor<i64>, %j: tensor<i64>) {
  // CHECK: onnx.SequenceAt({{.*}} -> tensor<?x4xf32, #onnx.dims<"a.0", "">>
  %0 = onnx.SequenceAt(%s, %i) {onnx.outputs = ["a"]} : (!onnx.seq<tensor<?x4xf32>>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.SequenceAt({{.*}} -> tensor<?x4xf32, #onnx.dims<"b.0", "">>
  %1 = onnx.SequenceAt(%s, %j) {onnx.outputs = ["b"]} : (!onnx.seq<tensor<?x4xf32>>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @insert_and_erase(
func.func @insert_and_erase(%s: !onnx.seq<tensor<2x4xf32>>, %t: tensor<3x4xf32>) {
  // CHECK: onnx.SequenceInsert({{.*}} -> !onnx.seq<tensor<?x4xf32>>
  %0 = onnx.SequenceInsert(%s, %t) : (!onnx.seq<tensor<2x4xf32>>, tensor<3x4xf32>) -> !onnx.unknown
  // CHECK: onnx.SequenceErase({{.*}} -> !onnx.seq<tensor<?x4xf32>>
  %1 = onnx.SequenceErase(%0) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.SequenceEmpty({{.*}} -> !onnx.seq<tensor<*xf32>>
  %2 = onnx.SequenceEmpty() : () -> !onnx.unknown
  // Nothing is in it that could differ.
  // CHECK: onnx.SequenceInsert({{.*}} -> !onnx.seq<tensor<3x4xf32>>
  %3 = onnx.SequenceInsert(%2, %t) : (!onnx.unknown, tensor<3x4xf32>) -> !onnx.unknown
  // CHECK: onnx.SequenceEmpty({{.*}} -> !onnx.seq<tensor<*xi64>>
  %4 = onnx.SequenceEmpty() {dtype = 7 : i64} : () -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @concatfromsequence(
func.func @concatfromsequence(%a: tensor<2x?xf32, #onnx.dims<"", "n">>, %b: tensor<3x?xf32, #onnx.dims<"", "n">>,
                              %s: !onnx.seq<tensor<?x4xf32>>, %any: !onnx.seq<tensor<*xf32>>) {
  %made = onnx.SequenceConstruct(%a, %b)
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<3x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.ConcatFromSequence({{.*}} -> tensor<5x?xf32, #onnx.dims<"", "n">>
  %0 = onnx.ConcatFromSequence(%made) {axis = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
  %more = onnx.SequenceInsert(%made, %a) : (!onnx.unknown, tensor<2x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.ConcatFromSequence({{.*}} -> tensor<?x?xf32, #onnx.dims<"j.0", "3*n">>
  %1 = onnx.ConcatFromSequence(%more) {axis = -1 : i64, onnx.outputs = ["j"]} : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConcatFromSequence({{.*}} -> tensor<?x?x4xf32, #onnx.dims<"t.0", "t.1", "">>
  %2 = onnx.ConcatFromSequence(%s) {axis = 0 : i64, new_axis = 1 : i64, onnx.outputs = ["t"]}
      : (!onnx.seq<tensor<?x4xf32>>) -> !onnx.unknown
  // CHECK: onnx.ConcatFromSequence({{.*}} -> tensor<*xf32>
  %3 = onnx.ConcatFromSequence(%any) {axis = 0 : i64} : (!onnx.seq<tensor<*xf32>>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @splittosequence(
func.func @splittosequence(%x: tensor<?x6xf32, #onnx.dims<"n", "">>, %unknown: tensor<i64>) {
  %two = onnx.Constant dense<2> : tensor<i64>
  %four = onnx.Constant dense<4> : tensor<i64>
  %list = onnx.Constant dense<[3, 3]> : tensor<2xi64>
  %mixed = onnx.Constant dense<[4, 2]> : tensor<2xi64>
  // CHECK: onnx.SplitToSequence({{.*}} -> !onnx.seq<tensor<?x2xf32, #onnx.dims<"n", "">>>
  %0 = onnx.SplitToSequence(%x, %two) {axis = 1 : i64} : (tensor<?x6xf32, #onnx.dims<"n", "">>, tensor<i64>) -> !onnx.unknown
  // The last part is smaller.
  // CHECK: onnx.SplitToSequence({{.*}} -> !onnx.seq<tensor<?x?xf32, #onnx.dims<"n", "">>>
  %1 = onnx.SplitToSequence(%x, %four) {axis = 1 : i64} : (tensor<?x6xf32, #onnx.dims<"n", "">>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.SplitToSequence({{.*}} -> !onnx.seq<tensor<?x3xf32, #onnx.dims<"n", "">>>
  %2 = onnx.SplitToSequence(%x, %list) {axis = -1 : i64, keepdims = 0 : i64}
      : (tensor<?x6xf32, #onnx.dims<"n", "">>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.SplitToSequence({{.*}} -> !onnx.seq<tensor<?x?xf32, #onnx.dims<"n", "">>>
  %3 = onnx.SplitToSequence(%x, %mixed) {axis = 1 : i64} : (tensor<?x6xf32, #onnx.dims<"n", "">>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.SplitToSequence({{.*}} -> !onnx.seq<tensor<1x6xf32>>
  %4 = onnx.SplitToSequence(%x) : (tensor<?x6xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.SplitToSequence({{.*}} -> !onnx.seq<tensor<6xf32>>
  %5 = onnx.SplitToSequence(%x) {keepdims = 0 : i64} : (tensor<?x6xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.SplitToSequence({{.*}} -> !onnx.seq<tensor<?x6xf32>>
  %6 = onnx.SplitToSequence(%x, %unknown) : (tensor<?x6xf32, #onnx.dims<"n", "">>, tensor<i64>) -> !onnx.unknown
  // What is cut and joined again is what it was.
  // CHECK: onnx.ConcatFromSequence({{.*}} -> tensor<?x6xf32, #onnx.dims<"n", "">>
  %7 = onnx.ConcatFromSequence(%1) {axis = 1 : i64} : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConcatFromSequence({{.*}} -> tensor<?x6xf32, #onnx.dims<"n", "">>
  %8 = onnx.ConcatFromSequence(%5) {axis = 0 : i64, new_axis = 1 : i64} : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// A length can become a shape.
// CHECK-LABEL: @sequencelength(
func.func @sequencelength(%x: tensor<?x6xf32, #onnx.dims<"n", "">>, %t: tensor<2xf32>) {
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %rows = onnx.SplitToSequence(%x) : (tensor<?x6xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.SequenceLength({{.*}} -> tensor<i64>
  %count = onnx.SequenceLength(%rows) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %0 = onnx.HannWindow(%count) : (!onnx.unknown) -> !onnx.unknown
  %three = onnx.SequenceConstruct(%t, %t, %t) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> !onnx.unknown
  %known = onnx.SequenceLength(%three) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<3xf32>
  %1 = onnx.HannWindow(%known) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @optionals(
func.func @optionals(%t: tensor<?xf32, #onnx.dims<"n">>, %s: !onnx.seq<tensor<2xf32>>, %o: !onnx.opt<tensor<?xf32>>) {
  // CHECK: onnx.Optional({{.*}} -> !onnx.opt<tensor<?xf32, #onnx.dims<"n">>>
  %0 = onnx.Optional(%t) : (tensor<?xf32, #onnx.dims<"n">>) -> !onnx.unknown
  // CHECK: onnx.OptionalGetElement({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %1 = onnx.OptionalGetElement(%0) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.Optional({{.*}} -> !onnx.opt<!onnx.seq<tensor<*xi64>>>
  %2 = onnx.Optional() {type = !onnx.seq<tensor<*xi64>>} : () -> !onnx.unknown
  // CHECK: onnx.OptionalGetElement({{.*}} -> !onnx.seq<tensor<2xf32>>
  %3 = onnx.OptionalGetElement(%s) : (!onnx.seq<tensor<2xf32>>) -> !onnx.unknown
  // CHECK: onnx.OptionalGetElement({{.*}} -> tensor<?xf32, #onnx.dims<"e.0">>
  %4 = onnx.OptionalGetElement(%o) {onnx.outputs = ["e"]} : (!onnx.opt<tensor<?xf32>>) -> !onnx.unknown
  // CHECK: onnx.OptionalHasElement({{.*}} -> tensor<i1>
  %5 = onnx.OptionalHasElement(%o) : (!onnx.opt<tensor<?xf32>>) -> !onnx.unknown
  return
}

// -----

// A branch that asks for what is not there never runs.
// CHECK-LABEL: @optional_in_if(
func.func @optional_in_if(%u: tensor<3xf32>) {
  %none = onnx.Optional() {type = tensor<2xf32>} : () -> !onnx.unknown
  %there = onnx.OptionalHasElement(%none) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.If({{.*}} -> tensor<3xf32>
  %0 = onnx.If(%there) : (!onnx.unknown) -> !onnx.unknown {
    onnx.Yield(%u) : tensor<3xf32>
  } {
    %element = onnx.OptionalGetElement(%none) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%element) : !onnx.unknown
  }
  return
}

// -----

// The type of the parts stays when the state grows, but not how many there are.
// CHECK-LABEL: @parts_in_a_loop(
func.func @parts_in_a_loop(%M: tensor<i64>, %x: tensor<1x3xf32>) {
  %0 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<1x3xf32>) -> !onnx.unknown {
  // CHECK: ^bb0({{.*}}: tensor<?x3xf32, #onnx.dims<"[[ROWS:[a-z0-9.]+]]", "">>)
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown):
    %parts = onnx.SplitToSequence(%s) : (!onnx.unknown) -> !onnx.unknown
    %count = onnx.SequenceLength(%parts) : (!onnx.unknown) -> !onnx.unknown
    // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"[[ROWS]]">>
    %w = onnx.HannWindow(%count) : (!onnx.unknown) -> !onnx.unknown
    // CHECK: onnx.ConcatFromSequence({{.*}} -> tensor<?x3xf32, #onnx.dims<"[[ROWS]]", "">>
    %whole = onnx.ConcatFromSequence(%parts) {axis = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
    %more = onnx.Concat(%whole, %x) {axis = 0 : i64} : (!onnx.unknown, tensor<1x3xf32>) -> !onnx.unknown
    onnx.Yield(%go_on, %more) : !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// So do sequences that are made of states.
// CHECK-LABEL: @sequence_of_states(
func.func @sequence_of_states(%M: tensor<i64>, %x: tensor<1x3xf32>) {
  %0 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<1x3xf32>) -> !onnx.unknown {
  // CHECK: ^bb0({{.*}}: tensor<?x3xf32, #onnx.dims<"[[ROWS:[a-z0-9.]+]]", "">>)
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown):
    %both = onnx.SequenceConstruct(%x, %s) : (tensor<1x3xf32>, !onnx.unknown) -> !onnx.unknown
    // CHECK: onnx.ConcatFromSequence({{.*}} -> tensor<?x3xf32, #onnx.dims<"[[ROWS]] + 1", "">>
    %more = onnx.ConcatFromSequence(%both) {axis = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%go_on, %more) : !onnx.unknown, !onnx.unknown
  }
  return
}

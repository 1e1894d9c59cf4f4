// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// The first branch is the one of a false condition.
// CHECK-LABEL: @if(
func.func @if(%cond: tensor<i1>, %x: tensor<?x3xf32, #onnx.dims<"n", "">>, %y: tensor<?x4xf32, #onnx.dims<"n", "">>,
              %z: tensor<2xf32>) {
  // CHECK: onnx.If({{.*}} -> tensor<?x?xf32, #onnx.dims<"n", "r.1">>
  %0 = onnx.If(%cond) {onnx.outputs = ["r"]} : (tensor<i1>) -> !onnx.unknown {
    // CHECK: onnx.Neg({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
    %a = onnx.Neg(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
    onnx.Yield(%a) : !onnx.unknown
  } {
    onnx.Yield(%y) : tensor<?x4xf32, #onnx.dims<"n", "">>
  }
  // CHECK: onnx.If({{.*}} -> tensor<*xf32>
  %1 = onnx.If(%cond) : (tensor<i1>) -> !onnx.unknown {
    onnx.Yield(%x) : tensor<?x3xf32, #onnx.dims<"n", "">>
  } {
    onnx.Yield(%z) : tensor<2xf32>
  }
  return
}

// -----

// A branch that never runs has no say, and may be wrong.
// CHECK-LABEL: @if_constant(
func.func @if_constant(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %y: tensor<2xf32>) {
  %true = onnx.Constant dense<true> : tensor<i1>
  // CHECK: onnx.If({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %0 = onnx.If(%true) : (tensor<i1>) -> !onnx.unknown {
    %shape = onnx.Constant dense<[5]> : tensor<1xi64>
    %a = onnx.Reshape(%y, %shape) : (tensor<2xf32>, tensor<1xi64>) -> !onnx.unknown
    onnx.Yield(%a) : !onnx.unknown
  } {
    onnx.Yield(%x) : tensor<?x3xf32, #onnx.dims<"n", "">>
  }
  return
}

// -----

// Entries of shapes leave the branch that runs; of two that may run nothing is known.
// CHECK-LABEL: @if_entries(
func.func @if_entries(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %cond: tensor<i1>) {
  %four = onnx.Constant dense<4> : tensor<1xi64>
  %false = onnx.Constant dense<false> : tensor<i1>
  %0 = onnx.If(%false) : (tensor<i1>) -> !onnx.unknown {
    %rows = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
    onnx.Yield(%rows) : !onnx.unknown
  } {
    onnx.Yield(%four) : tensor<1xi64>
  }
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %1 = onnx.HannWindow(%0) : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.If(%cond) : (tensor<i1>) -> !onnx.unknown {
    %rows = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
    onnx.Yield(%rows) : !onnx.unknown
  } {
    onnx.Yield(%four) : tensor<1xi64>
  }
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"w.0">>
  %3 = onnx.HannWindow(%2) {onnx.outputs = ["w"]} : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// Sizes that are born in a branch get a name outside; what a branch needs is no fact.
// CHECK-LABEL: @if_sizes(
// CHECK-SAME: tensor<?x3xf32, #onnx.dims<"n", "">>
func.func @if_sizes(%cond: tensor<i1>, %x: tensor<?x3xf32, #onnx.dims<"n", "">>, %y: tensor<4x3xf32>, %size: tensor<i64>) {
  // CHECK: onnx.If({{.*}} -> tensor<?xf32, #onnx.dims<"r.0">>
  %0 = onnx.If(%cond) {onnx.outputs = ["r"]} : (tensor<i1>) -> !onnx.unknown {
    // CHECK: onnx.Concat({{.*}} -> tensor<4x6xf32>
    %both = onnx.Concat(%x, %y) {axis = 1 : i64}
        : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<4x3xf32>) -> !onnx.unknown
    // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"w.0">>
    %w = onnx.HannWindow(%size) {onnx.outputs = ["w"]} : (tensor<i64>) -> !onnx.unknown
    onnx.Yield(%w) : !onnx.unknown
  } {
    %v = onnx.HannWindow(%size) : (tensor<i64>) -> !onnx.unknown
    onnx.Yield(%v) : !onnx.unknown
  }
  return
}

// -----

// Nothing is known of one branch.
// CHECK-LABEL: @if_unknown(
func.func @if_unknown(%cond: tensor<i1>, %x: tensor<2xf32>, %s: !onnx.seq<tensor<2xf32>>, %t: !onnx.seq<tensor<3xf32>>) {
  // CHECK: onnx.If({{.*}} -> (tensor<*xf32>, !onnx.seq<tensor<?xf32>>)
  %0:2 = onnx.If(%cond) : (tensor<i1>) -> (!onnx.unknown, !onnx.unknown) {
    %a = onnx.Custom "com.example" "Op"(%x) : (tensor<2xf32>) -> !onnx.unknown
    onnx.Yield(%a, %s) : !onnx.unknown, !onnx.seq<tensor<2xf32>>
  } {
    onnx.Yield(%x, %t) : tensor<2xf32>, !onnx.seq<tensor<3xf32>>
  }
  return
}

// -----

// A state that keeps its shape, and slices that are stacked as often as the body runs.
// CHECK-LABEL: @loop(
func.func @loop(%x: tensor<?x3xf32, #onnx.dims<"n", "">>) {
  %M = onnx.Constant dense<7> : tensor<i64>
  %true = onnx.Constant dense<true> : tensor<i1>
  // CHECK: onnx.Loop({{.*}} -> (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<7x3x?xf32, #onnx.dims<"", "", "n">>)
  // CHECK: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<?x3xf32, #onnx.dims<"n", "">>)
  %0:2 = onnx.Loop(%M, %true, %x)
      : (tensor<i64>, tensor<i1>, tensor<?x3xf32, #onnx.dims<"n", "">>) -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown):
    %next = onnx.Neg(%s) : (!onnx.unknown) -> !onnx.unknown
    %slice = onnx.Transpose(%s) : (!onnx.unknown) -> !onnx.unknown
    %still = onnx.Identity(%go_on) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%still, %next, %slice) : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// As many rounds as there are rows.
// CHECK-LABEL: @loop_count(
func.func @loop_count(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %y: tensor<4xf32>, %cond: tensor<i1>, %m: tensor<i64>) {
  %rows = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Loop({{.*}} -> tensor<?x4xf32, #onnx.dims<"n", "">>
  %0 = onnx.Loop(%rows, _) : (!onnx.unknown) -> !onnx.unknown {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    %true = onnx.Constant dense<true> : tensor<i1>
    onnx.Yield(%true, %y) : tensor<i1>, tensor<4xf32>
  }
  // The condition may end it.
  // CHECK: onnx.Loop({{.*}} -> tensor<?x4xf32, #onnx.dims<"a.0", "">>
  %1 = onnx.Loop(%rows, %cond) {onnx.outputs = ["a"]} : (!onnx.unknown, tensor<i1>) -> !onnx.unknown {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    onnx.Yield(%go_on, %y) : tensor<i1>, tensor<4xf32>
  }
  // CHECK: onnx.Loop({{.*}} -> tensor<?x4xf32, #onnx.dims<"b.0", "">>
  %2 = onnx.Loop(%rows, _) {onnx.outputs = ["b"]} : (!onnx.unknown) -> !onnx.unknown {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    onnx.Yield(%cond, %y) : tensor<i1>, tensor<4xf32>
  }
  // CHECK: onnx.Loop({{.*}} -> tensor<?x4xf32, #onnx.dims<"c.0", "">>
  %3 = onnx.Loop(%m, _) {onnx.outputs = ["c"]} : (tensor<i64>) -> !onnx.unknown {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    onnx.Yield(%go_on, %y) : tensor<i1>, tensor<4xf32>
  }
  return
}

// -----

// It never runs: no slices, and the states are what they were.
// CHECK-LABEL: @loop_never(
func.func @loop_never(%x: tensor<2xf32>) {
  %false = onnx.Constant dense<false> : tensor<i1>
  %M = onnx.Constant dense<-1> : tensor<i64>
  // CHECK: onnx.Loop({{.*}} -> (tensor<2xf32>, tensor<0x2xf32>)
  %0:2 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %s: tensor<2xf32>):
    onnx.Yield(%go_on, %s, %s) : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }
  return
}

// -----

// A state that grows: its size gets a name, inside for one round and outside for the end.
// CHECK-LABEL: @loop_grows(
func.func @loop_grows(%M: tensor<i64>, %x: tensor<1x3xf32>) {
  // CHECK: onnx.Loop({{.*}} -> (tensor<?x3xf32, #onnx.dims<"end.0", "">>,
  // CHECK-SAME: tensor<?x?x3xf32, #onnx.dims<"all.0", "all.1", "">>)
  // CHECK: ^bb0({{.*}}, %[[STATE:.*]]: tensor<?x3xf32, #onnx.dims<"[[SIZE:.*]]", "">>)
  %0:2 = onnx.Loop(%M, _, %x) {onnx.outputs = ["end", "all"]}
      : (tensor<i64>, tensor<1x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown):
    // CHECK: onnx.Concat(%[[STATE]], %{{.*}} -> tensor<?x3xf32, #onnx.dims<"{{.*}} + 1", "">>
    %more = onnx.Concat(%s, %x) {axis = 0 : i64} : (!onnx.unknown, tensor<1x3xf32>) -> !onnx.unknown
    onnx.Yield(%go_on, %more, %s) : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// A rank that grows.
// CHECK-LABEL: @loop_rank(
func.func @loop_rank(%M: tensor<i64>, %x: tensor<3xf32>) {
  %first = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK: onnx.Loop({{.*}} -> tensor<*xf32>
  %0 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<3xf32>) -> !onnx.unknown {
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown):
    // CHECK: onnx.Unsqueeze({{.*}} -> tensor<*xf32>
    %more = onnx.Unsqueeze(%s, %first) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    onnx.Yield(%go_on, %more) : !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// States that change places lose what they do not share.
// CHECK-LABEL: @loop_swaps(
func.func @loop_swaps(%M: tensor<i64>, %x: tensor<2x?xf32, #onnx.dims<"", "n">>, %y: tensor<3x?xf32, #onnx.dims<"", "n">>) {
  // CHECK: onnx.Loop({{.*}} -> (tensor<?x?xf32, #onnx.dims<"a.0", "n">>, tensor<?x?xf32, #onnx.dims<"b.0", "n">>)
  %0:2 = onnx.Loop(%M, _, %x, %y) {onnx.outputs = ["a", "b"]}
      : (tensor<i64>, tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<3x?xf32, #onnx.dims<"", "n">>)
      -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown, %t: !onnx.unknown):
    onnx.Yield(%go_on, %t, %s) : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// What an argument's entries were at first is not what they are later.
// CHECK-LABEL: @loop_entries(
func.func @loop_entries(%M: tensor<i64>) {
  %one = onnx.Constant dense<1> : tensor<i64>
  // CHECK: onnx.Loop({{.*}} -> tensor<i64>
  %0 = onnx.Loop(%M, _, %one) : (tensor<i64>, tensor<i64>) -> !onnx.unknown {
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown):
    // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"w.0">>
    %w = onnx.HannWindow(%s) {onnx.outputs = ["w"]} : (!onnx.unknown) -> !onnx.unknown
    %more = onnx.Add(%s, %one) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    onnx.Yield(%go_on, %more) : !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// Loops in loops: the inner one's state is the outer one's, and grows in both.
// CHECK-LABEL: @loop_nested(
func.func @loop_nested(%M: tensor<i64>, %x: tensor<1x3xf32>, %keep: tensor<5xf32>) {
  // CHECK: onnx.Loop({{.*}} -> (tensor<?x3xf32, #onnx.dims<"end.0", "">>, tensor<5xf32>)
  %0:2 = onnx.Loop(%M, _, %x, %keep) {onnx.outputs = ["end", "kept"]}
      : (tensor<i64>, tensor<1x3xf32>, tensor<5xf32>) -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %s: !onnx.unknown, %k: !onnx.unknown):
    // CHECK: onnx.Loop({{.*}} -> (tensor<?x3xf32, #onnx.dims<"inner.0", "">>, tensor<5xf32>)
    %1:2 = onnx.Loop(%M, _, %s, %k) {onnx.outputs = ["inner", "inner_kept"]}
        : (tensor<i64>, !onnx.unknown, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown) {
    ^bb0(%j: !onnx.unknown, %inner_go_on: !onnx.unknown, %t: !onnx.unknown, %l: !onnx.unknown):
      %more = onnx.Concat(%t, %x) {axis = 0 : i64} : (!onnx.unknown, tensor<1x3xf32>) -> !onnx.unknown
      onnx.Yield(%inner_go_on, %more, %l) : !onnx.unknown, !onnx.unknown, !onnx.unknown
    }
    onnx.Yield(%go_on, %1#0, %1#1) : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// Tensors collected in a loop.
// CHECK-LABEL: @loop_collects(
func.func @loop_collects(%M: tensor<i64>, %s: !onnx.seq<tensor<2x3xf32>>, %x: tensor<4x3xf32>) {
  // CHECK: onnx.Loop({{.*}} -> !onnx.seq<tensor<?x3xf32>>
  %0 = onnx.Loop(%M, _, %s) : (tensor<i64>, !onnx.seq<tensor<2x3xf32>>) -> !onnx.unknown {
  ^bb0(%i: !onnx.unknown, %go_on: !onnx.unknown, %t: !onnx.unknown):
    %more = onnx.SequenceInsert(%t, %x) : (!onnx.unknown, tensor<4x3xf32>) -> !onnx.unknown
    onnx.Yield(%go_on, %more) : !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// CHECK-LABEL: @scan(
func.func @scan(%state: tensor<?xf32, #onnx.dims<"n">>, %x: tensor<?x?x3xf32, #onnx.dims<"n", "len", "">>,
                %y: tensor<?x5xf32, #onnx.dims<"len", "">>) {
  // CHECK: onnx.Scan({{.*}} -> (tensor<?xf32, #onnx.dims<"n">>, tensor<?x?x3xf32, #onnx.dims<"n", "len", "">>,
  // CHECK-SAME: tensor<?x5xf32, #onnx.dims<"len", "">>)
  // CHECK: ^bb0(%{{.*}}: tensor<?xf32, #onnx.dims<"n">>, %{{.*}}: tensor<?x3xf32, #onnx.dims<"n", "">>, %{{.*}}: tensor<5xf32>)
  %0:3 = onnx.Scan(%state, %x, %y)
      {num_scan_inputs = 2 : i64, scan_input_axes = array<i64: 1, 0>, scan_output_axes = array<i64: -2, 0>}
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<?x?x3xf32, #onnx.dims<"n", "len", "">>,
         tensor<?x5xf32, #onnx.dims<"len", "">>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  ^bb0(%s: !onnx.unknown, %a: !onnx.unknown, %b: !onnx.unknown):
    %next = onnx.Neg(%s) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%next, %a, %b) : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// All scan inputs have one length.
// CHECK-LABEL: @scan_lengths(
// CHECK-SAME: tensor<6xf32>, %arg1: tensor<6x2xf32>
func.func @scan_lengths(%x: tensor<?xf32, #onnx.dims<"len">>, %y: tensor<6x2xf32>, %any: tensor<*xf32>) {
  // CHECK: onnx.Scan({{.*}} -> (tensor<6xf32>, tensor<6x2xf32>)
  %0:2 = onnx.Scan(%x, %y) {num_scan_inputs = 2 : i64}
      : (tensor<?xf32, #onnx.dims<"len">>, tensor<6x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%a: !onnx.unknown, %b: !onnx.unknown):
    onnx.Yield(%a, %b) : !onnx.unknown, !onnx.unknown
  }
  // CHECK: onnx.Scan({{.*}} -> (tensor<*xf32>, tensor<6x2xf32>)
  %1:2 = onnx.Scan(%any, %y) {num_scan_inputs = 2 : i64}
      : (tensor<*xf32>, tensor<6x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%a: !onnx.unknown, %b: !onnx.unknown):
    onnx.Yield(%a, %b) : !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// A state that grows.
// CHECK-LABEL: @scan_grows(
func.func @scan_grows(%state: tensor<0x2xf32>, %x: tensor<6x2xf32>) {
  %first = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK: onnx.Scan({{.*}} -> tensor<?x2xf32, #onnx.dims<"end.0", "">>
  %0 = onnx.Scan(%state, %x) {num_scan_inputs = 1 : i64, onnx.outputs = ["end"]}
      : (tensor<0x2xf32>, tensor<6x2xf32>) -> !onnx.unknown {
  ^bb0(%s: !onnx.unknown, %row: !onnx.unknown):
    %line = onnx.Unsqueeze(%row, %first) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %more = onnx.Concat(%s, %line) {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    onnx.Yield(%more) : !onnx.unknown
  }
  return
}

// -----

// Elements have their own sizes, so a sequence of what is made of them has none in common.
// CHECK-LABEL: @sequencemap(
func.func @sequencemap(%s: !onnx.seq<tensor<?x3xf32>>, %x: tensor<?x3xf32, #onnx.dims<"n", "">>) {
  // CHECK: onnx.SequenceMap({{.*}} -> (!onnx.seq<tensor<?x3xf32>>, !onnx.seq<tensor<2xi64>>,
  // CHECK-SAME: !onnx.seq<tensor<?x3xf32, #onnx.dims<"n", "">>>)
  // CHECK: ^bb0(%{{.*}}: tensor<?x3xf32>, %{{.*}}: tensor<?x3xf32, #onnx.dims<"n", "">>)
  %0:3 = onnx.SequenceMap(%s, %x)
      : (!onnx.seq<tensor<?x3xf32>>, tensor<?x3xf32, #onnx.dims<"n", "">>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  ^bb0(%element: !onnx.unknown, %other: !onnx.unknown):
    %both = onnx.Concat(%element, %other) {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %shape = onnx.Shape(%element) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%both, %shape, %other) : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
  return
}

// -----

// What looks at how its operand was made is found again, though the operand's type stays:
// the count of a range of floats comes from a size that changes from round to round.

// CHECK-LABEL: @loop_looks_through_cast(
func.func @loop_looks_through_cast(%x: tensor<4xf32>) {
  %trips = onnx.Constant dense<3> : tensor<i64>
  %true = onnx.Constant dense<true> : tensor<i1>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %start = onnx.Constant dense<0.0> : tensor<f32>
  %step = onnx.Constant dense<1.0> : tensor<f32>
  // CHECK: onnx.Loop
  %0 = onnx.Loop(%trips, %true, %x)
      : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<*xf32> {
  ^bb0(%i: tensor<*xi64>, %go: tensor<*xi1>, %state: tensor<*xf32>):
    %shape = onnx.Shape(%state) : (tensor<*xf32>) -> tensor<*xi64>
    %size = onnx.Gather(%shape, %zero) : (tensor<*xi64>, tensor<i64>) -> tensor<*xi64>
    %limit = onnx.Cast(%size) {to = 1 : i64} : (tensor<*xi64>) -> tensor<*xf32>
    // CHECK: onnx.Range{{.*}} -> tensor<?xf32, #onnx.dims<"[[N:.*]]">>
    %range = onnx.Range(%start, %limit, %step) : (tensor<f32>, tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
    // CHECK: onnx.Concat{{.*}} -> tensor<?xf32, #onnx.dims<"2*{{'?}}[[N]]{{'?}}">>
    %more = onnx.Concat(%state, %range) {axis = 0 : i64} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    onnx.Yield(%go, %more) : tensor<*xi1>, tensor<*xf32>
  }
  return
}

// -----

// A body may take the iteration as a vector of one element.
// CHECK-LABEL: @loop_vector(
func.func @loop_vector(%m: tensor<i64>, %s: tensor<1xi64>) {
  // CHECK: ^bb0(%{{.*}}: tensor<1xi64>, %{{.*}}: tensor<i1>,
  %0 = onnx.Loop(%m, _, %s) : (tensor<i64>, tensor<1xi64>) -> !onnx.unknown {
  ^bb0(%i: tensor<1xi64>, %go_on: tensor<i1>, %state: !onnx.unknown):
    // CHECK: onnx.Concat({{.*}} -> tensor<2xi64>
    %both = onnx.Concat(%s, %i) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    onnx.Yield(%go_on, %i) : tensor<i1>, tensor<1xi64>
  }
  return
}

// -----

// Lists that are empty are as good as not given.
// CHECK-LABEL: @scan_empty_lists(
func.func @scan_empty_lists(%state: tensor<2xf32>, %x: tensor<6x2xf32>) {
  // CHECK: onnx.Scan({{.*}} -> (tensor<2xf32>, tensor<6x2xf32>)
  %0:2 = onnx.Scan(%state, %x)
      {num_scan_inputs = 1 : i64, scan_input_axes = array<i64>, scan_output_axes = array<i64>}
      : (tensor<2xf32>, tensor<6x2xf32>) -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%s: !onnx.unknown, %a: !onnx.unknown):
    onnx.Yield(%s, %a) : !onnx.unknown, !onnx.unknown
  }
  return
}

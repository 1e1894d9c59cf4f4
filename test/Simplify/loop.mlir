// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// CHECK-LABEL: @drop_loop(
// CHECK-SAME: %[[X:[^:]*]]: tensor<3xf32>
// CHECK-NOT: onnx.Loop
// CHECK: %[[NONE:.*]] = onnx.Constant {{.*}}tensor<0x3xf32>
// CHECK: return %[[X]], %[[NONE]]
func.func @drop_loop(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<0x3xf32>) {
  %n = onnx.Constant dense<0> : tensor<i64>
  %0, %1 = onnx.Loop(%n, _, %x) : (tensor<i64>, tensor<3xf32>) -> (tensor<3xf32>, tensor<0x3xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %2, %2) : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  return %0, %1 : tensor<3xf32>, tensor<0x3xf32>
}

// CHECK-LABEL: @drop_loop_by_condition(
// CHECK-SAME: %[[N:[^:]*]]: tensor<i64>, %[[X:[^:]*]]: tensor<3xf32>
// CHECK: return %[[X]]
func.func @drop_loop_by_condition(%n: tensor<i64>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %go = onnx.Constant dense<false> : tensor<i1>
  %0 = onnx.Loop(%n, %go, %x) : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %2) : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// A condition that is not known may hold.
// CHECK-LABEL: @drop_loop_refused(
// CHECK: onnx.Loop(
func.func @drop_loop_refused(%n: tensor<i64>, %go: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = onnx.Loop(%n, %go, %x) : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %2) : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

// Two runs, with a state and slices.
// CHECK-LABEL: @unroll_loop(
// CHECK-NOT: onnx.Loop
// CHECK: %[[FIRST:.*]] = onnx.Mul(
// CHECK: %[[SECOND:.*]] = onnx.Mul(%[[FIRST]]
// CHECK: onnx.Concat(
func.func @unroll_loop(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>) {
  %n = onnx.Constant dense<2> : tensor<i64>
  %go = onnx.Constant dense<true> : tensor<i1>
  %0, %1 = onnx.Loop(%n, %go, %x) : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %2, %2) : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  return %0, %1 : tensor<3xf32>, tensor<2x3xf32>
}

// One run, whatever it says of the next.
// CHECK-LABEL: @unroll_loop_once(
// CHECK-NOT: onnx.Loop
// CHECK: onnx.Mul(
// CHECK-NOT: onnx.Mul(
// CHECK: return
func.func @unroll_loop_once(%x: tensor<3xf32>, %c: tensor<i1>) -> tensor<3xf32> {
  %n = onnx.Constant dense<1> : tensor<i64>
  %0 = onnx.Loop(%n, _, %x) : (tensor<i64>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%c, %2) : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// A loop that ends itself after the first run.
// CHECK-LABEL: @unroll_loop_that_stops(
// CHECK-NOT: onnx.Loop
// CHECK: onnx.Mul(
// CHECK-NOT: onnx.Mul(
// CHECK: return
func.func @unroll_loop_that_stops(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = onnx.Loop(_, _, %x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %stop = onnx.Constant dense<false> : tensor<i1>
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%stop, %2) : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @unroll_loop_refused(
// CHECK: onnx.Loop(
func.func @unroll_loop_refused(%x: tensor<3xf32>) -> tensor<3xf32> {
  %n = onnx.Constant dense<2000> : tensor<i64>
  %go = onnx.Constant dense<true> : tensor<i1>
  %0 = onnx.Loop(%n, %go, %x) : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %2) : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// A loop of at most two runs that may end after the first.
// CHECK-LABEL: @unroll_loop_while_refused(
// CHECK: onnx.Loop(
func.func @unroll_loop_while_refused(%x: tensor<f32>, %m: tensor<f32>) -> tensor<f32> {
  %n = onnx.Constant dense<2> : tensor<i64>
  %0 = onnx.Loop(%n, _, %x) : (tensor<i64>, tensor<f32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<f32>):
    %2 = onnx.Mul(%s, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %3 = onnx.Less(%2, %m) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    onnx.Yield(%3, %2) : tensor<i1>, tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @inline_scan(
// CHECK-NOT: onnx.Scan
// CHECK: onnx.Squeeze(
// CHECK: onnx.Add(
// CHECK: onnx.Unsqueeze(
func.func @inline_scan(%s: tensor<3xf32>, %x: tensor<3x1xf32>) -> (tensor<3xf32>, tensor<1x3xf32>) {
  %0, %1 = onnx.Scan(%s, %x) {num_scan_inputs = 1, scan_input_axes = array<i64: 1>} : (tensor<3xf32>, tensor<3x1xf32>) -> (tensor<3xf32>, tensor<1x3xf32>) {
  ^bb0(%t: tensor<3xf32>, %y: tensor<3xf32>):
    %2 = onnx.Add(%t, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %3 = onnx.Neg(%2) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%2, %3) : tensor<3xf32>, tensor<3xf32>
  }
  return %0, %1 : tensor<3xf32>, tensor<1x3xf32>
}

// CHECK-LABEL: @inline_scan_refused(
// CHECK: onnx.Scan(
func.func @inline_scan_refused(%s: tensor<3xf32>, %x: tensor<2x3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>) {
  %0, %1 = onnx.Scan(%s, %x) {num_scan_inputs = 1} : (tensor<3xf32>, tensor<2x3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>) {
  ^bb0(%t: tensor<3xf32>, %y: tensor<3xf32>):
    %2 = onnx.Add(%t, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %3 = onnx.Neg(%2) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%2, %3) : tensor<3xf32>, tensor<3xf32>
  }
  return %0, %1 : tensor<3xf32>, tensor<2x3xf32>
}

// -----

// A state that stays what it was at first is that value itself.
// CHECK-LABEL: @capture_state(
// CHECK-SAME: %[[N:[^:]*]]: tensor<i64>, %[[X:[^:]*]]: tensor<3xf32>, %[[W:[^:]*]]: tensor<3xf32>
// CHECK: %[[LOOP:.*]] = onnx.Loop(%[[N]], _, %[[X]]) : (tensor<i64>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: onnx.Mul(%{{.*}}, %[[W]])
// CHECK: return %[[LOOP]], %[[W]]
func.func @capture_state(%n: tensor<i64>, %x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0, %1 = onnx.Loop(%n, _, %w, %x) : (tensor<i64>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %u: tensor<3xf32>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %u) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %3 = onnx.Identity(%u) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %3, %2) : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  return %1, %0 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @capture_state_of_scan(
// CHECK-SAME: %[[W:[^:]*]]: tensor<3xf32>, %[[X:[^:]*]]: tensor<2x3xf32>
// CHECK: onnx.Scan(%[[X]]) {num_scan_inputs = 1 : i64}
// CHECK: onnx.Mul(%{{.*}}, %[[W]])
// CHECK: return %{{.*}}, %[[W]]
func.func @capture_state_of_scan(%w: tensor<3xf32>, %x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
  %0, %1 = onnx.Scan(%w, %x) {num_scan_inputs = 1} : (tensor<3xf32>, tensor<2x3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>) {
  ^bb0(%u: tensor<3xf32>, %y: tensor<3xf32>):
    %2 = onnx.Mul(%y, %u) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%u, %2) : tensor<3xf32>, tensor<3xf32>
  }
  return %1, %0 : tensor<2x3xf32>, tensor<3xf32>
}

// States that change places are what they were at first only in every other run.
// CHECK-LABEL: @capture_state_refused(
// CHECK: onnx.Loop(%{{.*}}, _, %{{.*}}, %{{.*}})
func.func @capture_state_refused(%n: tensor<i64>, %x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0, %1 = onnx.Loop(%n, _, %w, %x) : (tensor<i64>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %u: tensor<3xf32>, %s: tensor<3xf32>):
    onnx.Yield(%on, %s, %u) : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  return %1, %0 : tensor<3xf32>, tensor<3xf32>
}

// -----

// A counter that only counts itself, and slices that nobody reads.
// CHECK-LABEL: @drop_state(
// CHECK: onnx.Loop(%{{.*}}, _, %{{.*}}) : (tensor<i64>, tensor<3xf32>) -> tensor<3xf32>
// CHECK-NOT: onnx.Add(
// CHECK-NOT: onnx.Neg(
// CHECK: return
func.func @drop_state(%n: tensor<i64>, %x: tensor<3xf32>, %k: tensor<i64>) -> tensor<3xf32> {
  %0, %1, %2 = onnx.Loop(%n, _, %k, %x) : (tensor<i64>, tensor<i64>, tensor<3xf32>) -> (tensor<i64>, tensor<3xf32>, tensor<?x3xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %u: tensor<i64>, %s: tensor<3xf32>):
    %3 = onnx.Add(%u, %i) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %4 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %5 = onnx.Neg(%4) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %3, %4, %5) : tensor<i1>, tensor<i64>, tensor<3xf32>, tensor<3xf32>
  }
  return %1 : tensor<3xf32>
}

// Two states that feed each other and nothing else, and an input that nobody reads.
// CHECK-LABEL: @drop_state_of_scan(
// CHECK-SAME: %{{[^:]*}}: tensor<3xf32>, %[[X:[^:]*]]: tensor<2x3xf32>
// CHECK: onnx.Scan(%[[X]]) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 0>, scan_input_directions = array<i64: 1>, scan_output_axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
func.func @drop_state_of_scan(%w: tensor<3xf32>, %x: tensor<2x3xf32>, %z: tensor<4x2xf32>) -> tensor<3x2xf32> {
  %0, %1, %2, %3 = onnx.Scan(%w, %w, %x, %z) {num_scan_inputs = 2, scan_input_axes = array<i64: 0, 1>, scan_input_directions = array<i64: 1, 0>, scan_output_axes = array<i64: 0, 1>}
      : (tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<4x2xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<3x2xf32>) {
  ^bb0(%u: tensor<3xf32>, %v: tensor<3xf32>, %y: tensor<3xf32>, %q: tensor<4xf32>):
    %4 = onnx.Add(%v, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %5 = onnx.Sub(%u, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %6 = onnx.Neg(%y) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%4, %5, %5, %6) : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  return %3 : tensor<3x2xf32>
}

// A state that nobody reads afterwards, but the other state does on the way.
// CHECK-LABEL: @drop_state_refused(
// CHECK: onnx.Loop(%{{.*}}, _, %{{.*}}, %{{.*}})
func.func @drop_state_refused(%n: tensor<i64>, %x: tensor<3xf32>, %k: tensor<3xf32>) -> tensor<3xf32> {
  %0, %1 = onnx.Loop(%n, _, %k, %x) : (tensor<i64>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %u: tensor<3xf32>, %s: tensor<3xf32>):
    %3 = onnx.Add(%u, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %4 = onnx.Mul(%s, %u) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %3, %4) : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  return %1 : tensor<3xf32>
}

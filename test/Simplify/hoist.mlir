// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// A chain of what is the same in each run, with the constant that it needs. The other
// constant stays where it is used.
// CHECK-LABEL: @hoist_invariant(
// CHECK-DAG: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
// CHECK-DAG: %[[EXP:.*]] = onnx.Exp(
// CHECK-DAG: %[[SCALED:.*]] = onnx.Mul(%[[EXP]], %[[TWO]])
// CHECK: onnx.Loop(
// CHECK: onnx.Constant {{.*}}dense<3.000000e+00>
// CHECK: onnx.Add(%{{.*}}, %[[SCALED]])
func.func @hoist_invariant(%n: tensor<i64>, %x: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %0 = onnx.Loop(%n, _, %x) : (tensor<i64>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<?xf32>):
    %two = onnx.Constant dense<2.0> : tensor<f32>
    %three = onnx.Constant dense<3.0> : tensor<f32>
    %1 = onnx.Exp(%w) : (tensor<?xf32>) -> tensor<?xf32>
    %2 = onnx.Mul(%1, %two) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    %3 = onnx.Add(%s, %2) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %4 = onnx.Pow(%3, %three) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    onnx.Yield(%on, %4) : tensor<i1>, tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// A division of integers may fail, a random number is another each time, and what is
// yielded would need an Identity.
// CHECK-LABEL: @hoist_invariant_refused(
// CHECK-NOT: onnx.Div
// CHECK: onnx.Loop(
// CHECK: onnx.Div(
// CHECK: onnx.RandomNormalLike(
// CHECK: onnx.Abs(
func.func @hoist_invariant_refused(%n: tensor<i64>, %x: tensor<3xi64>, %w: tensor<3xi64>, %f: tensor<3xf32>) -> (tensor<3xi64>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %0, %1, %2 = onnx.Loop(%n, _, %x) : (tensor<i64>, tensor<3xi64>) -> (tensor<3xi64>, tensor<?x3xf32>, tensor<?x3xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xi64>):
    %3 = onnx.Div(%x, %w) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %4 = onnx.Add(%s, %3) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %5 = onnx.RandomNormalLike(%f) : (tensor<3xf32>) -> tensor<3xf32>
    %6 = onnx.Neg(%5) : (tensor<3xf32>) -> tensor<3xf32>
    %7 = onnx.Abs(%f) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %4, %6, %7) : tensor<i1>, tensor<3xi64>, tensor<3xf32>, tensor<3xf32>
  }
  return %0, %1, %2 : tensor<3xi64>, tensor<?x3xf32>, tensor<?x3xf32>
}

// Shapes that may not fit fail only if the loop runs.
// CHECK-LABEL: @hoist_invariant_of_shapes_refused(
// CHECK: onnx.Loop(
// CHECK: onnx.Add(
// CHECK: onnx.MatMul(
func.func @hoist_invariant_of_shapes_refused(%n: tensor<i64>, %x: tensor<f32>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<*xf32> {
  %0 = onnx.Loop(%n, _, %x) : (tensor<i64>, tensor<f32>) -> tensor<*xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<f32>):
    %1 = onnx.Add(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %2 = onnx.MatMul(%1, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
    %3 = onnx.Add(%s, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    onnx.Yield(%on, %3) : tensor<i1>, tensor<f32>
  }
  return %0 : tensor<*xf32>
}

// -----

// A loop that is known to run needs them anyway.
// CHECK-LABEL: @hoist_invariant_of_what_runs(
// CHECK: onnx.Div(
// CHECK: onnx.Loop(
// CHECK-NOT: onnx.Div(
// CHECK: return
func.func @hoist_invariant_of_what_runs(%x: tensor<3xi64>, %w: tensor<3xi64>) -> tensor<3xi64> {
  %n = onnx.Constant dense<100> : tensor<i64>
  %0 = onnx.Loop(%n, _, %x) : (tensor<i64>, tensor<3xi64>) -> tensor<3xi64> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xi64>):
    %1 = onnx.Div(%x, %w) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %2 = onnx.Add(%s, %1) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    onnx.Yield(%on, %2) : tensor<i1>, tensor<3xi64>
  }
  return %0 : tensor<3xi64>
}

// -----

// Out of the inner loop, then out of the outer one.
// CHECK-LABEL: @hoist_invariant_twice(
// CHECK: onnx.MatMul(
// CHECK: onnx.Loop(
// CHECK: onnx.Scan(
// CHECK-NOT: onnx.MatMul(
// CHECK: return
func.func @hoist_invariant_twice(%n: tensor<i64>, %x: tensor<3xf32>, %y: tensor<5x3xf32>, %w: tensor<3x3xf32>) -> tensor<3xf32> {
  %0 = onnx.Loop(%n, _, %x) : (tensor<i64>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %1 = onnx.Scan(%s, %y) {num_scan_inputs = 1} : (tensor<3xf32>, tensor<5x3xf32>) -> tensor<3xf32> {
    ^bb0(%t: tensor<3xf32>, %slice: tensor<3xf32>):
      %2 = onnx.MatMul(%x, %w) : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
      %3 = onnx.Mul(%slice, %2) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %4 = onnx.Add(%t, %3) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      onnx.Yield(%4) : tensor<3xf32>
    }
    onnx.Yield(%on, %1) : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

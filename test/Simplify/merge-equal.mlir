// RUN: invar-opt --invar-simplify %s | FileCheck %s

// Equal operators of equal operands are one, and so are their users then.
// CHECK-LABEL: @merge_equal(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>
// CHECK-NEXT: %[[E:.*]] = onnx.Exp(%[[X]])
// CHECK-NEXT: %[[T:.*]] = onnx.Tanh(%[[E]])
// CHECK-NEXT: %[[SUM:.*]] = onnx.Add(%[[T]], %[[T]])
// CHECK-NEXT: return %[[SUM]]
func.func @merge_equal(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Tanh(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = onnx.Tanh(%2) : (tensor<2xf32>) -> tensor<2xf32>
  %4 = onnx.Add(%1, %3) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %4 : tensor<2xf32>
}

// A graph sees what is computed around it; of two branches only one runs.
// CHECK-LABEL: @merge_equal_in_graphs(
// CHECK: %[[E:.*]] = onnx.Exp(
// CHECK: onnx.If(
// CHECK: onnx.Tanh(%[[E]])
// CHECK: onnx.Sin(
// CHECK: onnx.Neg(%[[E]])
// CHECK: onnx.Sin(
func.func @merge_equal_in_graphs(%c: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Abs(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.If(%c) : (tensor<i1>) -> tensor<2xf32> {
    %3 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %4 = onnx.Tanh(%3) : (tensor<2xf32>) -> tensor<2xf32>
    %5 = onnx.Sin(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %6 = onnx.Add(%4, %5) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%6) : tensor<2xf32>
  } {
    %3 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %4 = onnx.Neg(%3) : (tensor<2xf32>) -> tensor<2xf32>
    %5 = onnx.Sin(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %6 = onnx.Sub(%4, %5) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%6) : tensor<2xf32>
  }
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}

// All graphs share a weight. Axes stay in the graph that uses them, where its inference sees them.
// CHECK-LABEL: @merge_equal_constants_in_graphs(
// CHECK: %[[W:.*]] = onnx.Constant {{.*}}dense<[1.000000e+00, 2.000000e+00]>
// CHECK: %[[AXES:.*]] = onnx.Constant {{.*}}dense<0> : tensor<1xi64>
// CHECK: onnx.Unsqueeze({{.*}}, %[[AXES]])
// CHECK: onnx.If(
// CHECK: %[[OWN:.*]] = onnx.Constant {{.*}}dense<0> : tensor<1xi64>
// CHECK: onnx.Mul({{.*}}, %[[W]])
// CHECK: onnx.Unsqueeze({{.*}}, %[[OWN]])
// CHECK: onnx.Unsqueeze({{.*}}, %[[OWN]])
// CHECK: onnx.Sin(
func.func @merge_equal_constants_in_graphs(%c: tensor<i1>, %x: tensor<2xf32>) -> (tensor<1x2xf32>, tensor<2x1x2xf32>) {
  %w = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %0 = onnx.Add(%x, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Unsqueeze(%0, %axes) : (tensor<2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  %2 = onnx.If(%c) : (tensor<i1>) -> tensor<2x1x2xf32> {
    %v = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
    %first = onnx.Constant dense<0> : tensor<1xi64>
    %again = onnx.Constant dense<0> : tensor<1xi64>
    %3 = onnx.Mul(%x, %v) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %4 = onnx.Unsqueeze(%3, %first) : (tensor<2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %5 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %6 = onnx.Unsqueeze(%5, %again) : (tensor<2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
    %7 = onnx.SequenceConstruct(%4, %6) : (tensor<1x2xf32>, tensor<1x2xf32>) -> !onnx.seq<tensor<1x2xf32>>
    %8 = onnx.ConcatFromSequence(%7) {axis = 0 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<1x2xf32>>) -> tensor<2x1x2xf32>
    onnx.Yield(%8) : tensor<2x1x2xf32>
  } {
    %3 = onnx.Sin(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %shape = onnx.Constant dense<[2, 1, 2]> : tensor<3xi64>
    %4 = onnx.Expand(%3, %shape) : (tensor<2xf32>, tensor<3xi64>) -> tensor<2x1x2xf32>
    onnx.Yield(%4) : tensor<2x1x2xf32>
  }
  return %1, %2 : tensor<1x2xf32>, tensor<2x1x2xf32>
}

// Another attribute, other operands, chance, and two outputs that have a name each.
// CHECK-LABEL: @merge_equal_refused(
// CHECK-COUNT-2: onnx.LeakyRelu(
// CHECK-COUNT-2: onnx.Sub(
// CHECK-COUNT-2: onnx.RandomNormalLike(
// CHECK-COUNT-2: onnx.Exp(
func.func @merge_equal_refused(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = onnx.LeakyRelu(%x) {alpha = 0.1 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.LeakyRelu(%x) {alpha = 0.2 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.Div(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = onnx.Sub(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = onnx.Sub(%y, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %5 = onnx.Div(%3, %4) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = onnx.RandomNormalLike(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %7 = onnx.RandomNormalLike(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %8 = onnx.Div(%6, %7) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %9 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %10 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %2, %5, %8, %9, %10 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Constants of equal bytes are one, then what is done with them is.
// CHECK-LABEL: @merge_equal_constants(
// CHECK: onnx.Constant
// CHECK-NOT: onnx.Constant
// CHECK: onnx.MatMul(
// CHECK-NOT: onnx.MatMul(
// CHECK: return
func.func @merge_equal_constants(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %v = onnx.Constant dense<[[1.0, 2.0], [3.0, 0x7FC00001]]> : tensor<2x2xf32>
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 0x7FC00001]]> : tensor<2x2xf32>
  %0 = onnx.MatMul(%x, %v) : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %1 = onnx.MatMul(%x, %w) : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %2 = onnx.Sub(%0, %1) : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
}

// They may become equal by folding.
// CHECK-LABEL: @merge_equal_constants_that_fold(
// CHECK: onnx.Constant
// CHECK-NOT: onnx.Constant
// CHECK: return
func.func @merge_equal_constants_that_fold(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %v = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %w = onnx.Constant dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %t = onnx.Transpose(%w) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = onnx.MatMul(%x, %v) : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %1 = onnx.MatMul(%0, %t) : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// Zeros differ in their signs, and equal bytes in type or shape.
// CHECK-LABEL: @merge_equal_constants_refused(
// CHECK-COUNT-4: onnx.Constant
func.func @merge_equal_constants_refused(%x: tensor<2x2xf32>, %n: tensor<2x2xi32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xi32>) {
  %a = onnx.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  %b = onnx.Constant dense<[-0.0, 1.0]> : tensor<2xf32>
  %c = onnx.Constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  %d = onnx.Constant dense<[0, 1065353216]> : tensor<2xi32>
  %0 = onnx.Div(%x, %a) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = onnx.Div(%x, %b) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %2 = onnx.Div(%x, %c) : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %3 = onnx.Div(%n, %d) : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xi32>
}

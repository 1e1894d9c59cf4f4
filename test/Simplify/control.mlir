// RUN: invar-opt --invar-constprop %s | FileCheck %s

// The branch that is taken stands in the place of the If; the first one is the else.
// CHECK-LABEL: @known(
// CHECK-NOT: onnx.If
// CHECK: onnx.Abs(
// CHECK-NOT: onnx.Neg
func.func @known(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = onnx.Constant dense<false> : tensor<i1>
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<2xf32> {
    %1 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  } {
    %1 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @unknown(
// CHECK: onnx.If(
func.func @unknown(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<2xf32> {
    %1 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  } {
    %1 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// A loop of two iterations, with a state and slices.
// CHECK-LABEL: @unrolled(
// CHECK-NOT: onnx.Loop
// CHECK: %[[FIRST:.*]] = onnx.Mul(
// CHECK: %[[SECOND:.*]] = onnx.Mul(%[[FIRST]]
// CHECK: onnx.Concat(
func.func @unrolled(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>) {
  %n = onnx.Constant dense<2> : tensor<i64>
  %go = onnx.Constant dense<true> : tensor<i1>
  %0, %1 = onnx.Loop(%n, %go, %x) : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> (tensor<3xf32>, tensor<2x3xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %2, %2) : tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
  return %0, %1 : tensor<3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: @long(
// CHECK: onnx.Loop(
func.func @long(%x: tensor<3xf32>) -> tensor<3xf32> {
  %n = onnx.Constant dense<2000> : tensor<i64>
  %go = onnx.Constant dense<true> : tensor<i1>
  %0 = onnx.Loop(%n, %go, %x) : (tensor<i64>, tensor<i1>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %s: tensor<3xf32>):
    %2 = onnx.Mul(%s, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%on, %2) : tensor<i1>, tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

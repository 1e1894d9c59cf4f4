// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// The branch that is taken stands in the place of the If; the first one is the else.
// CHECK-LABEL: @inline_if(
// CHECK-NOT: onnx.If
// CHECK: onnx.Abs(
// CHECK-NOT: onnx.Neg
func.func @inline_if(%x: tensor<2xf32>) -> tensor<2xf32> {
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

// CHECK-LABEL: @inline_if_refused(
// CHECK: onnx.If(
func.func @inline_if_refused(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<2xf32> {
    %1 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  } {
    %1 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// A shape decides: there are never three axes, however long these are.
// CHECK-LABEL: @inline_if_by_shape(
// CHECK-NOT: onnx.If
// CHECK-NOT: onnx.Shape
// CHECK: onnx.Neg(
func.func @inline_if_by_shape(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %three = onnx.Constant dense<3> : tensor<i64>
  %s = onnx.Shape(%x) : (tensor<?x?xf32>) -> tensor<2xi64>
  %n = onnx.Size(%s) : (tensor<2xi64>) -> tensor<i64>
  %c = onnx.Equal(%n, %three) : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<?x?xf32> {
    %1 = onnx.Neg(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    onnx.Yield(%1) : tensor<?x?xf32>
  } {
    %1 = onnx.Abs(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    onnx.Yield(%1) : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// A size that may be 3 decides nothing.
// CHECK-LABEL: @inline_if_by_shape_refused(
// CHECK: onnx.If(
func.func @inline_if_by_shape_refused(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %three = onnx.Constant dense<3> : tensor<i64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %s = onnx.Shape(%x) : (tensor<?x?xf32>) -> tensor<2xi64>
  %n = onnx.Gather(%s, %zero) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %c = onnx.Equal(%n, %three) : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<?x?xf32> {
    %1 = onnx.Neg(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    onnx.Yield(%1) : tensor<?x?xf32>
  } {
    %1 = onnx.Abs(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
    onnx.Yield(%1) : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// -----

// What the If around has found out is known inside: Abs where c is false, Exp where not.
// CHECK-LABEL: @inline_if_decided(
// CHECK: onnx.If(
// CHECK: onnx.Abs(
// CHECK: onnx.Exp(
// CHECK-NOT: onnx.If(
// CHECK-NOT: onnx.Neg(
// CHECK: return
func.func @inline_if_decided(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %not = onnx.Not(%c) : (tensor<i1>) -> tensor<i1>
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<2xf32> {
    %1 = onnx.If(%not) : (tensor<i1>) -> tensor<2xf32> {
      %2 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield(%2) : tensor<2xf32>
    } {
      %2 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield(%2) : tensor<2xf32>
    }
    onnx.Yield(%1) : tensor<2xf32>
  } {
    %1 = onnx.If(%c) : (tensor<i1>) -> tensor<2xf32> {
      %2 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield(%2) : tensor<2xf32>
    } {
      %2 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield(%2) : tensor<2xf32>
    }
    onnx.Yield(%1) : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// The Not goes with the last If that asks it.
// CHECK-LABEL: @swap_branches(
// CHECK-SAME: %[[C:[^:]*]]: tensor<i1>
// CHECK-NOT: onnx.Not
// CHECK: onnx.If(%[[C]])
// CHECK-NEXT: onnx.Neg(
// CHECK: onnx.Abs(
// CHECK: onnx.If(%[[C]])
// CHECK-NEXT: onnx.Exp(
// CHECK: onnx.Log(
func.func @swap_branches(%c: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %not = onnx.Not(%c) : (tensor<i1>) -> tensor<i1>
  %0 = onnx.If(%not) : (tensor<i1>) -> tensor<2xf32> {
    %1 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  } {
    %1 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  }
  %2 = onnx.If(%not) : (tensor<i1>) -> tensor<2xf32> {
    %3 = onnx.Log(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%3) : tensor<2xf32>
  } {
    %3 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%3) : tensor<2xf32>
  }
  return %0, %2 : tensor<2xf32>, tensor<2xf32>
}

// Or(c, d) has no opposite that is there.
// CHECK-LABEL: @swap_branches_refused(
// CHECK: onnx.If(
// CHECK-NEXT: onnx.Abs(
func.func @swap_branches_refused(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %or = onnx.Or(%c, %d) : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %0 = onnx.If(%or) : (tensor<i1>) -> tensor<2xf32> {
    %1 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  } {
    %1 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @merge_branches(
// CHECK-NOT: onnx.If
// CHECK: %[[A:.*]] = onnx.Abs(
// CHECK-NEXT: onnx.Neg(%[[A]])
func.func @merge_branches(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<2xf32> {
    %1 = onnx.Abs(%x) {onnx.name = "one"} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = onnx.Neg(%1) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%2) : tensor<2xf32>
  } {
    %1 = onnx.Abs(%x) {onnx.name = "other"} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = onnx.Neg(%1) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%2) : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// An attribute differs.
// CHECK-LABEL: @merge_branches_refused(
// CHECK: onnx.If(
func.func @merge_branches_refused(%c: tensor<i1>, %x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<2x2xf32> {
    %1 = onnx.Softmax(%x) {axis = 0} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    onnx.Yield(%1) : tensor<2x2xf32>
  } {
    %1 = onnx.Softmax(%x) {axis = 1} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    onnx.Yield(%1) : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}

// -----

// The same value from outside, and equal constants, whatever the condition.
// CHECK-LABEL: @merge_yields(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>
// CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<[1.000000e+00, 2.000000e+00]>
// CHECK: %[[IF:.*]] = onnx.If(%{{.*}}) : (tensor<i1>) -> tensor<2xf32>
// CHECK: return %[[X]], %[[C]], %[[IF]]
func.func @merge_yields(%x: tensor<2xf32>, %c: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0, %1, %2 = onnx.If(%c) : (tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
    %3 = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
    %4 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%x, %3, %4) : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  } {
    %3 = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
    %4 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%x, %3, %4) : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Constants that are equal as numbers, but not as bits.
// CHECK-LABEL: @merge_yields_refused(
// CHECK: onnx.If(
func.func @merge_yields_refused(%c: tensor<i1>) -> tensor<f32> {
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<f32> {
    %1 = onnx.Constant dense<0.0> : tensor<f32>
    onnx.Yield(%1) : tensor<f32>
  } {
    %1 = onnx.Constant dense<-0.0> : tensor<f32>
    onnx.Yield(%1) : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @drop_yields(
// CHECK: onnx.If(%{{.*}}) : (tensor<i1>) -> tensor<2xf32>
// CHECK-NOT: onnx.Exp
// CHECK-NOT: onnx.Log
// CHECK: return
func.func @drop_yields(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %e = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %0, %1 = onnx.If(%c) : (tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>) {
    %2 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = onnx.Log(%e) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%3, %2) : tensor<2xf32>, tensor<2xf32>
  } {
    %2 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%e, %2) : tensor<2xf32>, tensor<2xf32>
  }
  return %1 : tensor<2xf32>
}

// Both are used.
// CHECK-LABEL: @drop_yields_refused(
// CHECK: onnx.If(%{{.*}}) : (tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>)
func.func @drop_yields_refused(%x: tensor<2xf32>, %c: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0, %1 = onnx.If(%c) : (tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>) {
    %2 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = onnx.Log(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%3, %2) : tensor<2xf32>, tensor<2xf32>
  } {
    %2 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = onnx.Exp(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%3, %2) : tensor<2xf32>, tensor<2xf32>
  }
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// A constant that both branches have stands before them; one that is yielded stays, since
// it would need an Identity.
// CHECK-LABEL: @merge_equal_constants_of_branches(
// CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<[1.000000e+00, 2.000000e+00]>
// CHECK: onnx.If(
// CHECK: onnx.Mul(%{{.*}}, %[[C]])
// CHECK: onnx.Constant {{.*}}dense<[3.000000e+00, 4.000000e+00]>
// CHECK: onnx.Add(%{{.*}}, %[[C]])
// CHECK: onnx.Constant {{.*}}dense<[3.000000e+00, 4.000000e+00]>
func.func @merge_equal_constants_of_branches(%x: tensor<2xf32>, %c: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0, %1 = onnx.If(%c) : (tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>) {
    %2 = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
    %3 = onnx.Mul(%x, %2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %4 = onnx.Constant dense<[3.0, 4.0]> : tensor<2xf32>
    onnx.Yield(%3, %4) : tensor<2xf32>, tensor<2xf32>
  } {
    %2 = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
    %3 = onnx.Add(%x, %2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %4 = onnx.Constant dense<[3.0, 4.0]> : tensor<2xf32>
    onnx.Yield(%4, %3) : tensor<2xf32>, tensor<2xf32>
  }
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

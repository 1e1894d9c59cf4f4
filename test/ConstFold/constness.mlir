// RUN: invar-opt --invar-analyze-constness=print-constness %s -o /dev/null | FileCheck %s
// RUN: invar-opt --invar-analyze-constness %s | FileCheck %s --check-prefix=STATED

#id = affine_map<(i) -> (i)>

// Sources are literals and what the function's attributes list; a result is as constant as
// its least constant operand.
// CHECK-LABEL: @sources
// CHECK-DAG: %arg0: variable (argument)
// CHECK-DAG: %arg1: compile-time (argument)
// CHECK-DAG: %arg2: run-once (argument)
// CHECK: literal (const.ref)
// CHECK: literal (arith.constant)
// CHECK: compile-time (arith.addf)
// CHECK: run-once (arith.mulf)
// CHECK: variable (arith.subf)
// STATED-LABEL: @sources
// STATED: arith.addf {{.*}} {constness = "compile-time"}
func.func @sources(%x: tensor<2xf32>, %c: tensor<2xf32>, %r: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    attributes {compiletime_const_args_index = array<i64: 1>,
                runtime_const_args_index = array<i64: 2>} {
  %w = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %k = arith.constant dense<3.0> : tensor<2xf32>
  %0 = arith.addf %w, %c : tensor<2xf32>
  %1 = arith.mulf %0, %r : tensor<2xf32>
  %2 = arith.subf %k, %x : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// What a body reads from around it counts.
// CHECK-LABEL: @body
// CHECK: literal (tensor.empty)
// CHECK: variable (linalg.generic)
func.func @body(%scale: f32) -> tensor<2xf32> {
  %w = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%w : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %scale : f32
    linalg.yield %p : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// The condition decides, though both branches yield constants.
// CHECK-LABEL: @branch
// CHECK: variable (scf.if)
// CHECK: literal (scf.if)
func.func @branch(%c: i1) -> (tensor<2xf32>, tensor<2xf32>) {
  %true = arith.constant true
  %a = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %b = const.ref dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = scf.if %c -> tensor<2xf32> {
    scf.yield %a : tensor<2xf32>
  } else {
    scf.yield %b : tensor<2xf32>
  }
  %1 = scf.if %true -> tensor<2xf32> {
    scf.yield %a : tensor<2xf32>
  } else {
    scf.yield %b : tensor<2xf32>
  }
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// The bounds of a loop count; what goes round in it as well.
// CHECK-LABEL: @loops
// CHECK: variable (scf.for)
// CHECK: run-once (scf.for)
// CHECK: variable (scf.for)
func.func @loops(%n: index, %r: tensor<2xf32>, %x: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    attributes {runtime_const_args_index = array<i64: 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> tensor<2xf32> {
    %t = arith.addf %s, %s : tensor<2xf32>
    scf.yield %t : tensor<2xf32>
  }
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %a) -> tensor<2xf32> {
    %t = arith.addf %s, %r : tensor<2xf32>
    scf.yield %t : tensor<2xf32>
  }
  %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %a) -> tensor<2xf32> {
    %t = arith.addf %s, %x : tensor<2xf32>
    scf.yield %t : tensor<2xf32>
  }
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Calls: as constant as what the function returns for all who call it.
// CHECK-LABEL: @calls
// CHECK: literal (func.call)
// CHECK: variable (func.call)
func.func @calls(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %w = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = func.call @twice(%w) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = func.call @outside(%w) : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @twice(%w: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %w, %w : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @outside(tensor<2xf32>) -> tensor<2xf32>

// What is drawn at random is not constant; what only takes a function of the runtime is.
// CHECK-LABEL: @random
// CHECK: literal (rt.call)
// CHECK: variable (rt.call)
func.func @random() -> (tensor<2xf32>, tensor<2xf32>) {
  %w = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = rt.call "Det"(%w) {} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = rt.call impure "RandomNormal"() {} : () -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

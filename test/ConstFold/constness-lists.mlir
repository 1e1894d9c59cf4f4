// RUN: invar-opt --invar-analyze-constness --split-input-file --verify-diagnostics %s | FileCheck %s

// Both ways to write a list are read.
// CHECK-LABEL: @spellings
// CHECK: arith.addf {{.*}} {constness = "compile-time"}
// CHECK: arith.mulf {{.*}} {constness = "run-once"}
// CHECK: arith.subf {{.*}} {constness = "compile-time"}
func.func @spellings(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    attributes {compiletime_const_args_index = [0 : i32, 2 : i64],
                runtime_const_args_index = array<i32: 1>} {
  %0 = arith.addf %a, %a : tensor<2xf32>
  %1 = arith.mulf %b, %b : tensor<2xf32>
  %2 = arith.subf %c, %c : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// expected-error @below {{expected 'compiletime_const_args_index' to list numbers of arguments, but got "1"}}
func.func @no_list(%a: tensor<2xf32>) -> tensor<2xf32>
    attributes {compiletime_const_args_index = "1"} {
  return %a : tensor<2xf32>
}

// -----

// expected-error @below {{expected 'runtime_const_args_index' to list numbers of arguments, but got [0 : i32, "1"]}}
func.func @no_number(%a: tensor<2xf32>) -> tensor<2xf32>
    attributes {runtime_const_args_index = [0 : i32, "1"]} {
  return %a : tensor<2xf32>
}

// -----

// expected-error @below {{expected 'runtime_const_args_index' to list arguments of 'too_far', which has 1, but got 1}}
func.func @too_far(%a: tensor<2xf32>) -> tensor<2xf32>
    attributes {runtime_const_args_index = array<i64: 1>} {
  return %a : tensor<2xf32>
}

// -----

// expected-error @below {{expected argument 0 to be listed once, but got it again in 'runtime_const_args_index'}}
func.func @twice(%a: tensor<2xf32>) -> tensor<2xf32>
    attributes {compiletime_const_args_index = array<i64: 0>, runtime_const_args_index = array<i64: 0>} {
  return %a : tensor<2xf32>
}

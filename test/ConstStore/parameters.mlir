// RUN: invar-opt --invar-gather-constants %s | FileCheck %s --check-prefix=GATHER
// RUN: invar-opt --invar-fold-constant-tensors %s | FileCheck %s --check-prefix=FOLD
// RUN: invar-opt --invar-fold-constant-tensors=split %s | FileCheck %s --check-prefix=SPLIT

// What has a name may be replaced: nothing is equal to it, and none of it is known when
// compiling, although there is content.
const.store {
  const.entry "w"(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
  const.entry "v" : tensor<2xf32>
}

// GATHER: const.entry "w"(dense<[1.000000e+00, 2.000000e+00]>
// GATHER: const.entry "v" : tensor<2xf32>
// GATHER: const.entry(dense<[1.000000e+00, 2.000000e+00]>
// GATHER-LABEL: @main
// GATHER: const.ref 0
// GATHER: const.ref 1
// GATHER: const.ref 2

// FOLD-LABEL: @main(%{{.*}}: tensor<2xf32>, %{{.*}}: tensor<2xf32> {const.id = 0 : i64})
// FOLD-NOT: const.ref
// FOLD: @runtime_fold() -> (tensor<2xf32> {const.id = 0 : i64})

// SPLIT: @compiletime_fold() -> (tensor<2xf32> {const.id = [[EARLY:[0-9]+]] : i64})
// SPLIT-NOT: const.ref {{[01]}}
// SPLIT: const.ref dense
// SPLIT: @runtime_fold(%{{.*}}: tensor<2xf32> {const.id = [[EARLY]] : i64})
// SPLIT: const.ref 0
// SPLIT: const.ref 1
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = const.ref 0 : tensor<2xf32>
  %v = const.ref 1 : tensor<2xf32>
  %c = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %d = arith.mulf %c, %c : tensor<2xf32>
  %p = arith.mulf %w, %v : tensor<2xf32>
  %q = arith.mulf %p, %d : tensor<2xf32>
  %y = arith.addf %x, %q : tensor<2xf32>
  return %y : tensor<2xf32>
}

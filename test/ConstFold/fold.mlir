// RUN: invar-opt --split-input-file --invar-fold-constant-tensors %s | FileCheck %s
// RUN: invar-opt --split-input-file --invar-fold-constant-tensors=split %s | FileCheck %s --check-prefix=SPLIT
//
// Running it again changes nothing.
// RUN: invar-opt --split-input-file --invar-fold-constant-tensors %s > %t.once
// RUN: invar-opt --split-input-file --invar-fold-constant-tensors --invar-fold-constant-tensors %s > %t.twice
// RUN: diff %t.once %t.twice
// RUN: invar-opt --split-input-file --invar-fold-constant-tensors=split %s > %t.once
// RUN: invar-opt --split-input-file --invar-fold-constant-tensors=split --invar-fold-constant-tensors=split %s > %t.twice
// RUN: diff %t.once %t.twice

// Only literals.
// CHECK-LABEL: func.func @literals(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<4xf32> {const.id = 0 : i64})
// CHECK-SAME: runtime_const_args_index = array<i64: 1>
// CHECK-NEXT: arith.addf %[[X]], %[[S]]
// CHECK-LABEL: func.func @runtime_fold() -> (tensor<4xf32> {const.id = 0 : i64})
// CHECK-SAME: const.fold = "run-once"
// CHECK: const.ref
// CHECK: arith.mulf
// SPLIT-LABEL: func.func @literals(
// SPLIT-SAME: compiletime_const_args_index = array<i64: 1>
// SPLIT-LABEL: func.func @compiletime_fold() -> (tensor<4xf32> {const.id = 0 : i64})
// SPLIT-NOT: @runtime_fold
func.func @literals(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = const.ref dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %s = arith.mulf %w, %w : tensor<4xf32>
  %y = arith.addf %x, %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Only what is known at the first run. The argument itself is the entry's no longer; its
// attributes go with it.
// CHECK-LABEL: func.func @run_once(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<4xf32> {const.id = 0 : i64})
// CHECK-SAME: runtime_const_args_index = array<i64: 1>
// CHECK-LABEL: func.func @runtime_fold(
// CHECK-SAME: %{{.*}}: tensor<4xf32> {invar.name = "w"}
// CHECK-SAME: runtime_const_args_index = array<i64: 0>
// SPLIT-LABEL: func.func @run_once(
// SPLIT-NOT: @compiletime_fold
// SPLIT-LABEL: func.func @runtime_fold(
func.func @run_once(%w: tensor<4xf32> {invar.name = "w"}, %x: tensor<4xf32>) -> tensor<4xf32>
    attributes {runtime_const_args_index = array<i64: 0>} {
  %s = arith.mulf %w, %w : tensor<4xf32>
  %y = arith.addf %x, %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Both: what is known when compiling is computed then, and what the first run needs of it
// is kept in between.
// CHECK-LABEL: func.func @mixed(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<4xf32> {const.id = 0 : i64})
// CHECK-LABEL: func.func @runtime_fold(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>)
// CHECK-SAME: compiletime_const_args_index = array<i64: 0>
// CHECK-SAME: runtime_const_args_index = array<i64: 1>
// SPLIT-LABEL: func.func @mixed(
// SPLIT-SAME: %[[X:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<4xf32> {const.id = 0 : i64})
// SPLIT-LABEL: func.func @compiletime_fold(
// SPLIT-SAME: -> (tensor<4xf32> {const.id = 1 : i64})
// SPLIT-LABEL: func.func @runtime_fold(
// SPLIT-SAME: %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32> {const.id = 1 : i64}) -> (tensor<4xf32> {const.id = 0 : i64})
func.func @mixed(%x: tensor<4xf32>, %c: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32>
    attributes {compiletime_const_args_index = array<i64: 1>,
                runtime_const_args_index = array<i64: 2>} {
  %s = arith.mulf %c, %c : tensor<4xf32>
  %t = arith.mulf %s, %r : tensor<4xf32>
  %y = arith.addf %x, %t : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Nothing to fold: nothing changes.
// CHECK-LABEL: func.func @none(
// CHECK-SAME: %{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NOT: @runtime_fold
func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = const.ref dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = arith.addf %x, %w : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// One value for all who read it; and a source that is also read as it is stays an argument.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<4xf32> {const.id = 0 : i64})
// CHECK-SAME: runtime_const_args_index = array<i64: 1, 2>
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[X]], %[[S]]
// CHECK-NEXT: %[[B:.*]] = arith.subf %[[A]], %[[S]]
// CHECK-NEXT: arith.addf %[[B]], %[[W]]
func.func @shared(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32>
    attributes {runtime_const_args_index = array<i64: 1>} {
  %s = arith.mulf %w, %w : tensor<4xf32>
  %a = arith.addf %x, %s : tensor<4xf32>
  %b = arith.subf %a, %s : tensor<4xf32>
  %y = arith.addf %b, %w : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// What repeats is left to those who read it; what comes before is folded.
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1000x4xf32>, %[[S:[^:]*]]: tensor<4xf32> {const.id = 0 : i64})
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<4xf32>)
func.func @repeated(%x: tensor<1000x4xf32>, %w: tensor<4xf32>) -> tensor<1000x4xf32>
    attributes {runtime_const_args_index = array<i64: 1>} {
  %s = arith.mulf %w, %w : tensor<4xf32>
  %e = tensor.empty() : tensor<1000x4xf32>
  %b = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4xf32>) outs(%e : tensor<1000x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1000x4xf32>
  %y = arith.addf %x, %b : tensor<1000x4xf32>
  return %y : tensor<1000x4xf32>
}

// -----

// Panels are packed once; the kernel reads through what says how they lie, and the tied
// weight stays as it is for who reads it so.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[W:[^:]*]]: tensor<8x16xf32>, %[[P:[^:]*]]: tensor<2x8x8xf32> {const.id = 0 : i64})
// CHECK: linalg.unpack %[[P]]
// CHECK-LABEL: func.func @runtime_fold(
// CHECK: linalg.pack
func.func @packed(%x: tensor<4x8xf32>, %t: tensor<8x16xf32>, %w: tensor<8x16xf32>)
    -> (tensor<4x16xf32>, tensor<8x16xf32>) attributes {runtime_const_args_index = array<i64: 2>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8xf32>
  %p = linalg.pack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8] into %e
      : tensor<8x16xf32> -> tensor<2x8x8xf32>
  %f = tensor.empty() : tensor<8x16xf32>
  %u = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8] into %f
      : tensor<2x8x8xf32> -> tensor<8x16xf32>
  %o = tensor.empty() : tensor<4x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%o : tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = linalg.matmul ins(%x, %u : tensor<4x8xf32>, tensor<8x16xf32>)
      outs(%i : tensor<4x16xf32>) -> tensor<4x16xf32>
  %z = arith.addf %t, %w : tensor<8x16xf32>
  return %y, %z : tensor<4x16xf32>, tensor<8x16xf32>
}

// -----

// A loop moves whole; what is constant in a loop that stays moves out of it, and what
// depends on the iteration does not.
// CHECK-LABEL: func.func @loops(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[N:.*]]: index, %[[A:.*]]: tensor<4xf32> {const.id = 0 : i64}, %[[S:.*]]: tensor<4xf32> {const.id = 1 : i64})
// CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %[[X]])
// CHECK-NEXT: %[[P:.*]] = arith.addf %[[C]], %[[S]]
// CHECK-NEXT: arith.addf %[[P]], %[[A]]
// CHECK-LABEL: func.func @runtime_fold(
// CHECK: scf.for
// CHECK: arith.mulf
func.func @loops(%x: tensor<4xf32>, %n: index, %w: tensor<4xf32>) -> tensor<4xf32>
    attributes {runtime_const_args_index = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %w) -> tensor<4xf32> {
    %t = arith.addf %s, %w : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> tensor<4xf32> {
    %s = arith.mulf %w, %w : tensor<4xf32>
    %p = arith.addf %c, %s : tensor<4xf32>
    %q = arith.addf %p, %a : tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// A graph and not a chain: only what the entry reads is kept, and what it comes from is
// computed once for both.
// CHECK-LABEL: func.func @graph(
// CHECK-SAME: {const.id = 0 : i64}, {{.*}} {const.id = 1 : i64})
// CHECK-NOT: const.id = 2
// CHECK-LABEL: func.func @runtime_fold(
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT: arith.mulf
func.func @graph(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32>
    attributes {runtime_const_args_index = array<i64: 1>} {
  %a = arith.mulf %w, %w : tensor<4xf32>
  %b = arith.mulf %a, %w : tensor<4xf32>
  %c = arith.mulf %a, %a : tensor<4xf32>
  %p = arith.addf %x, %b : tensor<4xf32>
  %y = arith.addf %p, %c : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Sizes that are open are not kept: there is no place for them.
// CHECK-LABEL: func.func @open(
// CHECK: arith.mulf
// CHECK-NOT: @runtime_fold
func.func @open(%x: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32>
    attributes {runtime_const_args_index = array<i64: 1>} {
  %s = arith.mulf %w, %w : tensor<?xf32>
  %y = arith.addf %x, %s : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

#id2 = affine_map<(i, j, k) -> (i, j, k)>
#tiled = affine_map<(i, j, k) -> (i, k)>

// So is a tile: a repetition whose axes are one then.
// CHECK-LABEL: func.func @tiled(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x4000xf32>, %[[S:[^:]*]]: tensor<2x4xf32> {const.id = 0 : i64})
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<2x4xf32>)
// CHECK: tensor.collapse_shape
func.func @tiled(%x: tensor<2x4000xf32>, %w: tensor<2x4xf32>) -> tensor<2x4000xf32>
    attributes {runtime_const_args_index = array<i64: 1>} {
  %s = arith.mulf %w, %w : tensor<2x4xf32>
  %e = tensor.empty() : tensor<2x1000x4xf32>
  %r = linalg.generic {indexing_maps = [#tiled, #id2], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x4xf32>) outs(%e : tensor<2x1000x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x1000x4xf32>
  %t = tensor.collapse_shape %r [[0], [1, 2]] : tensor<2x1000x4xf32> into tensor<2x4000xf32>
  %y = arith.addf %x, %t : tensor<2x4000xf32>
  return %y : tensor<2x4000xf32>
}

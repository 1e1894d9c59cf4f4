// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-pack-weights))' %s | FileCheck %s --check-prefixes=CHECK,PACK
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd{everywhere}))' %s | FileCheck %s --check-prefixes=CHECK,WINOGRAD
//
// A constant is one whichever way it is given: as a literal, in a reference, as
// an entry of the store, with or without a name, and as an argument that is listed as
// constant. Packing and transforming treat all alike.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(n, h, w, o, c, i, j) -> (n, h + i, w + j, c)>
#f = affine_map<(n, h, w, o, c, i, j) -> (o, c, i, j)>
#y = affine_map<(n, h, w, o, c, i, j) -> (n, h, w, o)>
#id = affine_map<(k, n) -> (k, n)>

const.store {
  const.entry (dense<1.0> : tensor<32x64xf32>) : tensor<32x64xf32>
  const.entry "named" : tensor<32x64xf32>
  const.entry (dense<1.0> : tensor<32x8x3x3xf32>) : tensor<32x8x3x3xf32>
  const.entry "filter" (dense<1.0> : tensor<32x8x3x3xf32>) : tensor<32x8x3x3xf32>
}

// CHECK-LABEL: @product_literal(
// PACK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x64xf32> -> tensor<2x32x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// CHECK: return
func.func @product_literal(%a: tensor<?x32xf32>, %init: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %w = arith.constant dense<1.0> : tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: @product_content(
// PACK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x64xf32> -> tensor<2x32x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// CHECK: return
func.func @product_content(%a: tensor<?x32xf32>, %init: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %w = const.ref dense<1.0> : tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: @product_entry(
// PACK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x64xf32> -> tensor<2x32x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// CHECK: return
func.func @product_entry(%a: tensor<?x32xf32>, %init: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %w = const.ref 0 : tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: @product_named(
// PACK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x64xf32> -> tensor<2x32x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// CHECK: return
func.func @product_named(%a: tensor<?x32xf32>, %init: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %w = const.ref 1 : tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: @product_compile_time(
// PACK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x64xf32> -> tensor<2x32x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// CHECK: return
func.func @product_compile_time(%a: tensor<?x32xf32>, %init: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x64xf32> attributes {compiletime_const_args_index = array<i64: 2>} {
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: @product_run_once(
// PACK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x64xf32> -> tensor<2x32x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// CHECK: return
func.func @product_run_once(%a: tensor<?x32xf32>, %init: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x64xf32> attributes {runtime_const_args_index = array<i64: 2>} {
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// What is computed from constants of several kinds is constant.
// CHECK-LABEL: @product_computed(
// PACK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x64xf32> -> tensor<2x32x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// CHECK: return
func.func @product_computed(%a: tensor<?x32xf32>, %init: tensor<?x64xf32>, %v: tensor<32x64xf32>) -> tensor<?x64xf32>
    attributes {runtime_const_args_index = array<i64: 2>} {
  %u = const.ref 0 : tensor<32x64xf32>
  %o = tensor.empty() : tensor<32x64xf32>
  %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u, %v : tensor<32x64xf32>, tensor<32x64xf32>) outs(%o : tensor<32x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    linalg.yield %p : f32
  } -> tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// Another argument is constant, not the factor.
// CHECK-LABEL: @product_other_argument(
// CHECK-NOT: linalg.pack
// CHECK: return
func.func @product_other_argument(%a: tensor<?x32xf32>, %init: tensor<?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x64xf32> attributes {compiletime_const_args_index = array<i64: 1>} {
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: @filter_literal(
// CHECK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x8x3x3xf32> -> tensor<1x3x3x8x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// WINOGRAD: linalg.generic {{.*}} ins(%[[PANELS]]
// WINOGRAD: invar.restored_filter
// CHECK: return
func.func @filter_literal(%x: tensor<1x18x18x8xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<1.0> : tensor<32x8x3x3xf32>
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x18x18x8xf32>, tensor<32x8x3x3xf32>) outs(%i : tensor<1x16x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// CHECK-LABEL: @filter_content(
// CHECK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x8x3x3xf32> -> tensor<1x3x3x8x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// WINOGRAD: linalg.generic {{.*}} ins(%[[PANELS]]
// WINOGRAD: invar.restored_filter
// CHECK: return
func.func @filter_content(%x: tensor<1x18x18x8xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<32x8x3x3xf32>
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x18x18x8xf32>, tensor<32x8x3x3xf32>) outs(%i : tensor<1x16x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// CHECK-LABEL: @filter_entry(
// CHECK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x8x3x3xf32> -> tensor<1x3x3x8x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// WINOGRAD: linalg.generic {{.*}} ins(%[[PANELS]]
// WINOGRAD: invar.restored_filter
// CHECK: return
func.func @filter_entry(%x: tensor<1x18x18x8xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref 2 : tensor<32x8x3x3xf32>
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x18x18x8xf32>, tensor<32x8x3x3xf32>) outs(%i : tensor<1x16x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// CHECK-LABEL: @filter_named(
// CHECK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x8x3x3xf32> -> tensor<1x3x3x8x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// WINOGRAD: linalg.generic {{.*}} ins(%[[PANELS]]
// WINOGRAD: invar.restored_filter
// CHECK: return
func.func @filter_named(%x: tensor<1x18x18x8xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref 3 : tensor<32x8x3x3xf32>
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x18x18x8xf32>, tensor<32x8x3x3xf32>) outs(%i : tensor<1x16x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// CHECK-LABEL: @filter_compile_time(
// CHECK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x8x3x3xf32> -> tensor<1x3x3x8x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// WINOGRAD: linalg.generic {{.*}} ins(%[[PANELS]]
// WINOGRAD: invar.restored_filter
// CHECK: return
func.func @filter_compile_time(%x: tensor<1x18x18x8xf32>, %w: tensor<32x8x3x3xf32>) -> tensor<1x16x16x32xf32> attributes {compiletime_const_args_index = array<i64: 1>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x18x18x8xf32>, tensor<32x8x3x3xf32>) outs(%i : tensor<1x16x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// CHECK-LABEL: @filter_run_once(
// CHECK: %[[PANELS:.*]] = linalg.pack {{.*}} : tensor<32x8x3x3xf32> -> tensor<1x3x3x8x32xf32>
// PACK: linalg.unpack %[[PANELS]]
// WINOGRAD: linalg.generic {{.*}} ins(%[[PANELS]]
// WINOGRAD: invar.restored_filter
// CHECK: return
func.func @filter_run_once(%x: tensor<1x18x18x8xf32>, %w: tensor<32x8x3x3xf32>) -> tensor<1x16x16x32xf32> attributes {runtime_const_args_index = array<i64: 1>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x18x18x8xf32>, tensor<32x8x3x3xf32>) outs(%i : tensor<1x16x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// CHECK-LABEL: @filter_argument(
// CHECK-NOT: linalg.pack
// CHECK: return
func.func @filter_argument(%x: tensor<1x18x18x8xf32>, %w: tensor<32x8x3x3xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x18x18x8xf32>, tensor<32x8x3x3xf32>) outs(%i : tensor<1x16x16x32xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// The window of a pool gives its shape only, so there is nothing to pack.
// CHECK-LABEL: @pool(
// CHECK-NOT: linalg.pack
// CHECK: return
func.func @pool(%x: tensor<8x8xf32>, %init: tensor<6x16xf32>) -> tensor<6x16xf32> {
  %w = tensor.empty() : tensor<3x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(h, o, i, j) -> (h + i, j)>, affine_map<(h, o, i, j) -> (i, o)>, affine_map<(h, o, i, j) -> (h, o)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x8xf32>, tensor<3x16xf32>) outs(%init : tensor<6x16xf32>) {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %t = arith.addf %s, %l : f32
    linalg.yield %t : f32
  } -> tensor<6x16xf32>
  return %y : tensor<6x16xf32>
}

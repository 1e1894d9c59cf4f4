// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-fold-transposes,invar-pack-weights{panel=8},invar-fold-constant-views))' %s | FileCheck %s
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-fold-transposes,invar-pack-weights{panel=8}))' %s | FileCheck %s --check-prefix=PACK
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-fold-transposes,invar-pack-weights{panel=8},invar-lower-pack))' %s | FileCheck %s --check-prefix=LOOPS

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#t = affine_map<(i, j) -> (j, i)>
#id = affine_map<(i, j) -> (i, j)>
#point = affine_map<(n, o, h, w, c, i, j) -> (n, h, w, c)>
#f = affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>
#y = affine_map<(n, o, h, w, c, i, j) -> (n, h, w, o)>

// A constant that was transposed is a constant, and then one in panels of 8 columns, the
// last one filled up with zeros.
// CHECK-LABEL: @product(
// CHECK: %[[PANELS:.*]] = const.ref {{.*}} : tensor<2x2x8xf32>
// CHECK: linalg.unpack %[[PANELS]] outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8] into {{.*}} : tensor<2x2x8xf32> -> tensor<2x10xf32>
//
// To pack is an operation, which is folded, or becomes loops.
// PACK-LABEL: @product(
// PACK: %[[ZERO:.*]] = arith.constant 0.0
// PACK: %[[PANELS:.*]] = linalg.pack %{{.*}} padding_value(%[[ZERO]] : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8]
// PACK: linalg.unpack %[[PANELS]]
// LOOPS: affine_map<(d0, d1, d2) -> (d1, d0 * 8 + d2)>
// LOOPS-LABEL: @product(
// LOOPS-NOT: linalg.pack
// LOOPS: %[[WHOLE:.*]] = tensor.pad %{{.*}} low[0, 0] high[0, 6]
// LOOPS: linalg.generic {{.*}} ins(%[[WHOLE]] : tensor<2x16xf32>) outs(%{{.*}} : tensor<2x2x8xf32>)
func.func @product(%a: tensor<?x2xf32>, %init: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %w = const.ref dense<1.0> : tensor<10x2xf32>
  %e = tensor.empty() : tensor<2x10xf32>
  %b = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<10x2xf32>) outs(%e : tensor<2x10xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x10xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x2xf32>, tensor<2x10xf32>) outs(%init : tensor<?x10xf32>) {
  ^bb0(%x: f32, %k: f32, %s: f32):
    %p = arith.mulf %x, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}

// The taps of a filter of one tap are axes of the filter alone.
// CHECK-LABEL: @one_tap(
// CHECK: const.ref {{.*}} : tensor<1x1x1x3x8xf32>
// CHECK: linalg.unpack
func.func @one_tap(%x: tensor<1x?x8x3xf32>, %init: tensor<1x?x8x8xf32>) -> tensor<1x?x8x8xf32> {
  %f = const.ref dense<1.0> : tensor<8x3x1x1xf32>
  %y = linalg.generic {indexing_maps = [#point, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : tensor<1x?x8x3xf32>, tensor<8x3x1x1xf32>) outs(%init : tensor<1x?x8x8xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x?x8x8xf32>
  return %y : tensor<1x?x8x8xf32>
}

// What is no constant stays where it is.
// CHECK-LABEL: @variable(
// CHECK-NOT: linalg.unpack
// CHECK: return
func.func @variable(%a: tensor<?x2xf32>, %b: tensor<2x10xf32>, %init: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x2xf32>, tensor<2x10xf32>) outs(%init : tensor<?x10xf32>) {
  ^bb0(%x: f32, %k: f32, %s: f32):
    %p = arith.mulf %x, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}

// What is computed of a constant is one too; that it is computed once is left to folding.
// PACK-LABEL: @computed(
// PACK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<2x10xf16>)
// PACK: linalg.pack %[[WIDE]] {{.*}} : tensor<2x10xf32> -> tensor<2x2x8xf32>
// PACK: linalg.unpack
func.func @computed(%a: tensor<?x2xf32>, %init: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %w = const.ref dense<1.0> : tensor<2x10xf16>
  %e = tensor.empty() : tensor<2x10xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<2x10xf16>) outs(%e : tensor<2x10xf32>) {
  ^bb0(%x: f16, %o: f32):
    %r = arith.extf %x : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x10xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x2xf32>, tensor<2x10xf32>) outs(%init : tensor<?x10xf32>) {
  ^bb0(%x: f32, %k: f32, %s: f32):
    %p = arith.mulf %x, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}

// A sum of something variable is none.
// PACK-LABEL: @partly(
// PACK-NOT: linalg.pack
// PACK: return
func.func @partly(%a: tensor<?x2xf32>, %v: tensor<2x10xf32>, %init: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %w = const.ref dense<1.0> : tensor<2x10xf32>
  %b = arith.addf %w, %v : tensor<2x10xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x2xf32>, tensor<2x10xf32>) outs(%init : tensor<?x10xf32>) {
  ^bb0(%x: f32, %k: f32, %s: f32):
    %p = arith.mulf %x, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}

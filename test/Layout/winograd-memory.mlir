// Transformed filters may grow by some bytes: those that save most for each come first, and
// a larger form only after others had their smaller one.

// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd))' %s | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd{growth=0 allowance=0}))' %s | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd{growth=0 allowance=114688}))' %s | FileCheck %s --check-prefixes=CHECK,SMALL
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd{growth=0 allowance=442368}))' %s | FileCheck %s --check-prefixes=CHECK,LARGE

// A fifth of 2.5 MB is as much as 442368 bytes, and a tenth is not.
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd{growth=20 allowance=0}))' %s | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd{growth=10 allowance=0}))' %s | FileCheck %s --check-prefixes=CHECK,SMALL

// All of them, whatever they take.
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd{growth=0 allowance=0 everywhere}))' %s | FileCheck %s --check-prefixes=CHECK,ALL

#x = affine_map<(n, h, w, o, c, i, j) -> (n, h + i, w + j, c)>
#f = affine_map<(n, h, w, o, c, i, j) -> (o, c, i, j)>
#y = affine_map<(n, h, w, o, c, i, j) -> (n, h, w, o)>
#sums = {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}

// The first convolution has a small filter and a large image, the second the other way round.
// CHECK-LABEL: @two(
// ALL: outs({{.*}} : tensor<2x6x6x64x32xf32>)
// ALL: outs({{.*}} : tensor<8x4x4x256x32xf32>)
// LARGE: outs({{.*}} : tensor<2x6x6x64x32xf32>)
// LARGE-NOT: invar.restored_filter{{.*}} tensor<256x256x3x3xf32>
// SMALL: outs({{.*}} : tensor<2x4x4x64x32xf32>)
// SMALL-NOT: invar.restored_filter{{.*}} tensor<256x256x3x3xf32>
// NONE-NOT: invar.restored_filter
// CHECK: return
func.func @two(%x: tensor<1x58x58x64xf32>, %z: tensor<1x16x16x256xf32>) -> (tensor<1x56x56x64xf32>, tensor<1x14x14x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x3x3xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.generic #sums ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%i : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x64xf32>
  %v = const.ref dense<2.0> : tensor<256x256x3x3xf32>
  %f = tensor.empty() : tensor<1x14x14x256xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
  %u = linalg.generic #sums ins(%z, %v : tensor<1x16x16x256xf32>, tensor<256x256x3x3xf32>) outs(%j : tensor<1x14x14x256xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x14x14x256xf32>
  return %y, %u : tensor<1x56x56x64xf32>, tensor<1x14x14x256xf32>
}

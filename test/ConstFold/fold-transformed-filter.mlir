// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd),invar-fold-constant-tensors{max-growth=0})' %s | FileCheck %s

#x = affine_map<(n, h, w, o, c, i, j) -> (n, h + i, w + j, c)>
#f = affine_map<(n, h, w, o, c, i, j) -> (o, c, i, j)>
#y = affine_map<(n, h, w, o, c, i, j) -> (n, h, w, o)>

// A transformed filter is kept, in panels, also where nothing may grow. What gives it back
// is read through, and stays.
// CHECK-LABEL: @main(
// CHECK-SAME: %[[PANELS:[^:]*]]: tensor<2x6x6x64x32xf32> {const.id = 0 : i64}
// CHECK-NOT: linalg.pack
// CHECK: linalg.unpack %[[PANELS]]
// CHECK: invar.restored_filter
// CHECK: return
// CHECK-LABEL: @runtime_fold(
// CHECK: const.ref {{.*}} : tensor<64x64x3x3xf32>
// CHECK: linalg.pack
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x6x6x64x32xf32>)
// CHECK-NOT: linalg.unpack
// CHECK: return
func.func @main(%x: tensor<1x58x58x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x3x3xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%i : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-channels-last))' %s | FileCheck %s

#x = affine_map<(n, o, h, w, c, i, j) -> (n, c, h + i, w + j)>
#f = affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>
#y = affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>
#point = affine_map<(n, o, h, w, c, i, j) -> (n, c, h, w)>
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
#bias = affine_map<(a, b, c, d) -> (b)>

// CHECK-DAG: #[[READ:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d5, d3 + d6, d4)>
// CHECK-DAG: #[[POINT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d4)>
// CHECK-DAG: #[[WRITE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>
// CHECK-DAG: #[[CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>

// The image is turned once, the bias is read along the last axis, the result turned back.
// CHECK-LABEL: @convolution(
// CHECK: %[[TURNED:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<1x3x8x8xf32>) outs(%{{.*}} : tensor<1x8x8x3xf32>)
// CHECK: %[[PADDED:.*]] = tensor.pad %[[TURNED]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.generic {indexing_maps = [#[[READ]], #{{.*}}, #[[WRITE]]]{{.*}} ins(%[[PADDED]]
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[CHANNEL]], #{{.*}}]{{.*}} outs(%{{.*}} : tensor<1x8x8x16xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x16x8x8xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @convolution(%x: tensor<1x3x8x8xf32>, %f: tensor<16x3x3x3xf32>, %b: tensor<16xf32>) -> tensor<1x16x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
  %e = tensor.empty() : tensor<1x16x8x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %f : tensor<1x3x10x10xf32>, tensor<16x3x3x3xf32>) outs(%i : tensor<1x16x8x8xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x8x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b : tensor<1x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<1x16x8x8xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %t = arith.addf %a, %k : f32
    linalg.yield %t : f32
  } -> tensor<1x16x8x8xf32>
  return %r : tensor<1x16x8x8xf32>
}

// A window of one tap reads the image at its own place.
// CHECK-LABEL: @one_tap(
// CHECK: %[[TURNED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x?x8x3xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[POINT]], #{{.*}}, #[[WRITE]]]{{.*}} ins(%[[TURNED]]
func.func @one_tap(%x: tensor<1x3x?x8xf32>, %f: tensor<16x3x1x1xf32>, %init: tensor<1x16x?x8xf32>) -> tensor<1x16x?x8xf32> {
  %y = linalg.generic {indexing_maps = [#point, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : tensor<1x3x?x8xf32>, tensor<16x3x1x1xf32>) outs(%init : tensor<1x16x?x8xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x?x8xf32>
  return %y : tensor<1x16x?x8xf32>
}

// Nothing is turned for what is elementwise alone.
// CHECK-LABEL: @elementwise(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @elementwise(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32> {
  %e = tensor.empty() : tensor<1x3x8x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x3x8x8xf32>) outs(%e : tensor<1x3x8x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %a : f32
    linalg.yield %t : f32
  } -> tensor<1x3x8x8xf32>
  return %r : tensor<1x3x8x8xf32>
}

// To turn two tensors for one would cost more than it saves.
// CHECK-LABEL: @many_variables(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg3, %arg4 : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>)
// CHECK: return
func.func @many_variables(%x: tensor<1x3x6x8xf32>, %f: tensor<4x3x1x1xf32>, %init: tensor<1x4x6x8xf32>, %v: tensor<1x4x6x8xf32>, %w: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %y = linalg.generic {indexing_maps = [#point, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : tensor<1x3x6x8xf32>, tensor<4x3x1x1xf32>) outs(%init : tensor<1x4x6x8xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x4x6x8xf32>
  %e = tensor.empty() : tensor<1x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %v, %w : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) outs(%e : tensor<1x4x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %c : f32
    linalg.yield %t : f32
  } -> tensor<1x4x6x8xf32>
  return %r : tensor<1x4x6x8xf32>
}

// Constants are turned once, whichever way they are given.
// CHECK-LABEL: @marked_arguments(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x6x8x4xf32>, tensor<1x6x8x4xf32>, tensor<1x6x8x4xf32>)
// CHECK: return
func.func @marked_arguments(%x: tensor<1x3x6x8xf32>, %f: tensor<4x3x1x1xf32>, %init: tensor<1x4x6x8xf32>, %v: tensor<1x4x6x8xf32>, %w: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> attributes {compiletime_const_args_index = array<i64: 3>, runtime_const_args_index = array<i64: 4>} {
  %y = linalg.generic {indexing_maps = [#point, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : tensor<1x3x6x8xf32>, tensor<4x3x1x1xf32>) outs(%init : tensor<1x4x6x8xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x4x6x8xf32>
  %e = tensor.empty() : tensor<1x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %v, %w : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) outs(%e : tensor<1x4x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %c : f32
    linalg.yield %t : f32
  } -> tensor<1x4x6x8xf32>
  return %r : tensor<1x4x6x8xf32>
}

// CHECK-LABEL: @literals(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x6x8x4xf32>, tensor<1x6x8x4xf32>, tensor<1x6x8x4xf32>)
// CHECK: return
func.func @literals(%x: tensor<1x3x6x8xf32>, %f: tensor<4x3x1x1xf32>, %init: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %v = arith.constant dense<1.0> : tensor<1x4x6x8xf32>
  %w = const.ref dense<2.0> : tensor<1x4x6x8xf32>
  %y = linalg.generic {indexing_maps = [#point, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : tensor<1x3x6x8xf32>, tensor<4x3x1x1xf32>) outs(%init : tensor<1x4x6x8xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x4x6x8xf32>
  %e = tensor.empty() : tensor<1x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %v, %w : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) outs(%e : tensor<1x4x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %c : f32
    linalg.yield %t : f32
  } -> tensor<1x4x6x8xf32>
  return %r : tensor<1x4x6x8xf32>
}

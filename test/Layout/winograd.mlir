// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd))' %s | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-winograd{everywhere}))' %s | FileCheck %s --check-prefixes=CHECK,EVERYWHERE

#x = affine_map<(n, h, w, o, c, i, j) -> (n, h + i, w + j, c)>
#swapped = affine_map<(n, h, w, o, c, i, j) -> (n, i + h, j + w, c)>
#strided = affine_map<(n, h, w, o, c, i, j) -> (n, h * 2 + i, w * 2 + j, c)>
#dilated = affine_map<(n, h, w, o, c, i, j) -> (n, h + i * 2, w + j * 2, c)>
#f = affine_map<(n, h, w, o, c, i, j) -> (o, c, i, j)>
#y = affine_map<(n, h, w, o, c, i, j) -> (n, h, w, o)>

// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d5)>
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[TO:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d5, d6, d3, d4)>
// CHECK-DAG: #[[BOTH:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d2, d5, d6)>

// Of a large image, tiles of 4 x 4: the filter is packed in panels of 32 columns,
// transformed, and given back to who convolves.
// CHECK-LABEL: @large(
// CHECK-DAG: %[[W:.*]] = const.ref {{.*}} : tensor<64x64x3x3xf32>
// CHECK: %[[PACKED:.*]] = linalg.pack %[[W]] outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [0] inner_tiles = [32] into {{.*}} -> tensor<2x3x3x64x32xf32>
// CHECK: %[[G:.*]] = arith.constant dense<{{.*}}> : tensor<6x6x3x3xf32>
// CHECK: %[[PANELS:.*]] = linalg.generic {indexing_maps = [#[[TAPS]], #[[BOTH]], #{{.*}}]{{.*}}} ins(%[[PACKED]], %[[G]] : {{.*}} outs(%{{.*}} : tensor<2x6x6x64x32xf32>)
// CHECK: %[[READ:.*]] = linalg.unpack %[[PANELS]] outer_dims_perm = [0, 2, 3, 1] inner_dims_pos = [0] inner_tiles = [32]
// CHECK: %[[INVERSE:.*]] = arith.constant dense<{{\[\[}}4.000000e+00, {{.*}}> : tensor<3x6xf32>
// CHECK: %[[BACK:.*]] = linalg.generic {indexing_maps = [#[[ROWS]], #[[COLUMNS]], #[[FROM]], #[[TO]]]{{.*}} ins(%[[INVERSE]], %[[INVERSE]], %[[READ]] : {{.*}} attrs = {invar.restored_filter}
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[BACK]] : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>)
func.func @large(%x: tensor<1x58x58x64xf32>) -> tensor<1x56x56x64xf32> {
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

// Of a small image with many channels, tiles of 2 x 2: their filters are smaller.
// CHECK-LABEL: @small_image(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8x4x4x256x32xf32>)
// CHECK: invar.restored_filter
func.func @small_image(%x: tensor<1x16x16x256xf32>) -> tensor<1x14x14x256xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<256x256x3x3xf32>
  %e = tensor.empty() : tensor<1x14x14x256xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x16x256xf32>, tensor<256x256x3x3xf32>) outs(%i : tensor<1x14x14x256xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x14x14x256xf32>
  return %y : tensor<1x14x14x256xf32>
}

// Sizes may be open. What panels lack is filled up with zeros.
// CHECK-LABEL: @open(
// CHECK: linalg.pack {{.*}} padding_value(%{{.*}} : f32) {{.*}} -> tensor<2x3x3x64x32xf32>
// CHECK: invar.restored_filter
func.func @open(%x: tensor<1x?x?x64xf32>, %h: index, %v: index) -> tensor<1x?x?x40xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<40x64x3x3xf32>
  %e = tensor.empty(%h, %v) : tensor<1x?x?x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x?x?x40xf32>) -> tensor<1x?x?x40xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x?x?x64xf32>, tensor<40x64x3x3xf32>) outs(%i : tensor<1x?x?x40xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?x40xf32>
  return %y : tensor<1x?x?x40xf32>
}

// The filters of many channels take longer to read than the sums of few places to compute.
// CHECK-LABEL: @tiny_image(
// AUTO-NOT: invar.restored_filter
// EVERYWHERE: invar.restored_filter
// CHECK: return
func.func @tiny_image(%x: tensor<1x9x9x512xf32>) -> tensor<1x7x7x512xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<512x512x3x3xf32>
  %e = tensor.empty() : tensor<1x7x7x512xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x9x9x512xf32>, tensor<512x512x3x3xf32>) outs(%i : tensor<1x7x7x512xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x7x7x512xf32>
  return %y : tensor<1x7x7x512xf32>
}

// Vectors of few channels are mostly empty.
// CHECK-LABEL: @few_channels(
// AUTO-NOT: invar.restored_filter
// EVERYWHERE: invar.restored_filter
// CHECK: return
func.func @few_channels(%x: tensor<1x58x58x3xf32>) -> tensor<1x56x56x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<4x3x3x3xf32>
  %e = tensor.empty() : tensor<1x56x56x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x4xf32>) -> tensor<1x56x56x4xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x3xf32>, tensor<4x3x3x3xf32>) outs(%i : tensor<1x56x56x4xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x4xf32>
  return %y : tensor<1x56x56x4xf32>
}

// Tiles overlap by two places only where windows move by one.
// CHECK-LABEL: @strided(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @strided(%x: tensor<1x58x58x64xf32>) -> tensor<1x28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x3x3xf32>
  %e = tensor.empty() : tensor<1x28x28x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %y = linalg.generic {indexing_maps = [#strided, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%i : tensor<1x28x28x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x28x28x64xf32>
  return %y : tensor<1x28x28x64xf32>
}

// CHECK-LABEL: @dilated(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @dilated(%x: tensor<1x58x58x64xf32>) -> tensor<1x54x54x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x3x3xf32>
  %e = tensor.empty() : tensor<1x54x54x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x54x54x64xf32>) -> tensor<1x54x54x64xf32>
  %y = linalg.generic {indexing_maps = [#dilated, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%i : tensor<1x54x54x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x54x54x64xf32>
  return %y : tensor<1x54x54x64xf32>
}

// The tiles of a thread would take too much of its memory.
// CHECK-LABEL: @many_channels(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @many_channels(%x: tensor<1x58x58x4097xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x4097x3x3xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x4097xf32>, tensor<64x4097x3x3xf32>) outs(%i : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// Windows are squares of three.
// CHECK-LABEL: @lines(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @lines(%x: tensor<1x56x58x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x1x3xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x56x58x64xf32>, tensor<64x64x1x3xf32>) outs(%i : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// CHECK-LABEL: @large_window(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @large_window(%x: tensor<1x60x60x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x5x5xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x60x60x64xf32>, tensor<64x64x5x5xf32>) outs(%i : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// Other types have products enough, or none to spare.
// CHECK-LABEL: @doubles(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @doubles(%x: tensor<1x58x58x64xf64>) -> tensor<1x56x56x64xf64> {
  %zero = arith.constant 0.0 : f64
  %w = const.ref dense<1.0> : tensor<64x64x3x3xf64>
  %e = tensor.empty() : tensor<1x56x56x64xf64>
  %i = linalg.fill ins(%zero : f64) outs(%e : tensor<1x56x56x64xf64>) -> tensor<1x56x56x64xf64>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf64>, tensor<64x64x3x3xf64>) outs(%i : tensor<1x56x56x64xf64>) {
  ^bb0(%a: f64, %k: f64, %s: f64):
    %p = arith.mulf %a, %k : f64
    %r = arith.addf %s, %p : f64
    linalg.yield %r : f64
  } -> tensor<1x56x56x64xf64>
  return %y : tensor<1x56x56x64xf64>
}

// A filter that is no constant would be transformed in each run.
// CHECK-LABEL: @variable(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @variable(%x: tensor<1x58x58x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
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

// Groups, and channels of their own.
// CHECK-LABEL: @groups(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @groups(%x: tensor<1x58x58x2x32xf32>) -> tensor<1x56x56x2x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<2x32x32x3x3xf32>
  %e = tensor.empty() : tensor<1x56x56x2x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x2x32xf32>) -> tensor<1x56x56x2x32xf32>
  %y = linalg.generic {indexing_maps = [
        affine_map<(n, h, w, g, o, c, i, j) -> (n, h + i, w + j, g, c)>,
        affine_map<(n, h, w, g, o, c, i, j) -> (g, o, c, i, j)>,
        affine_map<(n, h, w, g, o, c, i, j) -> (n, h, w, g, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x2x32xf32>, tensor<2x32x32x3x3xf32>) outs(%i : tensor<1x56x56x2x32xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x2x32xf32>
  return %y : tensor<1x56x56x2x32xf32>
}

// CHECK-LABEL: @depthwise(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @depthwise(%x: tensor<1x58x58x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x3x3xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.generic {indexing_maps = [
        affine_map<(n, h, w, c, i, j) -> (n, h + i, w + j, c)>,
        affine_map<(n, h, w, c, i, j) -> (c, i, j)>,
        affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x3x3xf32>) outs(%i : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// What lies beyond an image is 0 to the transform.
// CHECK-LABEL: @other_border(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @other_border(%image: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x3x3xf32>
  %one = arith.constant 1.0 : f32
  %x = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %one : f32
  } : tensor<1x56x56x64xf32> to tensor<1x58x58x64xf32>
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

// Sums that go on are not begun.
// CHECK-LABEL: @sums(
// CHECK-NOT: invar.restored_filter
// CHECK: return
func.func @sums(%x: tensor<1x58x58x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x3x3xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%one : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%i : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// The emitter takes the sums of positions and taps in any order, so they are transformed.
// CHECK-LABEL: @swapped(
// CHECK: invar.restored_filter
// CHECK: return
func.func @swapped(%x: tensor<1x58x58x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %w = const.ref dense<1.0> : tensor<64x64x3x3xf32>
  %e = tensor.empty() : tensor<1x56x56x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %y = linalg.generic {indexing_maps = [#swapped, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%i : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %k: f32, %s: f32):
    %p = arith.mulf %a, %k : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

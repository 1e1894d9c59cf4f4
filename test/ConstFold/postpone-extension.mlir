// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %s | FileCheck %s
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %s -o %t.once
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %t.once | diff %t.once -

// CHECK-DAG: #[[ID3:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[PANEL:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[SCALAR3:.*]] = affine_map<(d0, d1, d2) -> ()>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[TURN:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[BLOCK:.*]] = affine_map<(d0, d1) -> (d1 floordiv 4)>

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>
#scalar = affine_map<(i, j) -> ()>

// A quantized weight, transposed and laid out in panels: bytes are, and their scales with
// them. The extension is left for whoever reads the panels.
// CHECK-LABEL: func.func @dequantize(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<64x8xi8>, %[[S:[^:]*]]: tensor<64xf32>, %[[Z:[^:]*]]: tensor<i8>
// CHECK: %[[TURNED:.*]] = linalg.generic {indexing_maps = [#[[TURN]], #[[ID]]]{{.*}} ins(%[[Q]] : tensor<64x8xi8>) outs({{.*}} : tensor<8x64xi8>)
// CHECK: %[[PANELS:.*]] = linalg.pack %[[TURNED]] outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into {{.*}} : tensor<8x64xi8> -> tensor<2x8x32xi8>
// CHECK: %[[SCALES:.*]] = linalg.pack %[[S]] inner_dims_pos = [0] inner_tiles = [32] into {{.*}} : tensor<64xf32> -> tensor<2x32xf32>
// CHECK: %[[WIDE:.*]] = linalg.generic {indexing_maps = [#[[ID3]], #[[PANEL]], #[[SCALAR3]], #[[ID3]]]{{.*}} ins(%[[PANELS]], %[[SCALES]], %[[Z]] : tensor<2x8x32xi8>, tensor<2x32xf32>, tensor<i8>) outs({{.*}} : tensor<2x8x32xf32>)
// CHECK: arith.sitofp
// CHECK: return %[[WIDE]]
func.func @dequantize(%q: tensor<64x8xi8>, %s: tensor<64xf32>, %z: tensor<i8>) -> tensor<2x8x32xf32> attributes {runtime_const_args_index = array<i64: 0, 1, 2>} {
  %e = tensor.empty() : tensor<64x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #column, #scalar, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %s, %z : tensor<64x8xi8>, tensor<64xf32>, tensor<i8>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %zero: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.sitofp %zero : i8 to f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<64x8xf32>
  %f = tensor.empty() : tensor<8x64xf32>
  %t = linalg.transpose ins(%d : tensor<64x8xf32>) outs(%f : tensor<8x64xf32>) permutation = [1, 0]
  %g = tensor.empty() : tensor<2x8x32xf32>
  %p = linalg.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into %g : tensor<8x64xf32> -> tensor<2x8x32xf32>
  return %p : tensor<2x8x32xf32>
}

// The same in steps of their own.
// CHECK-LABEL: func.func @steps(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<64x8xi8>, %[[S:[^:]*]]: tensor<8xf32>
// CHECK: %[[TURNED:.*]] = linalg.generic {indexing_maps = [#[[TURN]], #[[ID]]]{{.*}} ins(%[[Q]] : tensor<64x8xi8>)
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[TURNED]] : tensor<8x64xi8>)
// CHECK: arith.sitofp
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[COLUMN]], #[[ID]]]{{.*}} ins(%[[WIDE]], %[[S]] : tensor<8x64xf32>, tensor<8xf32>)
// CHECK: arith.mulf
func.func @steps(%q: tensor<64x8xi8>, %s: tensor<8xf32>) -> tensor<8x64xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %wide = arith.sitofp %q : tensor<64x8xi8> to tensor<64x8xf32>
  %e = tensor.empty() : tensor<64x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%wide, %s : tensor<64x8xf32>, tensor<8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<64x8xf32>
  %f = tensor.empty() : tensor<8x64xf32>
  %t = linalg.transpose ins(%d : tensor<64x8xf32>) outs(%f : tensor<8x64xf32>) permutation = [1, 0]
  return %t : tensor<8x64xf32>
}

// Parts that together are no more than the whole: each is extended by itself, with its own
// part of the scales.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<64x8xi8>, %[[S:[^:]*]]: tensor<64xf32>
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[Q]][0, 0] [16, 8] [1, 1] : tensor<64x8xi8> to tensor<16x8xi8>
// CHECK: %[[SCALES:.*]] = tensor.extract_slice %[[S]][0] [16] [1] : tensor<64xf32> to tensor<16xf32>
// CHECK: linalg.generic {{.*}} ins(%[[FIRST]], %[[SCALES]] : tensor<16x8xi8>, tensor<16xf32>)
// CHECK: tensor.extract_slice %[[Q]][16, 3] [48, 1] [1, 1] : tensor<64x8xi8> to tensor<48xi8>
// CHECK: tensor.extract_slice %[[S]][16] [48] [1] : tensor<64xf32> to tensor<48xf32>
func.func @parts(%q: tensor<64x8xi8>, %s: tensor<64xf32>) -> (tensor<16x8xf32>, tensor<48xf32>) attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty() : tensor<64x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<64x8xi8>, tensor<64xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<64x8xf32>
  %first = tensor.extract_slice %d[0, 0] [16, 8] [1, 1] : tensor<64x8xf32> to tensor<16x8xf32>
  %rest = tensor.extract_slice %d[16, 3] [48, 1] [1, 1] : tensor<64x8xf32> to tensor<48xf32>
  return %first, %rest : tensor<16x8xf32>, tensor<48xf32>
}

// Scales of axes that a reshape leaves alone, and of blocks of them.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x3x8xi8>, %[[S:[^:]*]]: tensor<2xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[Q]] {{\[}}[0, 1], [2]] : tensor<2x3x8xi8> into tensor<6x8xi8>
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[BLOCK]], #[[ID]]]{{.*}} ins(%[[FLAT]], %[[S]] : tensor<6x8xi8>, tensor<2xf32>)
func.func @reshaped(%q: tensor<2x3x8xi8>, %s: tensor<2xf32>) -> tensor<6x8xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty() : tensor<2x3x8xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k floordiv 4)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q, %s : tensor<2x3x8xi8>, tensor<2xf32>) outs(%e : tensor<2x3x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x8xf32>
  %flat = tensor.collapse_shape %d [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  return %flat : tensor<6x8xf32>
}

// A broadcast is no such movement: it moves behind the extension, the other way round.
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %[[W:[^:]*]]: tensor<8xf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[W]] : tensor<8xf16> to tensor<8xf32>
// CHECK: linalg.broadcast ins(%[[WIDE]]
func.func @broadcast(%w: tensor<8xf16>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %wide = arith.extf %w : tensor<8xf16> to tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%wide : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  return %b : tensor<4x8xf32>
}

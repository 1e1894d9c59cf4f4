// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %s | FileCheck %s
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion),invar-fold-constant-tensors)' %s | FileCheck --check-prefix=FOLD %s
// What a second run would change, the first has left over.
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %s -o %t.once
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %t.once | diff %t.once -

// CHECK-DAG: #[[SCALAR1:.*]] = affine_map<(d0) -> ()>
// CHECK-DAG: #[[SCALAR:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[TURN:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ID1:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[LAST2:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[FIRST_LAST:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[ENDS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-DAG: #[[SQUEEZE:.*]] = affine_map<(d0) -> (0, d0)>

#id2 = affine_map<(i, j) -> (i, j)>
#id3 = affine_map<(i, j, k) -> (i, j, k)>
#row = affine_map<(i, j) -> (j)>

// All but the broadcast is done on the small side, and all that can be kept.
// CHECK-LABEL: func.func @chain(
// CHECK: %[[PACKED:.*]] = linalg.pack
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[PACKED]] : tensor<3x8xf16>) outs({{.*}} : tensor<3x8xf32>)
// CHECK: arith.extf
// CHECK: %[[TENTH:.*]] = arith.constant 1.000000e-01 : f32
// CHECK: %[[SCALED:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[SCALAR]], #[[ID]]], {{.*}} ins(%[[WIDE]], %[[TENTH]] : tensor<3x8xf32>, f32)
// CHECK: arith.mulf
// CHECK: %[[NARROW:.*]] = linalg.generic {{.*}} ins(%[[SCALED]] : tensor<3x8xf32>)
// CHECK: arith.truncf
// CHECK: %[[REPEATED:.*]] = linalg.generic {indexing_maps = [#[[LAST2]], {{.*}} ins(%[[NARROW]] : tensor<3x8xf16>) outs({{.*}} : tensor<4x3x8xf16>)
// CHECK-NEXT: ^bb0(%[[ELEMENT:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: linalg.yield %[[ELEMENT]]
// CHECK: arith.addf %{{.*}}, %[[REPEATED]]
// FOLD-LABEL: func.func @chain(
// FOLD-SAME: tensor<4x3x8xf16>, %[[KEPT:.*]]: tensor<3x8xf16> {const.id
// FOLD: %[[ONLY:.*]] = linalg.generic {{.*}} ins(%[[KEPT]] :
// FOLD-NEXT: ^bb0
// FOLD-NEXT: linalg.yield
// FOLD-NEXT: }
// FOLD-NEXT: arith.addf %{{.*}}, %[[ONLY]]
func.func @chain(%x: tensor<4x3x8xf16>) -> tensor<4x3x8xf16> {
  %w = const.ref dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<24xf16>
  %e = tensor.empty() : tensor<3x8xf16>
  %p = linalg.pack %w inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<24xf16> -> tensor<3x8xf16>
  %to = tensor.empty() : tensor<4x3x8xf16>
  %b = linalg.broadcast ins(%p : tensor<3x8xf16>) outs(%to : tensor<4x3x8xf16>) dimensions = [0]
  %wide = arith.extf %b : tensor<4x3x8xf16> to tensor<4x3x8xf32>
  %tenth = arith.constant dense<0.1> : tensor<4x3x8xf32>
  %scaled = arith.mulf %wide, %tenth : tensor<4x3x8xf32>
  %narrow = arith.truncf %scaled : tensor<4x3x8xf32> to tensor<4x3x8xf16>
  %y = arith.addf %x, %narrow : tensor<4x3x8xf16>
  return %y : tensor<4x3x8xf16>
}

// A diamond: what is repeated alike in both branches is so where they meet.
// CHECK-LABEL: func.func @diamond(
// CHECK-SAME: %[[W:[^:]*]]: tensor<8xf32>
// CHECK: %[[LEFT:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<8xf32>)
// CHECK: math.exp
// CHECK: %[[RIGHT:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<8xf32>)
// CHECK: arith.negf
// CHECK: %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[LEFT]], %[[RIGHT]] : tensor<8xf32>, tensor<8xf32>) outs({{.*}} : tensor<8xf32>)
// CHECK: %[[ALL:.*]] = linalg.generic {indexing_maps = [#[[ROW]], #[[ID]]]{{.*}} ins(%[[BOTH]] : tensor<8xf32>)
// CHECK: return %[[ALL]]
func.func @diamond(%w: tensor<8xf32>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %to = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%to : tensor<4x8xf32>) dimensions = [0]
  %left = linalg.map { math.exp } ins(%b : tensor<4x8xf32>) outs(%to : tensor<4x8xf32>)
  %right = linalg.negf ins(%b : tensor<4x8xf32>) outs(%to : tensor<4x8xf32>) -> tensor<4x8xf32>
  %both = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%left, %right : tensor<4x8xf32>, tensor<4x8xf32>) outs(%to : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %both : tensor<4x8xf32>
}

// Two readers, one of them variable: the broadcast stays for that one, and costs nothing
// twice.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8xf32>, %[[W:[^:]*]]: tensor<8xf32>
// CHECK: %[[B:.*]] = linalg.broadcast ins(%[[W]] : tensor<8xf32>)
// CHECK: %[[SMALL:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<8xf32>) outs({{.*}} : tensor<8xf32>)
// CHECK: math.exp
// CHECK: %[[EXP:.*]] = linalg.generic {indexing_maps = [#[[ROW]], #[[ID]]]{{.*}} ins(%[[SMALL]]
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[B]]
// CHECK: arith.mulf %[[SUM]], %[[EXP]]
func.func @shared(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 1>} {
  %to = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%to : tensor<4x8xf32>) dimensions = [0]
  %e = math.exp %b : tensor<4x8xf32>
  %s = arith.addf %x, %b : tensor<4x8xf32>
  %y = arith.mulf %s, %e : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Operands that are repeated along other axes: what both repeat is left for later.
// CHECK-LABEL: func.func @partly(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4xf32>, %[[B:[^:]*]]: tensor<8xf32>
// CHECK: %[[SMALL:.*]] = linalg.generic {indexing_maps = [#[[COLUMN]], #[[ROW]], #[[ID]]]{{.*}} ins(%[[A]], %[[B]] : tensor<4xf32>, tensor<8xf32>) outs({{.*}} : tensor<4x8xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[FIRST_LAST]], {{.*}} ins(%[[SMALL]] : tensor<4x8xf32>) outs({{.*}} : tensor<4x5x8xf32>)
func.func @partly(%a: tensor<4xf32>, %b: tensor<8xf32>) -> tensor<4x5x8xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %to = tensor.empty() : tensor<4x5x8xf32>
  %c = linalg.broadcast ins(%a : tensor<4xf32>) outs(%to : tensor<4x5x8xf32>) dimensions = [1, 2]
  %d = linalg.broadcast ins(%b : tensor<8xf32>) outs(%to : tensor<4x5x8xf32>) dimensions = [0, 1]
  %s = arith.addf %c, %d : tensor<4x5x8xf32>
  return %s : tensor<4x5x8xf32>
}

// An operation that repeats by its own maps.
// CHECK-LABEL: func.func @own_maps(
// CHECK-SAME: %[[W:[^:]*]]: tensor<8xf16>
// CHECK: %[[SMALL:.*]] = linalg.generic {indexing_maps = [#[[ID1]], #[[ID1]]]{{.*}} ins(%[[W]]
// CHECK: arith.extf
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ID]]]{{.*}} ins(%[[SMALL]] : tensor<8xf32>)
func.func @own_maps(%w: tensor<8xf16>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %to = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#row, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<8xf16>) outs(%to : tensor<4x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// How often is not known before the run: what is repeated is a constant all the same.
// CHECK-LABEL: func.func @batch(
// CHECK-SAME: %[[W:[^:]*]]: tensor<8xf32>
// CHECK: %[[TO:.*]] = tensor.empty(%{{.*}}) : tensor<?x8xf32>
// CHECK: %[[SMALL:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<8xf32>) outs({{.*}} : tensor<8xf32>)
// CHECK: math.exp
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[ID]]]{{.*}} ins(%[[SMALL]] : tensor<8xf32>) outs(%[[TO]] : tensor<?x8xf32>)
func.func @batch(%w: tensor<8xf32>, %n: index) -> tensor<?x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %to = tensor.empty(%n) : tensor<?x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%to : tensor<?x8xf32>) dimensions = [0]
  %e = linalg.map { math.exp } ins(%b : tensor<?x8xf32>) outs(%to : tensor<?x8xf32>)
  return %e : tensor<?x8xf32>
}

// Tiles as ONNX's Tile becomes them: an axis in two parts, seen as one.
// CHECK-LABEL: func.func @tile(
// CHECK-SAME: %[[W:[^:]*]]: tensor<1x3xf32>
// CHECK: %[[EXP:.*]] = linalg.generic {indexing_maps = [#[[SQUEEZE]], #[[ID1]]]{{.*}} ins(%[[W]] : tensor<1x3xf32>) outs({{.*}} : tensor<3xf32>)
// CHECK: math.exp
// CHECK: %[[SMALL:.*]] = linalg.generic {indexing_maps = [#[[ID1]], #[[SQUEEZE]], #[[SCALAR1]], #[[ID1]]]{{.*}} ins(%[[EXP]], %[[W]], %{{.*}} :
// CHECK: %[[PARTS:.*]] = linalg.generic {indexing_maps = [#[[LAST]], {{.*}} ins(%[[SMALL]] : tensor<3xf32>) outs({{.*}} : tensor<8x2x3xf32>)
// CHECK: tensor.collapse_shape %[[PARTS]] {{\[}}[0], [1, 2]] : tensor<8x2x3xf32> into tensor<8x6xf32>
func.func @tile(%w: tensor<1x3xf32>) -> tensor<8x6xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<8x2x3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (0, k)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<1x3xf32>) outs(%e : tensor<8x2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x2x3xf32>
  %shape = arith.constant dense<[8, 6]> : tensor<2xindex>
  %t = tensor.reshape %b(%shape) : (tensor<8x2x3xf32>, tensor<2xindex>) -> tensor<8x6xf32>
  %exp = math.exp %t : tensor<8x6xf32>
  %to = tensor.empty() : tensor<8x6xf32>
  %two = arith.constant 2.0 : f32
  %twos = linalg.fill ins(%two : f32) outs(%to : tensor<8x6xf32>) -> tensor<8x6xf32>
  %y = linalg.generic {indexing_maps = [#id2, #id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%exp, %t, %twos : tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>) outs(%to : tensor<8x6xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32, %out: f32):
    %0 = arith.mulf %a, %c : f32
    %1 = arith.addf %0, %d : f32
    linalg.yield %1 : f32
  } -> tensor<8x6xf32>
  return %y : tensor<8x6xf32>
}

// What follows from numbers is a number, if it is the same on every processor.
// CHECK-LABEL: func.func @numbers(
// CHECK: %[[THREE:.*]] = arith.constant 3.000000e+00 : f32
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} ins(%[[THREE]] : f32) outs({{.*}} : tensor<f32>)
// CHECK: math.exp
// CHECK: linalg.generic {indexing_maps = [#[[SCALAR]], #[[ID]]]{{.*}} ins(%[[EXP]] : tensor<f32>) outs({{.*}} : tensor<?x8xf32>)
func.func @numbers(%n: index) -> tensor<?x8xf32> {
  %one = arith.constant 1.0 : f32
  %to = tensor.empty(%n) : tensor<?x8xf32>
  %ones = linalg.fill ins(%one : f32) outs(%to : tensor<?x8xf32>) -> tensor<?x8xf32>
  %two = const.ref dense<2.0> : tensor<1xf32>
  %twos = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0)>, #id2], iterator_types = ["parallel", "parallel"]} ins(%two : tensor<1xf32>) outs(%to : tensor<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x8xf32>
  %threes = linalg.add ins(%ones, %twos : tensor<?x8xf32>, tensor<?x8xf32>) outs(%to : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = linalg.map { math.exp } ins(%threes : tensor<?x8xf32>) outs(%to : tensor<?x8xf32>)
  return %y : tensor<?x8xf32>
}

// A repeat of a repeat is one; a transpose of one is a repeat of a transpose.
// CHECK-LABEL: func.func @again(
// CHECK-SAME: %[[W:[^:]*]]: tensor<8x3xf32>
// CHECK: %[[TURNED:.*]] = linalg.generic {indexing_maps = [#[[TURN]], #[[ID]]]{{.*}} ins(%[[W]] : tensor<8x3xf32>) outs({{.*}} : tensor<3x8xf32>)
// CHECK: %[[ALL:.*]] = linalg.generic {indexing_maps = [#[[ENDS]], {{.*}} ins(%[[TURNED]] : tensor<3x8xf32>) outs({{.*}} : tensor<3x2x4x8xf32>)
// CHECK: return %[[ALL]]
func.func @again(%w: tensor<8x3xf32>) -> tensor<3x2x4x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<8x4x3xf32>
  %b = linalg.broadcast ins(%w : tensor<8x3xf32>) outs(%e : tensor<8x4x3xf32>) dimensions = [1]
  %f = tensor.empty() : tensor<3x4x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x4x3xf32>) outs(%f : tensor<3x4x8xf32>) permutation = [2, 1, 0]
  %g = tensor.empty() : tensor<3x2x4x8xf32>
  %c = linalg.broadcast ins(%t : tensor<3x4x8xf32>) outs(%g : tensor<3x2x4x8xf32>) dimensions = [1]
  return %c : tensor<3x2x4x8xf32>
}

// What takes a part of all repetitions takes it of what is repeated.
// CHECK-LABEL: func.func @moved(
// CHECK-SAME: %[[W:[^:]*]]: tensor<64xf32>
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[W]][32] [32] [1] : tensor<64xf32> to tensor<32xf32>
// CHECK: %[[PACKED:.*]] = linalg.pack %[[PART]] inner_dims_pos = [0] inner_tiles = [8] into {{.*}} : tensor<32xf32> -> tensor<4x8xf32>
// CHECK: linalg.generic {indexing_maps = [#[[LAST2]], {{.*}} ins(%[[PACKED]] : tensor<4x8xf32>) outs({{.*}} : tensor<2x4x8xf32>)
func.func @moved(%w: tensor<64xf32>) -> tensor<2x4x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<5x64xf32>
  %b = linalg.broadcast ins(%w : tensor<64xf32>) outs(%e : tensor<5x64xf32>) dimensions = [0]
  %s = tensor.extract_slice %b[1, 32] [2, 32] [1, 1] : tensor<5x64xf32> to tensor<2x32xf32>
  %f = tensor.empty() : tensor<2x4x8xf32>
  %p = linalg.pack %s inner_dims_pos = [1] inner_tiles = [8] into %f : tensor<2x32xf32> -> tensor<2x4x8xf32>
  return %p : tensor<2x4x8xf32>
}

// Variable chains stay as they are.
// CHECK-LABEL: func.func @variable(
// CHECK: linalg.broadcast
// CHECK-NEXT: math.exp
func.func @variable(%x: tensor<8xf32>) -> tensor<4x8xf32> {
  %to = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%x : tensor<8xf32>) outs(%to : tensor<4x8xf32>) dimensions = [0]
  %e = math.exp %b : tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}

// What is constant in a branch does not.
// CHECK-LABEL: func.func @branch(
// CHECK: scf.if
// CHECK: math.exp %{{.*}} : f32
func.func @branch(%c: i1, %w: tensor<8xf32>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 1>} {
  %to = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%to : tensor<4x8xf32>) dimensions = [0]
  %y = scf.if %c -> tensor<4x8xf32> {
    %e = math.exp %b : tensor<4x8xf32>
    scf.yield %e : tensor<4x8xf32>
  } else {
    scf.yield %b : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

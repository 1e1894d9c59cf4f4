// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion{explain=true}))' --verify-diagnostics --split-input-file %s -o %t.explained
// What is refused is as it was.
// RUN: sed 's/expected-remark//' %s > %t.plain
// RUN: invar-opt --split-input-file %t.plain | diff - %t.explained

// Adding up what is repeated four times is not adding it up once.
func.func @reduces(%w: tensor<8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: this reduces}}
  %y = linalg.reduce { arith.addf } ins(%b : tensor<4x8xf32>) outs(%init : tensor<8xf32>) dimensions = [0]
  return %y : tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @several_results(%w: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: this has several results}}
  %y, %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x8xf32>) outs(%e, %e : tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32, %p: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0, %in : f32, f32
  } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %y, %z : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What is written to is an operand like others, and not a repeated one.
func.func @reads_result(%w: tensor<8xf32>, %v: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: this reads what it writes to}}
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x8xf32>) outs(%v : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Each row has another number added.
func.func @asks_place(%w: tensor<8xindex>) -> tensor<4x8xindex> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<4x8xindex>
  %b = linalg.broadcast ins(%w : tensor<8xindex>) outs(%e : tensor<4x8xindex>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: this depends on the place of an element}}
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x8xindex>) outs(%e : tensor<4x8xindex>) {
  ^bb0(%in: index, %out: index):
    %i = linalg.index 0 : index
    %0 = arith.addi %in, %i : index
    linalg.yield %0 : index
  } -> tensor<4x8xindex>
  return %y : tensor<4x8xindex>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// How often something is done, others know.
func.func private @note(f32)
func.func @has_effects(%w: tensor<8xf32>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: this has effects}}
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    func.call @note(%in) : (f32) -> ()
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Where there is nothing to repeat, nothing was divided.
func.func @traps(%a: tensor<8xi32>, %b: tensor<8xi32>, %n: index) -> tensor<?x8xi32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty(%n) : tensor<?x8xi32>
  %c = linalg.broadcast ins(%a : tensor<8xi32>) outs(%e : tensor<?x8xi32>) dimensions = [0]
  %d = linalg.broadcast ins(%b : tensor<8xi32>) outs(%e : tensor<?x8xi32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: this may fail, and there may be nothing to compute}}
  %y = linalg.map { arith.divsi } ins(%c, %d : tensor<?x8xi32>, tensor<?x8xi32>) outs(%e : tensor<?x8xi32>)
  return %y : tensor<?x8xi32>
}

// -----

func.func @differs(%w: tensor<8xf32>, %v: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: another operand differs from repetition to repetition}}
  %y = arith.addf %b, %v : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Two parts of three are not three parts of two.
func.func @disagrees(%w: tensor<3xf32>, %v: tensor<2xf32>) -> tensor<6xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty() : tensor<2x3xf32>
  %b = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  %f = tensor.empty() : tensor<3x2xf32>
  %c = linalg.broadcast ins(%v : tensor<2xf32>) outs(%f : tensor<3x2xf32>) dimensions = [0]
  %s = tensor.collapse_shape %b [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %t = tensor.collapse_shape %c [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
  // expected-remark @below {{expansion stays in front: operands expand in different ways}}
  %y = arith.addf %s, %t : tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

// What is to be computed once has to have a size; its type could be that of the repeat.
func.func @open_sizes(%w: tensor<?xf32>, %n: index) -> tensor<4x?xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty(%n) : tensor<4x?xf32>
  %b = linalg.broadcast ins(%w : tensor<?xf32>) outs(%e : tensor<4x?xf32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: sizes are not known}}
  %y = linalg.map { math.exp } ins(%b : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>)
  return %y : tensor<4x?xf32>
}

// -----

// On tensors there is nothing that says how large the result is.
func.func @open_tensors(%w: tensor<8xf32>, %n: index) -> tensor<?x8xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%e : tensor<?x8xf32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: sizes are not known}}
  %y = math.exp %b : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// A tile of a known size that stands for one that is not.
func.func @open_tile(%w: tensor<3xf32>, %n: index) -> tensor<?xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty() : tensor<2x3xf32>
  %b = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  %t = tensor.collapse_shape %b [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %to = tensor.empty(%n) : tensor<?xf32>
  // expected-remark @below {{expansion stays in front: sizes are not known}}
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<6xf32>) outs(%to : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// A slice from somewhere has a size, but no place that its scales could be cut at.
func.func @open_place(%q: tensor<8x4xi8>, %s: tensor<8xf32>, %at: index) -> tensor<2x4xf32> attributes {runtime_const_args_index = array<i64: 0, 1, 2>} {
  %e = tensor.empty() : tensor<8x4xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<8x4xi8>, tensor<8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  // expected-remark @below {{expansion stays in front: a parameter of the extension cannot follow}}
  %y = tensor.extract_slice %d[%at, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// Exponentials are rounded by who computes them.
func.func @rounded_border(%w: tensor<3xf32>) -> tensor<5xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %w low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<5xf32>
  // expected-remark @below {{expansion stays in front: the border would not be one constant}}
  %y = math.exp %p : tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

// So is what may be computed in more than one way.
func.func @loose_border(%w: tensor<3xf32>) -> tensor<5xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %w low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %one : f32
  } : tensor<3xf32> to tensor<5xf32>
  // expected-remark @below {{expansion stays in front: the border would not be one constant}}
  %y = arith.addf %p, %p fastmath<reassoc> : tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// Zero times infinity is no number: the border depends on the scales.
func.func @varying_border(%w: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<4x3xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %w low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x3xf32> to tensor<4x3xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  // expected-remark @below {{expansion stays in front: the border would not be one constant}}
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %s : tensor<4x3xf32>, tensor<3xf32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// The number of the border is not known before the run.
func.func @open_border(%w: tensor<3xf32>, %c: f32) -> tensor<5xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %p = tensor.pad %w low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<3xf32> to tensor<5xf32>
  // expected-remark @below {{expansion stays in front: the border would not be one constant}}
  %y = arith.negf %p : tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

func.func @other_borders(%w: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<5xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %w low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<5xf32>
  %q = tensor.pad %v low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<5xf32>
  // expected-remark @below {{expansion stays in front: operands expand in different ways}}
  %y = arith.addf %p, %q : tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

func.func @no_border(%w: tensor<3xi32>, %v: tensor<5xi32>) -> tensor<5xi32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %zero = arith.constant 0 : i32
  %p = tensor.pad %w low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : i32
  } : tensor<3xi32> to tensor<5xi32>
  // expected-remark @below {{expansion stays in front: operands expand in different ways}}
  %y = arith.muli %p, %v : tensor<5xi32>
  return %y : tensor<5xi32>
}

// -----

// A diagonal goes through two borders at once.
func.func @diagonal(%w: tensor<2x3xf32>) -> tensor<4xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %w low[1, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x3xf32> to tensor<4x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{expansion stays in front: operands expand in different ways}}
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%p : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// 100 + 100 is 200 in 32 bits, and not in 8.
func.func @computes(%w: tensor<8xi8>) -> tensor<8xi32> attributes {runtime_const_args_index = array<i64: 0>} {
  %wide = arith.extsi %w : tensor<8xi8> to tensor<8xi32>
  // expected-remark @below {{expansion stays in front: this computes with extended elements}}
  %y = arith.addi %wide, %wide : tensor<8xi32>
  return %y : tensor<8xi32>
}

// -----

// Each of them would have to be extended by itself.
func.func @shared(%w: tensor<4x8xi8>) -> (tensor<8x4xi32>, tensor<32xi32>) attributes {runtime_const_args_index = array<i64: 0>} {
  %wide = arith.extsi %w : tensor<4x8xi8> to tensor<4x8xi32>
  %e = tensor.empty() : tensor<8x4xi32>
  // expected-remark @below {{expansion stays in front: more elements would be extended}}
  %t = linalg.transpose ins(%wide : tensor<4x8xi32>) outs(%e : tensor<8x4xi32>) permutation = [1, 0]
  // expected-remark @below {{expansion stays in front: more elements would be extended}}
  %s = tensor.collapse_shape %wide [[0, 1]] : tensor<4x8xi32> into tensor<32xi32>
  return %t, %s : tensor<8x4xi32>, tensor<32xi32>
}

// -----

// What reads all of it needs it extended anyway.
func.func @needed(%x: tensor<8xf32>, %w: tensor<8xi8>) -> (tensor<8xf32>, tensor<4xf32>) attributes {runtime_const_args_index = array<i64: 1>} {
  %wide = arith.sitofp %w : tensor<8xi8> to tensor<8xf32>
  %y = arith.addf %x, %wide : tensor<8xf32>
  // expected-remark @below {{expansion stays in front: more elements would be extended}}
  %s = tensor.extract_slice %wide[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %y, %s : tensor<8xf32>, tensor<4xf32>
}

// -----

// In the rest of the last tile are numbers that were never extended.
func.func @fills(%w: tensor<10xi8>) -> tensor<2x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %wide = arith.sitofp %w : tensor<10xi8> to tensor<10xf32>
  %e = tensor.empty() : tensor<2x8xf32>
  // expected-remark @below {{expansion stays in front: this fills up tiles}}
  %p = linalg.pack %wide padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<10xf32> -> tensor<2x8xf32>
  return %p : tensor<2x8xf32>
}

// -----

// Half of the scales would be in each half of an axis that is no more.
func.func @parameter(%q: tensor<4x2xi8>, %s: tensor<4xf32>) -> tensor<8xf32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %e = tensor.empty() : tensor<4x2xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<4x2xi8>, tensor<4xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x2xf32>
  // expected-remark @below {{expansion stays in front: a parameter of the extension cannot follow}}
  %y = tensor.collapse_shape %d [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Rows of five are no rows of four, nor parts of them.
func.func @merges(%w: tensor<5xf32>) -> tensor<5x4xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<4x5xf32>
  %b = linalg.broadcast ins(%w : tensor<5xf32>) outs(%e : tensor<4x5xf32>) dimensions = [0]
  %shape = arith.constant dense<[5, 4]> : tensor<2xindex>
  // expected-remark @below {{expansion stays in front: this merges axes}}
  %y = tensor.reshape %b(%shape) : (tensor<4x5xf32>, tensor<2xindex>) -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

// -----

// Marks mean something to others, who look for the operation as it is.
func.func @marked(%w: tensor<8xf32>) -> tensor<4x8xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%w : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  // expected-remark @below {{expansion stays in front: this is marked}}
  %y = math.exp %b {invar.mark} : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

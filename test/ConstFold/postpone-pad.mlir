// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %s | FileCheck %s
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %s -o %t.once
// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-postpone-expansion))' %t.once | diff %t.once -

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[SCALAR:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[TURN:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0)>

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>

// What is computed from a border stands in the border: 0 -> |0| -> 0 + 0.5 -> 0.5 * 0.5.
// CHECK-LABEL: func.func @number(
// CHECK-SAME: %[[W:[^:]*]]: tensor<2x3xf32>
// CHECK: %[[ABS:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<2x3xf32>) outs({{.*}} : tensor<2x3xf32>)
// CHECK: math.absf
// CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[SCALAR]], #[[ID]]]{{.*}} ins(%[[ABS]], %[[HALF]] : tensor<2x3xf32>, f32)
// CHECK: %[[SQUARE:.*]] = linalg.generic {{.*}} ins(%[[SUM]], %[[SUM]] : tensor<2x3xf32>, tensor<2x3xf32>)
// CHECK: %[[BORDER:.*]] = arith.constant 2.500000e-01 : f32
// CHECK: tensor.pad %[[SQUARE]] low[0, 1] high[2, 3]
// CHECK: tensor.yield %[[BORDER]]
// CHECK: tensor<2x3xf32> to tensor<4x7xf32>
func.func @number(%w: tensor<2x3xf32>) -> tensor<4x7xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %w low[0, 1] high[2, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x3xf32> to tensor<4x7xf32>
  %abs = math.absf %p : tensor<4x7xf32>
  %half = arith.constant dense<0.5> : tensor<4x7xf32>
  %sum = arith.addf %abs, %half : tensor<4x7xf32>
  %square = arith.mulf %sum, %sum : tensor<4x7xf32>
  return %square : tensor<4x7xf32>
}

// Operands with the same border and other numbers in it, in a diamond.
// CHECK-LABEL: func.func @diamond(
// CHECK-SAME: %[[W:[^:]*]]: tensor<4xi32>, %[[V:[^:]*]]: tensor<4xi32>
// CHECK: %[[TWICE:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[W]] : tensor<4xi32>, tensor<4xi32>)
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} ins(%[[TWICE]], %[[V]] : tensor<4xi32>, tensor<4xi32>)
// CHECK: %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[PRODUCT]], %[[W]] : tensor<4xi32>, tensor<4xi32>)
// CHECK: %[[BORDER:.*]] = arith.constant 43 : i32
// CHECK: tensor.pad %[[BOTH]] low[1] high[1]
// CHECK: tensor.yield %[[BORDER]]
func.func @diamond(%w: tensor<4xi32>, %v: tensor<4xi32>) -> tensor<6xi32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  %p = tensor.pad %w low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %three : i32
  } : tensor<4xi32> to tensor<6xi32>
  %q = tensor.pad %v low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %seven : i32
  } : tensor<4xi32> to tensor<6xi32>
  %twice = arith.addi %p, %p : tensor<6xi32>
  %product = arith.muli %twice, %q : tensor<6xi32>
  %e = tensor.empty() : tensor<6xi32>
  %one = arith.constant 1 : i32
  %both = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%product, %p : tensor<6xi32>, tensor<6xi32>) outs(%e : tensor<6xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %0 = arith.minsi %b, %one : i32
    %1 = arith.addi %a, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<6xi32>
  return %both : tensor<6xi32>
}

// Another order has its borders in this order.
// CHECK-LABEL: func.func @turned(
// CHECK-SAME: %[[W:[^:]*]]: tensor<2x3xf32>
// CHECK: %[[TURNED:.*]] = linalg.generic {indexing_maps = [#[[TURN]], #[[ID]]]{{.*}} ins(%[[W]] : tensor<2x3xf32>) outs({{.*}} : tensor<3x2xf32>)
// CHECK: tensor.pad %[[TURNED]] low[3, 0] high[0, 2]
// CHECK: tensor<3x2xf32> to tensor<6x4xf32>
func.func @turned(%w: tensor<2x3xf32>) -> tensor<6x4xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %w low[0, 3] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<2x3xf32> to tensor<4x6xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %t = linalg.transpose ins(%p : tensor<4x6xf32>) outs(%e : tensor<6x4xf32>) permutation = [1, 0]
  return %t : tensor<6x4xf32>
}

// Zero times any integer is zero: what an operand has along the border does not matter.
// CHECK-LABEL: func.func @along(
// CHECK-SAME: %[[W:[^:]*]]: tensor<4x3xi32>, %[[S:[^:]*]]: tensor<4xi32>
// CHECK: %[[SMALL:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[COLUMN]], #[[ID]]]{{.*}} ins(%[[W]], %[[S]] : tensor<4x3xi32>, tensor<4xi32>) outs({{.*}} : tensor<4x3xi32>)
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: tensor.pad %[[SMALL]] low[0, 1] high[0, 0]
// CHECK: tensor.yield %[[ZERO]]
func.func @along(%w: tensor<4x3xi32>, %s: tensor<4xi32>) -> tensor<4x4xi32> attributes {runtime_const_args_index = array<i64: 0, 1>} {
  %zero = arith.constant 0 : i32
  %p = tensor.pad %w low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i32
  } : tensor<4x3xi32> to tensor<4x4xi32>
  %e = tensor.empty() : tensor<4x4xi32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %s : tensor<4x4xi32>, tensor<4xi32>) outs(%e : tensor<4x4xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %0 = arith.muli %b, %a : i32
    linalg.yield %0 : i32
  } -> tensor<4x4xi32>
  return %y : tensor<4x4xi32>
}

// Bytes of ONNX are unsigned, and computed with as integers without a sign.
// CHECK-LABEL: func.func @bytes(
// CHECK-SAME: %[[W:[^:]*]]: tensor<4xui8>
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<4xui8>) outs({{.*}} : tensor<4xf32>)
// CHECK: %[[BORDER:.*]] = arith.constant 1.280000e+02 : f32
// CHECK: tensor.pad %[[WIDE]] low[1] high[0]
// CHECK: tensor.yield %[[BORDER]]
func.func @bytes(%w: tensor<4xui8>) -> tensor<5xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %c = arith.constant 128 : i8
  %middle = builtin.unrealized_conversion_cast %c : i8 to ui8
  %p = tensor.pad %w low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %middle : ui8
  } : tensor<4xui8> to tensor<5xui8>
  %e = tensor.empty() : tensor<5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%p : tensor<5xui8>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: ui8, %out: f32):
    %0 = builtin.unrealized_conversion_cast %a : ui8 to i8
    %1 = arith.uitofp %0 : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// A border around what is repeated: both move, the repetition last.
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME: %[[W:[^:]*]]: tensor<3xf32>
// CHECK: %[[NEG:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<3xf32>) outs({{.*}} : tensor<3xf32>)
// CHECK: arith.negf
// CHECK: %[[ALL:.*]] = linalg.generic {{.*}} ins(%[[NEG]] : tensor<3xf32>) outs({{.*}} : tensor<2x3xf32>)
// CHECK: %[[BORDER:.*]] = arith.constant -1.000000e+00 : f32
// CHECK: tensor.pad %[[ALL]] low[1, 1] high[0, 0]
func.func @repeated(%w: tensor<3xf32>) -> tensor<3x4xf32> attributes {runtime_const_args_index = array<i64: 0>} {
  %e = tensor.empty() : tensor<2x3xf32>
  %b = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %b low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<2x3xf32> to tensor<3x4xf32>
  %y = arith.negf %p : tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// One product for all inputs, and a loop over steps that carries state and memory.
// CHECK-LABEL: @lstm(
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, {{.*}} outs({{.*}} : tensor<7x2x4x8xf32>)
// CHECK: %[[SLICES:.+]] = rt.call "StackStart"
// CHECK: scf.for {{.*}} iter_args({{.*}}, {{.*}}, {{.*}} = %[[SLICES]]) -> (tensor<2x8xf32>, tensor<2x8xf32>, !rt.seq<tensor<*xf32>>)
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "reduction"]}
// CHECK: math.tanh
// CHECK: rt.call "StackAdd"
// CHECK: rt.call "StackFinish"{{.*}}{axis = 0 : i64}
func.func @lstm(%x: tensor<7x2x3xf32>, %w: tensor<1x32x3xf32>, %r: tensor<1x32x8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0, %1, %2 = onnx.LSTM(%x, %w, %r) {hidden_size = 8 : i64}
      : (tensor<7x2x3xf32>, tensor<1x32x3xf32>, tensor<1x32x8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0, %1, %2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// One step needs no loop, and what nobody asks for is not kept.
// CHECK-LABEL: @one_step(
// CHECK-NOT: scf.for
// CHECK-NOT: rt.call
// CHECK: return
func.func @one_step(%x: tensor<1x2x3xf32>, %w: tensor<1x24x3xf32>, %r: tensor<1x24x8xf32>) -> tensor<*xf32> {
  %0 = onnx.GRU(%x, %w, %r) {hidden_size = 8 : i64}
      : (tensor<1x2x3xf32>, tensor<1x24x3xf32>, tensor<1x24x8xf32>) -> (_, tensor<*xf32>)
  return %0 : tensor<*xf32>
}

// -----

// Both directions side by side; sequences that have ended keep their state.
// CHECK-LABEL: @both(
// CHECK: scf.for
// CHECK: arith.cmpi slt
// CHECK: arith.select
// CHECK: scf.for
// CHECK: arith.subi
// CHECK: tensor.concat dim(1)
func.func @both(%x: tensor<7x2x3xf32>, %w: tensor<2x8x3xf32>, %r: tensor<2x8x8xf32>, %l: tensor<2xi32>) -> tensor<*xf32> {
  %0 = onnx.RNN(%x, %w, %r, _, %l) {hidden_size = 8 : i64, direction = "bidirectional"}
      : (tensor<7x2x3xf32>, tensor<2x8x3xf32>, tensor<2x8x8xf32>, tensor<2xi32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

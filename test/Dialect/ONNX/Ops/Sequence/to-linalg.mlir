// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// What is in a sequence has no shape there; what comes out has.
// CHECK-LABEL: @at(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32> {{.*}}, %[[I:.*]]: tensor<i64>
// CHECK: %[[ITEMS:.*]] = rt.call "SequenceConstruct"(%[[X]], %[[X]]) {} : {{.*}} -> !rt.seq<tensor<*xf32>>
// CHECK: rt.call "SequenceAt"(%[[ITEMS]], %[[I]]) {} : {{.*}} -> tensor<2xf32>
func.func @at(%x: tensor<2xf32>, %i: tensor<i64>) -> tensor<*xf32> {
  %0 = onnx.SequenceConstruct(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.SequenceAt(%0, %i) : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @insert(
// CHECK-SAME: %{{.*}}: !rt.seq{{.*}}, %{{.*}}: tensor<2xf32> {{.*}}, %[[I:.*]]: tensor<i64>
// CHECK: rt.call "SequenceInsert"(%{{.*}}, %{{.*}}, %[[I]])
// CHECK: rt.call "SequenceErase"(%{{.*}})
func.func @insert(%s: !onnx.seq<tensor<*xf32>>, %x: tensor<2xf32>, %i: tensor<i64>) -> !onnx.seq<tensor<*xf32>> {
  %0 = onnx.SequenceInsert(%s, %x, %i) : (!onnx.seq<tensor<*xf32>>, tensor<2xf32>, tensor<i64>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.SequenceErase(%0) : (!onnx.seq<tensor<*xf32>>) -> !onnx.seq<tensor<*xf32>>
  return %1 : !onnx.seq<tensor<*xf32>>
}

// -----

// An optional that has nothing is one of its type.
// CHECK-LABEL: @absent(
// CHECK: %[[NONE:.*]] = rt.none : !rt.none
// CHECK: rt.call "Optional"(%[[NONE]]) {} : (!rt.none) -> !rt.opt<tensor<*xf32>>
func.func @absent() -> !onnx.opt<tensor<2xf32>> {
  %0 = onnx.Optional() {type = tensor<2xf32>} : () -> !onnx.opt<tensor<2xf32>>
  return %0 : !onnx.opt<tensor<2xf32>>
}

// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Branches that know more than the result forget it.
// CHECK-LABEL: @choose(
// CHECK: scf.if %{{.*}} -> (tensor<?xf32>) {
// CHECK: tensor.cast %{{.*}} : tensor<2xf32> to tensor<?xf32>
// CHECK: } else {
// CHECK: tensor.cast %{{.*}} : tensor<3xf32> to tensor<?xf32>
func.func @choose(%c: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<*xf32> {
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<*xf32> {
    onnx.Yield(%y) : tensor<3xf32>
  } {
    onnx.Yield(%x) : tensor<2xf32>
  }
  return %0 : tensor<*xf32>
}

// -----

// A state that grows has no size in its type. Slices are added to a stack. Without any, the
// result is an empty tensor.
// CHECK-LABEL: @loop(
// CHECK-SAME: %[[M:.*]]: tensor<i64> {{.*}}, %[[X:.*]]: tensor<2xf32>
// CHECK: %[[NONE:.*]] = rt.call "StackStart"(%{{.*}}) {} : (!rt.none) -> !rt.seq<tensor<*xf32>>
// CHECK: %[[LOOP:.*]]:3 = scf.while (%{{.*}} = %c0, %{{.*}} = %{{.*}}, %{{.*}} = %[[NONE]])
// CHECK: scf.condition
// CHECK: ^bb0(%{{.*}}: index, %[[STATE:.*]]: tensor<?xf32>, %[[SLICES:.*]]: !rt.seq
// CHECK: %[[NEXT:.*]] = tensor.concat dim(0) %[[STATE]]
// CHECK: %[[MORE:.*]] = rt.call "StackAdd"(%[[SLICES]], %[[X]])
// CHECK: scf.yield %{{.*}}, %[[NEXT]], %[[MORE]]
// CHECK: %[[IS_EMPTY:.*]] = arith.cmpi eq, %[[LOOP]]#0, %c0
// CHECK: scf.if %[[IS_EMPTY]]
// CHECK: tensor.empty
// CHECK: rt.call "StackFinish"(%[[LOOP]]#2) {axis = 0 : i64}
func.func @loop(%M: tensor<i64>, %x: tensor<2xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = onnx.Loop(%M, _, %x) : (tensor<i64>, tensor<2xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %s: tensor<*xf32>):
    %longer = onnx.Concat(%s, %x) {axis = 0 : i64} : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xf32>
    onnx.Yield(%go_on, %longer, %x) : tensor<i1>, tensor<*xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// Backwards over columns, into columns from the last to the first.
// CHECK-LABEL: @scan(
// CHECK: scf.for %[[I:.*]] = %c0 to %c3 step %c1
// CHECK: %[[PLACE:.*]] = arith.subi %c2, %[[I]]
// CHECK: tensor.extract_slice %{{.*}}[0, %[[PLACE]]] [5, 1] [1, 1]
// CHECK: rt.call "StackAdd"(%{{.*}}, %{{.*}}) {is_reversed = 1 : i64} : (!rt.seq<tensor<*xf32>>, tensor<5xf32>)
// CHECK: rt.call "StackFinish"({{.*}}) {axis = 1 : i64} : {{.*}} -> tensor<5x3xf32>
func.func @scan(%state: tensor<5xf32>, %x: tensor<5x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = onnx.Scan(%state, %x)
      {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>, scan_input_directions = array<i64: 1>,
       scan_output_axes = array<i64: -1>, scan_output_directions = array<i64: 1>}
      : (tensor<5xf32>, tensor<5x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  ^bb0(%s: tensor<5xf32>, %column: tensor<5xf32>):
    %sum = onnx.Add(%s, %column) : (tensor<5xf32>, tensor<5xf32>) -> tensor<*xf32>
    onnx.Yield(%sum, %sum) : tensor<*xf32>, tensor<*xf32>
  }
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @map(
// CHECK: rt.call "SequenceLength"
// CHECK: scf.for
// CHECK: %[[ITEM:.*]] = rt.call "SequenceAt"({{.*}} -> tensor<2xf32>
// CHECK: linalg.generic {{.*}} ins(%[[ITEM]]
// CHECK: rt.call "SequenceInsert"
func.func @map(%x: !onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<*xf32>> {
  %0 = onnx.SequenceMap(%x) : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<*xf32>> {
  ^bb0(%item: tensor<2xf32>):
    %neg = onnx.Neg(%item) : (tensor<2xf32>) -> tensor<*xf32>
    onnx.Yield(%neg) : tensor<*xf32>
  }
  return %0 : !onnx.seq<tensor<*xf32>>
}

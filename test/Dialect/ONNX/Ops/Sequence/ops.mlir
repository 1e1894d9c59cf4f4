// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @concatfromsequence(
func.func @concatfromsequence(%input_sequence: !onnx.seq<tensor<2xf32>>) {
  // CHECK: onnx.ConcatFromSequence(%arg0) {axis = 0 : i64, new_axis = 1 : i64}
  // CHECK-SAME: : (!onnx.seq<tensor<2xf32>>) -> tensor<?x2xf32>
  %0 = onnx.ConcatFromSequence(%input_sequence) {axis = 0 : i64, new_axis = 1 : i64}
      : (!onnx.seq<tensor<2xf32>>) -> tensor<?x2xf32>
  return
}

// CHECK-LABEL: @optional(
func.func @optional(%input: tensor<2xf32>) {
  // CHECK: onnx.Optional(%arg0) : (tensor<2xf32>) -> !onnx.opt<tensor<2xf32>>
  %0 = onnx.Optional(%input) : (tensor<2xf32>) -> !onnx.opt<tensor<2xf32>>
  return
}

// CHECK-LABEL: @optional_2(
func.func @optional_2() {
  // CHECK: onnx.Optional() {type = tensor<2xf32>} : () -> !onnx.opt<tensor<2xf32>>
  %0 = onnx.Optional() {type = tensor<2xf32>} : () -> !onnx.opt<tensor<2xf32>>
  return
}

// CHECK-LABEL: @optionalgetelement(
func.func @optionalgetelement(%input: !onnx.opt<!onnx.seq<tensor<2xf32>>>) {
  // CHECK: onnx.OptionalGetElement(%arg0)
  // CHECK-SAME: : (!onnx.opt<!onnx.seq<tensor<2xf32>>>) -> !onnx.seq<tensor<2xf32>>
  %0 = onnx.OptionalGetElement(%input)
      : (!onnx.opt<!onnx.seq<tensor<2xf32>>>) -> !onnx.seq<tensor<2xf32>>
  return
}

// CHECK-LABEL: @optionalhaselement(
func.func @optionalhaselement() {
  // CHECK: onnx.OptionalHasElement() : () -> tensor<i1>
  %0 = onnx.OptionalHasElement() : () -> tensor<i1>
  return
}

// CHECK-LABEL: @optionalhaselement_2(
func.func @optionalhaselement_2(%input: !onnx.opt<tensor<2xf32>>) {
  // CHECK: onnx.OptionalHasElement(%arg0) : (!onnx.opt<tensor<2xf32>>) -> tensor<i1>
  %0 = onnx.OptionalHasElement(%input) : (!onnx.opt<tensor<2xf32>>) -> tensor<i1>
  return
}

// CHECK-LABEL: @sequenceat(
func.func @sequenceat(%input_sequence: !onnx.seq<tensor<?xf32>>, %position: tensor<i64>) {
  // CHECK: onnx.SequenceAt(%arg0, %arg1)
  // CHECK-SAME: : (!onnx.seq<tensor<?xf32>>, tensor<i64>) -> tensor<?xf32>
  %0 = onnx.SequenceAt(%input_sequence, %position)
      : (!onnx.seq<tensor<?xf32>>, tensor<i64>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: @sequenceconstruct(
func.func @sequenceconstruct(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // CHECK: onnx.SequenceConstruct(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2xf32>, tensor<3xf32>) -> !onnx.seq<tensor<?xf32>>
  %0 = onnx.SequenceConstruct(%a, %b)
      : (tensor<2xf32>, tensor<3xf32>) -> !onnx.seq<tensor<?xf32>>
  return
}

// CHECK-LABEL: @sequenceempty(
func.func @sequenceempty() {
  // CHECK: onnx.SequenceEmpty() {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  %0 = onnx.SequenceEmpty() {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  return
}

// CHECK-LABEL: @sequenceerase(
func.func @sequenceerase(%input_sequence: !onnx.seq<tensor<2xf32>>) {
  // CHECK: onnx.SequenceErase(%arg0)
  // CHECK-SAME: : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  %0 = onnx.SequenceErase(%input_sequence)
      : (!onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  return
}

// CHECK-LABEL: @sequenceinsert(
func.func @sequenceinsert(%input_sequence: !onnx.seq<tensor<2xf32>>,
                          %tensor: tensor<2xf32>, %position: tensor<i32>) {
  // CHECK: onnx.SequenceInsert(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (!onnx.seq<tensor<2xf32>>, tensor<2xf32>, tensor<i32>)
  // CHECK-SAME: -> !onnx.seq<tensor<2xf32>>
  %0 = onnx.SequenceInsert(%input_sequence, %tensor, %position)
      : (!onnx.seq<tensor<2xf32>>, tensor<2xf32>, tensor<i32>) -> !onnx.seq<tensor<2xf32>>
  return
}

// CHECK-LABEL: @sequencelength(
func.func @sequencelength(%input_sequence: !onnx.seq<tensor<2xf32>>) {
  // CHECK: onnx.SequenceLength(%arg0) : (!onnx.seq<tensor<2xf32>>) -> tensor<i64>
  %0 = onnx.SequenceLength(%input_sequence) : (!onnx.seq<tensor<2xf32>>) -> tensor<i64>
  return
}

// CHECK-LABEL: @splittosequence(
func.func @splittosequence(%input: tensor<2x6xf32>, %split: tensor<i64>) {
  // CHECK: onnx.SplitToSequence(%arg0, %arg1) {axis = 1 : i64}
  // CHECK-SAME: : (tensor<2x6xf32>, tensor<i64>) -> !onnx.seq<tensor<2x?xf32>>
  %0 = onnx.SplitToSequence(%input, %split) {axis = 1 : i64}
      : (tensor<2x6xf32>, tensor<i64>) -> !onnx.seq<tensor<2x?xf32>>
  return
}

// CHECK-LABEL: @splittosequence_2(
func.func @splittosequence_2(%input: tensor<2x6xf32>) {
  // CHECK: onnx.SplitToSequence(%arg0) {keepdims = 0 : i64}
  // CHECK-SAME: : (tensor<2x6xf32>) -> !onnx.seq<tensor<6xf32>>
  %0 = onnx.SplitToSequence(%input) {keepdims = 0 : i64}
      : (tensor<2x6xf32>) -> !onnx.seq<tensor<6xf32>>
  return
}

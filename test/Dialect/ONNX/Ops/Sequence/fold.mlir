// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @sequences(
// CHECK-DAG: dense<[3, 9, 1, 2]> : tensor<4xi32>
// CHECK-DAG: dense<[1, 2]> : tensor<2xi32>
// CHECK-DAG: dense<2> : tensor<i64>
// CHECK-DAG: dense<{{\[\[}}1, 3], [2, 9]]> : tensor<2x2xi32>
// CHECK-NOT: onnx.Sequence
func.func @sequences() -> (tensor<?xi32>, tensor<?xi32>, tensor<i64>, tensor<2x?xi32>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %b = onnx.Constant dense<[3, 9]> : tensor<2xi32>
  %first = onnx.Constant dense<-2> : tensor<i64>
  %last = onnx.Constant dense<-1> : tensor<i32>
  %two = onnx.SequenceConstruct(%a, %a) : (tensor<2xi32>, tensor<2xi32>) -> !onnx.seq<tensor<2xi32>>
  %three = onnx.SequenceInsert(%two, %b, %first) : (!onnx.seq<tensor<2xi32>>, tensor<2xi32>, tensor<i64>) -> !onnx.seq<tensor<2xi32>>
  %less = onnx.SequenceErase(%three) : (!onnx.seq<tensor<2xi32>>) -> !onnx.seq<tensor<2xi32>>
  %0 = onnx.ConcatFromSequence(%less) {axis = -1 : i64} : (!onnx.seq<tensor<2xi32>>) -> tensor<?xi32>
  %1 = onnx.SequenceAt(%less, %last) : (!onnx.seq<tensor<2xi32>>, tensor<i32>) -> tensor<?xi32>
  %2 = onnx.SequenceLength(%less) : (!onnx.seq<tensor<2xi32>>) -> tensor<i64>
  %other = onnx.SequenceConstruct(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> !onnx.seq<tensor<2xi32>>
  %3 = onnx.ConcatFromSequence(%other) {axis = 1 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<2xi32>>) -> tensor<2x?xi32>
  return %0, %1, %2, %3 : tensor<?xi32>, tensor<?xi32>, tensor<i64>, tensor<2x?xi32>
}

// -----

// CHECK-LABEL: @split(
// CHECK-DAG: dense<{{\[\[}}3], [6]]> : tensor<2x1xi32>
// CHECK-DAG: dense<[4, 5, 6]> : tensor<3xi32>
// CHECK-DAG: dense<> : tensor<2x0xi32>
// CHECK-NOT: onnx.Split
func.func @split() -> (tensor<2x?xi32>, tensor<3xi32>, tensor<2x?xi32>) {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %two = onnx.Constant dense<2> : tensor<i64>
  %sizes = onnx.Constant dense<[3, 0]> : tensor<2xi64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %s = onnx.SplitToSequence(%x, %two) {axis = 1 : i64} : (tensor<2x3xi32>, tensor<i64>) -> !onnx.seq<tensor<2x?xi32>>
  %0 = onnx.SequenceAt(%s, %one) : (!onnx.seq<tensor<2x?xi32>>, tensor<i64>) -> tensor<2x?xi32>
  %t = onnx.SplitToSequence(%x, _) {keepdims = 0 : i64} : (tensor<2x3xi32>) -> !onnx.seq<tensor<3xi32>>
  %1 = onnx.SequenceAt(%t, %one) : (!onnx.seq<tensor<3xi32>>, tensor<i64>) -> tensor<3xi32>
  %u = onnx.SplitToSequence(%x, %sizes) {axis = 1 : i64} : (tensor<2x3xi32>, tensor<2xi64>) -> !onnx.seq<tensor<2x?xi32>>
  %2 = onnx.SequenceAt(%u, %one) : (!onnx.seq<tensor<2x?xi32>>, tensor<i64>) -> tensor<2x?xi32>
  return %0, %1, %2 : tensor<2x?xi32>, tensor<3xi32>, tensor<2x?xi32>
}

// -----

// CHECK-LABEL: @optionals(
// CHECK-DAG: dense<true> : tensor<i1>
// CHECK-DAG: dense<false> : tensor<i1>
// CHECK-DAG: dense<7> : tensor<i8>
// CHECK-NOT: onnx.Optional
func.func @optionals() -> (tensor<i1>, tensor<i1>, tensor<i8>) {
  %x = onnx.Constant dense<7> : tensor<i8>
  %some = onnx.Optional(%x) : (tensor<i8>) -> !onnx.opt<tensor<i8>>
  %none = onnx.Optional() {type = tensor<i8>} : () -> !onnx.opt<tensor<i8>>
  %0 = onnx.OptionalHasElement(%some) : (!onnx.opt<tensor<i8>>) -> tensor<i1>
  %1 = onnx.OptionalHasElement(%none) : (!onnx.opt<tensor<i8>>) -> tensor<i1>
  %2 = onnx.OptionalGetElement(%some) : (!onnx.opt<tensor<i8>>) -> tensor<i8>
  return %0, %1, %2 : tensor<i1>, tensor<i1>, tensor<i8>
}

// -----

// Positions that are not there, an optional without a value and a choice that runtimes do
// not agree on are left to run time.
// CHECK-LABEL: @left(
// CHECK: onnx.SequenceAt(
// CHECK: onnx.OptionalGetElement(
// CHECK: onnx.SplitToSequence(
func.func @left() -> (tensor<i8>, tensor<i8>, tensor<*xi8>) {
  %x = onnx.Constant dense<7> : tensor<i8>
  %v = onnx.Constant dense<7> : tensor<2xi8>
  %one = onnx.Constant dense<1> : tensor<i64>
  %s = onnx.SequenceConstruct(%x) : (tensor<i8>) -> !onnx.seq<tensor<i8>>
  %0 = onnx.SequenceAt(%s, %one) : (!onnx.seq<tensor<i8>>, tensor<i64>) -> tensor<i8>
  %none = onnx.Optional() {type = tensor<i8>} : () -> !onnx.opt<tensor<i8>>
  %1 = onnx.OptionalGetElement(%none) : (!onnx.opt<tensor<i8>>) -> tensor<i8>
  %t = onnx.SplitToSequence(%v, %one) {keepdims = 0 : i64} : (tensor<2xi8>, tensor<i64>) -> !onnx.seq<tensor<*xi8>>
  %2 = onnx.SequenceAt(%t, %one) : (!onnx.seq<tensor<*xi8>>, tensor<i64>) -> tensor<*xi8>
  return %0, %1, %2 : tensor<i8>, tensor<i8>, tensor<*xi8>
}

// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// CHECK-LABEL: @take_element(
func.func @take_element(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<*xf32> {
  %last = onnx.Constant dense<-1> : tensor<i64>
  %0 = onnx.SequenceConstruct(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.SequenceAt(%0, %last) : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  // CHECK-NEXT: return %arg1
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @take_element_refused(
func.func @take_element_refused(%x: tensor<2xf32>, %y: tensor<3xf32>, %i: tensor<i64>) -> tensor<*xf32> {
  // CHECK: onnx.SequenceAt(
  %0 = onnx.SequenceConstruct(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.SequenceAt(%0, %i) : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @take_part(
func.func @take_part(%x: tensor<2x?xf32>, %i: tensor<i64>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %one = onnx.Constant dense<1> : tensor<i64>
  %sizes = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: onnx.Gather(%arg0, %arg1) {axis = 1 : i64}
  %0 = onnx.SplitToSequence(%x) {axis = 1 : i64, keepdims = 0 : i64} : (tensor<2x?xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.SequenceAt(%0, %i) : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  // CHECK-DAG: %[[LIST:.*]] = onnx.Constant {{.*}}dense<1> : tensor<1xi64>
  // CHECK-DAG: onnx.Gather(%arg0, %[[LIST]]) {axis = 0 : i64}
  %2 = onnx.SplitToSequence(%x) : (tensor<2x?xf32>) -> !onnx.seq<tensor<*xf32>>
  %3 = onnx.SequenceAt(%2, %one) : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  // CHECK-DAG: %[[START:.*]] = onnx.Constant {{.*}}dense<2>
  // CHECK-DAG: onnx.Slice(%arg0, %[[START]], %{{.*}})
  %4 = onnx.SplitToSequence(%x, %sizes) {axis = 1 : i64} : (tensor<2x?xf32>, tensor<2xi64>) -> !onnx.seq<tensor<*xf32>>
  %5 = onnx.SequenceAt(%4, %one) : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  // CHECK-NOT: onnx.SplitToSequence(
  return %1, %3, %5 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @take_part_refused(
func.func @take_part_refused(%x: tensor<2x?xf32>, %i: tensor<i64>, %sizes: tensor<2xi64>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK-COUNT-2: onnx.SequenceAt(
  %0 = onnx.SplitToSequence(%x) {axis = 1 : i64} : (tensor<2x?xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.SequenceAt(%0, %i) : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  %one = onnx.Constant dense<1> : tensor<i64>
  %2 = onnx.SplitToSequence(%x, %sizes) {axis = 1 : i64} : (tensor<2x?xf32>, tensor<2xi64>) -> !onnx.seq<tensor<*xf32>>
  %3 = onnx.SequenceAt(%2, %one) : (!onnx.seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  return %1, %3 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @join_elements(
func.func @join_elements(%x: tensor<2xf32>, %y: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK-DAG: onnx.Concat(%arg0, %arg1) {axis = 0 : i64}
  %0 = onnx.SequenceConstruct(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.ConcatFromSequence(%0) {axis = 0 : i64} : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  // CHECK-DAG: onnx.Unsqueeze(%arg0, %{{.*}})
  %2 = onnx.SequenceConstruct(%x) : (tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %3 = onnx.ConcatFromSequence(%2) {axis = -1 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  return %1, %3 : tensor<*xf32>, tensor<*xf32>
}

// -----

// To stack them would take an Unsqueeze for each.
// CHECK-LABEL: @join_elements_refused(
func.func @join_elements_refused(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<*xf32> {
  // CHECK: onnx.ConcatFromSequence(
  %0 = onnx.SequenceConstruct(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.ConcatFromSequence(%0) {axis = 0 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @join_parts(
func.func @join_parts(%x: tensor<2x?xf32>) -> tensor<*xf32> {
  %0 = onnx.SplitToSequence(%x) {axis = 1 : i64, keepdims = 0 : i64} : (tensor<2x?xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.ConcatFromSequence(%0) {axis = -1 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  // CHECK-NEXT: return %arg0
  return %1 : tensor<*xf32>
}

// -----

// Along another axis.
// CHECK-LABEL: @join_parts_refused(
func.func @join_parts_refused(%x: tensor<2x?xf32>) -> tensor<*xf32> {
  // CHECK: onnx.ConcatFromSequence(
  %0 = onnx.SplitToSequence(%x) {axis = 1 : i64} : (tensor<2x?xf32>) -> !onnx.seq<tensor<*xf32>>
  %1 = onnx.ConcatFromSequence(%0) {axis = 0 : i64} : (!onnx.seq<tensor<*xf32>>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @unwrap_optional(
func.func @unwrap_optional(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.Optional(%x) : (tensor<2xf32>) -> !onnx.opt<tensor<2xf32>>
  %1 = onnx.OptionalGetElement(%0) : (!onnx.opt<tensor<2xf32>>) -> tensor<2xf32>
  // CHECK-NEXT: return %arg0
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @unwrap_optional_refused(
func.func @unwrap_optional_refused(%x: !onnx.opt<tensor<2xf32>>) -> tensor<2xf32> {
  // CHECK: onnx.OptionalGetElement(
  %0 = onnx.OptionalGetElement(%x) : (!onnx.opt<tensor<2xf32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// All layers share what the first one computes of sizes that are the same.
// CHECK-LABEL: @merge_equal_lists(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32
func.func @merge_equal_lists(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> (tensor<i64>, tensor<i64>) {
  // CHECK: %[[SHAPE:.*]] = onnx.Shape(%[[X]])
  // CHECK: %[[M:.*]] = onnx.Gather(%[[SHAPE]], %{{.*}})
  // CHECK: %[[A:.*]] = onnx.Neg(%[[M]])
  // CHECK: %[[B:.*]] = onnx.Abs(%[[M]])
  // CHECK: return %[[A]], %[[B]]
  %one = onnx.Constant dense<1> : tensor<i64>
  %0 = onnx.Shape(%x) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<2xi64>
  %1 = onnx.Gather(%0, %one) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %2 = onnx.Neg(%1) : (tensor<i64>) -> tensor<i64>
  %turned = onnx.Transpose(%x) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %3 = onnx.Shape(%turned) : (tensor<*xf32>) -> tensor<2xi64>
  %4 = onnx.Gather(%3, %zero) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %5 = onnx.Abs(%4) : (tensor<i64>) -> tensor<i64>
  return %2, %5 : tensor<i64>, tensor<i64>
}

// -----

// Nothing says that both are one.
// CHECK-LABEL: @merge_equal_lists_refused(
func.func @merge_equal_lists_refused(%x: tensor<?xf32, #onnx.dims<"n">>, %y: tensor<?xf32, #onnx.dims<"m">>) -> (tensor<1xi64>, tensor<1xi64>) {
  // CHECK: %[[N:.*]] = onnx.Shape(
  // CHECK: %[[M:.*]] = onnx.Shape(
  // CHECK: onnx.Neg(%[[N]])
  // CHECK: onnx.Neg(%[[M]])
  %0 = onnx.Shape(%x) : (tensor<?xf32, #onnx.dims<"n">>) -> tensor<1xi64>
  %1 = onnx.Shape(%y) : (tensor<?xf32, #onnx.dims<"m">>) -> tensor<1xi64>
  %2 = onnx.Neg(%0) : (tensor<1xi64>) -> tensor<1xi64>
  %3 = onnx.Neg(%1) : (tensor<1xi64>) -> tensor<1xi64>
  return %2, %3 : tensor<1xi64>, tensor<1xi64>
}

// -----

// CHECK-LABEL: @multiply_sizes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32
func.func @multiply_sizes(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<i64> {
  // CHECK-NEXT: onnx.Size(%[[X]])
  // CHECK-NEXT: return
  %0 = onnx.Shape(%x) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<2xi64>
  %1 = onnx.ReduceProd(%0) {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  return %1 : tensor<i64>
}

// -----

// Not of all sizes.
// CHECK-LABEL: @multiply_sizes_refused(
func.func @multiply_sizes_refused(%x: tensor<?x?x?xf32, #onnx.dims<"n", "m", "k">>) -> tensor<i64> {
  // CHECK: onnx.ReduceProd(
  %0 = onnx.Shape(%x) {start = 1 : i64} : (tensor<?x?x?xf32, #onnx.dims<"n", "m", "k">>) -> tensor<2xi64>
  %1 = onnx.ReduceProd(%0) {keepdims = 0 : i64} : (tensor<2xi64>) -> tensor<i64>
  return %1 : tensor<i64>
}

// -----

// CHECK-LABEL: @part_of_shape(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?x?xf32
func.func @part_of_shape(%x: tensor<?x?x?xf32, #onnx.dims<"n", "m", "k">>) -> (tensor<2xi64>, tensor<1xi64>) {
  // CHECK-DAG: %[[A:.*]] = onnx.Shape(%[[X]]) {end = 3 : i64, start = 1 : i64}
  // CHECK-DAG: %[[B:.*]] = onnx.Shape(%[[X]]) {end = 1 : i64{{.*}}}
  // CHECK: return %[[A]], %[[B]]
  %0 = onnx.Shape(%x) : (tensor<?x?x?xf32, #onnx.dims<"n", "m", "k">>) -> tensor<3xi64>
  %start = onnx.Constant dense<-2> : tensor<1xi64>
  %end = onnx.Constant dense<9> : tensor<1xi64>
  %1 = onnx.Slice(%0, %start, %end) : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %2 = onnx.Gather(%0, %first) : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  return %1, %2 : tensor<2xi64>, tensor<1xi64>
}

// -----

// What is gathered does not lie side by side.
// CHECK-LABEL: @part_of_shape_refused(
func.func @part_of_shape_refused(%x: tensor<?x?x?xf32, #onnx.dims<"n", "m", "k">>) -> tensor<2xi64> {
  // CHECK: %[[SHAPE:.*]] = onnx.Shape(
  // CHECK: onnx.Gather(%[[SHAPE]], %{{.*}})
  %0 = onnx.Shape(%x) : (tensor<?x?x?xf32, #onnx.dims<"n", "m", "k">>) -> tensor<3xi64>
  %places = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %1 = onnx.Gather(%0, %places) : (tensor<3xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

// -----

// The opset has no parts of shapes.
// CHECK-LABEL: @part_of_shape_refused_by_opset(
module attributes {onnx.model = {opset_imports = {ai.onnx = 13 : i64}}} {
  func.func @part_of_shape_refused_by_opset(%x: tensor<?x?x?xf32, #onnx.dims<"n", "m", "k">>) -> tensor<2xi64> {
    // CHECK: onnx.Slice(
    %0 = onnx.Shape(%x) : (tensor<?x?x?xf32, #onnx.dims<"n", "m", "k">>) -> tensor<3xi64>
    %start = onnx.Constant dense<-2> : tensor<1xi64>
    %end = onnx.Constant dense<9> : tensor<1xi64>
    %1 = onnx.Slice(%0, %start, %end) : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    return %1 : tensor<2xi64>
  }
}

// -----

// As exporters say "as it is" of some axes: -1 is never a size.
// CHECK-LABEL: @shorten_list(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32
func.func @shorten_list(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<4xi64> {
  // CHECK-DAG: %[[BEFORE:.*]] = onnx.Constant {{.*}}dense<[1, 8]>
  // CHECK-DAG: %[[AFTER:.*]] = onnx.Constant {{.*}}dense<1> : tensor<1xi64>
  // CHECK-DAG: %[[M:.*]] = onnx.Shape(%[[X]]) {end = 2 : i64, start = 1 : i64}
  // CHECK: %[[LIST:.*]] = onnx.Concat(%[[BEFORE]], %[[M]], %[[AFTER]])
  // CHECK-NEXT: return %[[LIST]]
  %shape = onnx.Shape(%x) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<2xi64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %m = onnx.Gather(%shape, %one) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %narrow = onnx.Cast(%m) {to = 6 : i64} : (tensor<i64>) -> tensor<i32>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %vector = onnx.Unsqueeze(%narrow, %zero) : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
  %before = onnx.Constant dense<[-1, 8]> : tensor<2xi32>
  %after = onnx.Constant dense<-1> : tensor<1xi32>
  %all = onnx.Concat(%before, %vector, %after) {axis = 0 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %wide = onnx.Cast(%all) {to = 7 : i64} : (tensor<4xi32>) -> tensor<4xi64>
  %minus = onnx.Constant dense<-1> : tensor<i64>
  %asItIs = onnx.Equal(%wide, %minus) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi1>
  %ones = onnx.Constant dense<1> : tensor<4xi64>
  %0 = onnx.Where(%asItIs, %ones, %wide) : (tensor<4xi1>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

// An entry that is calculated is in no shape.
// CHECK-LABEL: @shorten_list_refused(
func.func @shorten_list_refused(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<2xi64> {
  // CHECK: %[[SUM:.*]] = onnx.Add(
  // CHECK: onnx.Concat(%{{.*}}, %[[SUM]])
  %m = onnx.Shape(%x) {start = 1 : i64} : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %sum = onnx.Add(%m, %one) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %all = onnx.Concat(%one, %sum) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  return %all : tensor<2xi64>
}

// -----

// An input has the size, so what computes %y need not be there for it.
// CHECK-LABEL: @size_of_input(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32
func.func @size_of_input(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> (tensor<i64>, tensor<1xi64>) {
  // CHECK: %[[SHAPE:.*]] = onnx.Shape(%[[X]])
  // CHECK: %[[M:.*]] = onnx.Gather(%[[SHAPE]], %{{.*}}) {{.*}}-> tensor<i64>
  // CHECK: return %[[M]], %{{.*}}
  %0 = onnx.Concat(%x, %x) {axis = 0 : i64} : (tensor<?x?xf32, #onnx.dims<"n", "m">>, tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32>
  %1 = onnx.Shape(%0) : (tensor<*xf32>) -> tensor<2xi64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %2 = onnx.Gather(%1, %one) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %3 = onnx.Transpose(%0) : (tensor<*xf32>) -> tensor<*xf32>
  %4 = onnx.Shape(%3) : (tensor<*xf32>) -> tensor<2xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %5 = onnx.Gather(%4, %zero) : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  return %2, %5 : tensor<i64>, tensor<1xi64>
}

// -----

// The size that no input has.
// CHECK-LABEL: @size_of_input_refused(
func.func @size_of_input_refused(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<i64> {
  // CHECK: %[[Y:.*]] = onnx.Concat(
  // CHECK: %[[SHAPE:.*]] = onnx.Shape(%[[Y]])
  // CHECK: onnx.Gather(%[[SHAPE]], %{{.*}})
  %0 = onnx.Concat(%x, %x) {axis = 0 : i64} : (tensor<?x?xf32, #onnx.dims<"n", "m">>, tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32>
  %1 = onnx.Shape(%0) : (tensor<*xf32>) -> tensor<2xi64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %2 = onnx.Gather(%1, %zero) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  return %2 : tensor<i64>
}

// -----

// CHECK-LABEL: @shape_of_input(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32
func.func @shape_of_input(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> (tensor<2xi64>, tensor<1xi64>) {
  // CHECK-DAG: %[[A:.*]] = onnx.Shape(%[[X]]) :
  // CHECK-DAG: %[[B:.*]] = onnx.Shape(%[[X]]) {end = 2 : i64, start = 1 : i64}
  // CHECK: return %[[A]], %[[B]]
  %0 = onnx.Relu(%x) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32>
  %1 = onnx.Shape(%0) : (tensor<*xf32>) -> tensor<2xi64>
  %2 = onnx.Shape(%0) {start = 1 : i64} : (tensor<*xf32>) -> tensor<1xi64>
  return %1, %2 : tensor<2xi64>, tensor<1xi64>
}

// -----

// They do not lie in this order there.
// CHECK-LABEL: @shape_of_input_refused(
func.func @shape_of_input_refused(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<2xi64> {
  // CHECK: %[[Y:.*]] = onnx.Transpose(
  // CHECK: onnx.Shape(%[[Y]])
  %0 = onnx.Transpose(%x) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32>
  %1 = onnx.Shape(%0) : (tensor<*xf32>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

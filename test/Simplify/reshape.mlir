// RUN: invar-opt --invar-canonicalize --split-input-file %s | FileCheck %s

// The size that 0 copies is that of %x, too.
// CHECK-LABEL: @merge_reshapes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4x6xf32
func.func @merge_reshapes(%x: tensor<?x4x6xf32, #onnx.dims<"n", "", "">>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK-DAG: %[[TARGET:.*]] = onnx.Constant {{.*}}dense<[0, 3, 8]>
  // CHECK-DAG: %[[A:.*]] = onnx.Reshape(%[[X]], %[[TARGET]])
  %target = onnx.Constant dense<[0, 3, 8]> : tensor<3xi64>
  %0 = onnx.Flatten(%x) : (tensor<?x4x6xf32, #onnx.dims<"n", "", "">>) -> tensor<*xf32>
  %1 = onnx.Reshape(%0, %target) : (tensor<*xf32>, tensor<3xi64>) -> tensor<*xf32>
  // CHECK-DAG: %[[LAST:.*]] = onnx.Constant {{.*}}dense<[0, 24, 1]>
  // CHECK-DAG: %[[B:.*]] = onnx.Reshape(%[[X]], %[[LAST]])
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %2 = onnx.Unsqueeze(%0, %two) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  // CHECK: return %[[A]], %[[B]]
  return %1, %2 : tensor<*xf32>, tensor<*xf32>
}

// -----

// What 0 copies is not there before, and more than one size is open.
// CHECK-LABEL: @merge_reshapes_refused(
func.func @merge_reshapes_refused(%x: tensor<?x?x6xf32, #onnx.dims<"n", "m", "">>, %y: tensor<3xi64>) -> tensor<*xf32> {
  %target = onnx.Constant dense<[0, 0, 3, -1]> : tensor<4xi64>
  // CHECK: %[[A:.*]] = onnx.Reshape(
  // CHECK: onnx.Reshape(%[[A]], %{{.*}})
  %0 = onnx.Reshape(%x, %y) : (tensor<?x?x6xf32, #onnx.dims<"n", "m", "">>, tensor<3xi64>) -> tensor<*xf32>
  %1 = onnx.Reshape(%0, %target) : (tensor<*xf32>, tensor<4xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// A shape that is computed, of which all is known but one size that can be copied.
// CHECK-LABEL: @fix_reshape(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4x6xf32
func.func @fix_reshape(%x: tensor<?x4x6xf32, #onnx.dims<"n", "", "">>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[COPY:.*]] = onnx.Constant {{.*}}dense<[0, 24]>
  // CHECK-NEXT: %[[A:.*]] = onnx.Reshape(%[[X]], %[[COPY]])
  %n = onnx.Shape(%x) {end = 1 : i64, start = 0 : i64} : (tensor<?x4x6xf32, #onnx.dims<"n", "", "">>) -> tensor<1xi64>
  %rest = onnx.Constant dense<24> : tensor<1xi64>
  %computed = onnx.Concat(%n, %rest) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = onnx.Reshape(%x, %computed) : (tensor<?x4x6xf32, #onnx.dims<"n", "", "">>, tensor<2xi64>) -> tensor<*xf32>
  // CHECK-NEXT: return %[[A]]
  return %0 : tensor<*xf32>
}

// -----

// There is a -1 before in the same place, which means nothing in the same cases.
// CHECK-LABEL: @fix_reshape_of_rest(
func.func @fix_reshape_of_rest(%x: tensor<?x?x4xf32, #onnx.dims<"n", "m", "">>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[COPY:.*]] = onnx.Constant {{.*}}dense<[0, -1, 2]>
  // CHECK-NEXT: onnx.Reshape(%{{.*}}, %[[COPY]])
  %n = onnx.Shape(%x) {end = 1 : i64, start = 0 : i64} : (tensor<?x?x4xf32, #onnx.dims<"n", "m", "">>) -> tensor<1xi64>
  %rest = onnx.Constant dense<[-1, 2]> : tensor<2xi64>
  %computed = onnx.Concat(%n, %rest) {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %0 = onnx.Reshape(%x, %computed) : (tensor<?x?x4xf32, #onnx.dims<"n", "m", "">>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Two sizes are at other places than in %x: one of them can be -1, not both.
// CHECK-LABEL: @fix_reshape_refused(
func.func @fix_reshape_refused(%x: tensor<?x12x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<*xf32> {
  // CHECK: %[[PLACES:.*]] = onnx.Constant {{.*}}dense<[2, 0]>
  // CHECK: %[[SIZES:.*]] = onnx.Gather(%{{.*}}, %[[PLACES]])
  // CHECK: %[[TARGET:.*]] = onnx.Concat(%[[SIZES]], %{{.*}})
  // CHECK: onnx.Reshape(%{{.*}}, %[[TARGET]])
  %shape = onnx.Shape(%x) : (tensor<?x12x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<3xi64>
  %places = onnx.Constant dense<[2, 0]> : tensor<2xi64>
  %sizes = onnx.Gather(%shape, %places) : (tensor<3xi64>, tensor<2xi64>) -> tensor<2xi64>
  %twelve = onnx.Constant dense<12> : tensor<1xi64>
  %target = onnx.Concat(%sizes, %twelve) {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  %0 = onnx.Reshape(%x, %target) : (tensor<?x12x?xf32, #onnx.dims<"n", "", "m">>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Ones are put in or taken away, and no target is needed.
// CHECK-LABEL: @reshape_by_ones(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?x8xf32, {{[^>]*}}>>, %[[Y:[^:]*]]: tensor<
func.func @reshape_by_ones(%x: tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>, %y: tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK-DAG: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1> : tensor<1xi64>
  // CHECK-DAG: %[[A:.*]] = onnx.Unsqueeze(%[[X]], %[[ONE]])
  // CHECK-DAG: %[[B:.*]] = onnx.Squeeze(%[[Y]], %[[ONE]])
  %n = onnx.Shape(%x) {end = 1 : i64, start = 0 : i64} : (tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>) -> tensor<1xi64>
  %m = onnx.Shape(%x) {end = 2 : i64, start = 1 : i64} : (tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>) -> tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %eight = onnx.Constant dense<8> : tensor<1xi64>
  %put = onnx.Concat(%n, %one, %m, %eight) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %taken = onnx.Concat(%n, %m) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = onnx.Reshape(%x, %put) : (tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>, tensor<4xi64>) -> tensor<*xf32>
  %1 = onnx.Reshape(%y, %taken) : (tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>, tensor<2xi64>) -> tensor<*xf32>
  // CHECK: return %[[A]], %[[B]]
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// The others do not stand in their order.
// CHECK-LABEL: @reshape_by_ones_refused(
func.func @reshape_by_ones_refused(%x: tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>) -> tensor<*xf32> {
  // CHECK: onnx.Reshape(
  %n = onnx.Shape(%x) {end = 1 : i64, start = 0 : i64} : (tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>) -> tensor<1xi64>
  %m = onnx.Shape(%x) {end = 2 : i64, start = 1 : i64} : (tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>) -> tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %eight = onnx.Constant dense<8> : tensor<1xi64>
  %put = onnx.Concat(%m, %one, %n, %eight) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %0 = onnx.Reshape(%x, %put) : (tensor<?x?x8xf32, #onnx.dims<"n", "m", "">>, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @merge_squeezes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x?x1x?xf32
func.func @merge_squeezes(%x: tensor<1x?x1x?xf32, #onnx.dims<"", "n", "", "m">>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[BOTH:.*]] = onnx.Constant {{.*}}dense<[0, 2]>
  // CHECK-NEXT: onnx.Squeeze(%[[X]], %[[BOTH]])
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %second = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.Squeeze(%x, %first) : (tensor<1x?x1x?xf32, #onnx.dims<"", "n", "", "m">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Squeeze(%0, %second) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// It is not known which axes.
// CHECK-LABEL: @merge_squeezes_refused(
func.func @merge_squeezes_refused(%x: tensor<1x?x1x?xf32, #onnx.dims<"", "n", "", "m">>, %axes: tensor<1xi64>) -> tensor<*xf32> {
  // CHECK: %[[A:.*]] = onnx.Squeeze(
  // CHECK: onnx.Squeeze(%[[A]], %{{.*}})
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %0 = onnx.Squeeze(%x, %first) : (tensor<1x?x1x?xf32, #onnx.dims<"", "n", "", "m">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Squeeze(%0, %axes) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @merge_unsqueezes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32
func.func @merge_unsqueezes(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[BOTH:.*]] = onnx.Constant {{.*}}dense<[0, 2]>
  // CHECK-NEXT: onnx.Unsqueeze(%[[X]], %[[BOTH]])
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %second = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.Unsqueeze(%x, %second) : (tensor<?x?xf32, #onnx.dims<"n", "m">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Unsqueeze(%0, %first) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @merge_unsqueezes_refused(
func.func @merge_unsqueezes_refused(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>, %axes: tensor<1xi64>) -> tensor<*xf32> {
  // CHECK: %[[A:.*]] = onnx.Unsqueeze(
  // CHECK: onnx.Unsqueeze(%[[A]], %{{.*}})
  %second = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.Unsqueeze(%x, %second) : (tensor<?x?xf32, #onnx.dims<"n", "m">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Unsqueeze(%0, %axes) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// One that was put in and two that are taken; and the same.
// CHECK-LABEL: @cancel_unsqueeze(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x1x?xf32
func.func @cancel_unsqueeze(%x: tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK-NEXT: %[[LEFT:.*]] = onnx.Constant {{.*}}dense<1> : tensor<1xi64>
  // CHECK-NEXT: %[[A:.*]] = onnx.Squeeze(%[[X]], %[[LEFT]])
  // CHECK-NEXT: return %[[A]], %[[X]]
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %taken = onnx.Constant dense<[2, 0]> : tensor<2xi64>
  %0 = onnx.Unsqueeze(%x, %first) : (tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Squeeze(%0, %taken) : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  %2 = onnx.Squeeze(%0, %first) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1, %2 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @cancel_unsqueeze_refused(
func.func @cancel_unsqueeze_refused(%x: tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>, %axes: tensor<1xi64>) -> tensor<*xf32> {
  // CHECK: %[[A:.*]] = onnx.Unsqueeze(
  // CHECK: onnx.Squeeze(%[[A]], %{{.*}})
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %0 = onnx.Unsqueeze(%x, %first) : (tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Squeeze(%0, %axes) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @cancel_squeeze(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x?xf32
func.func @cancel_squeeze(%x: tensor<1x?xf32, #onnx.dims<"", "n">>) -> tensor<*xf32> {
  // CHECK-NEXT: return %[[X]]
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %0 = onnx.Squeeze(%x, %first) : (tensor<1x?xf32, #onnx.dims<"", "n">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Unsqueeze(%0, %first) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Another axis is put in than was taken away.
// CHECK-LABEL: @cancel_squeeze_refused(
func.func @cancel_squeeze_refused(%x: tensor<1x?xf32, #onnx.dims<"", "n">>) -> tensor<*xf32> {
  // CHECK: %[[A:.*]] = onnx.Squeeze(
  // CHECK: onnx.Unsqueeze(%[[A]], %{{.*}})
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %second = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.Squeeze(%x, %first) : (tensor<1x?xf32, #onnx.dims<"", "n">>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Unsqueeze(%0, %second) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

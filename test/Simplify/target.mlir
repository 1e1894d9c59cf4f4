// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// CHECK-LABEL: @drop_broadcast(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x8xf32, {{[^>]*}}>>, %[[Y:[^:]*]]: tensor<8xf32>, %[[Z:[^:]*]]: tensor<?x1xf32
func.func @drop_broadcast(%x: tensor<?x8xf32, #onnx.dims<"n", "">>, %y: tensor<8xf32>, %z: tensor<?x1xf32, #onnx.dims<"n", "">>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK-NEXT: %[[A:.*]] = onnx.Sub(%[[X]], %[[Y]])
  // CHECK-NEXT: %[[B:.*]] = onnx.Mul(%[[Z]], %[[X]])
  // CHECK-NEXT: return %[[A]], %[[B]]
  %shape = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> tensor<2xi64>
  %0 = onnx.Expand(%y, %shape) : (tensor<8xf32>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Sub(%x, %0) : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<*xf32>) -> tensor<*xf32>
  %times = onnx.Constant dense<[1, 8]> : tensor<2xi64>
  %2 = onnx.Tile(%z, %times) : (tensor<?x1xf32, #onnx.dims<"n", "">>, tensor<2xi64>) -> tensor<*xf32>
  %3 = onnx.Mul(%2, %x) : (tensor<*xf32>, tensor<?x8xf32, #onnx.dims<"n", "">>) -> tensor<*xf32>
  return %1, %3 : tensor<*xf32>, tensor<*xf32>
}

// -----

// The result has the shape of what is expanded, and copies of several elements are no
// broadcasting.
// CHECK-LABEL: @drop_broadcast_refused(
func.func @drop_broadcast_refused(%x: tensor<?x8xf32, #onnx.dims<"n", "">>, %y: tensor<8xf32>, %z: tensor<?x4xf32, #onnx.dims<"n", "">>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK: %[[A:.*]] = onnx.Expand(
  // CHECK: onnx.Sub(%{{.*}}, %[[A]])
  // CHECK: %[[B:.*]] = onnx.Tile(
  // CHECK: onnx.Mul(%[[B]], %{{.*}})
  %shape = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> tensor<2xi64>
  %0 = onnx.Expand(%y, %shape) : (tensor<8xf32>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Sub(%y, %0) : (tensor<8xf32>, tensor<*xf32>) -> tensor<*xf32>
  %times = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %2 = onnx.Tile(%z, %times) : (tensor<?x4xf32, #onnx.dims<"n", "">>, tensor<2xi64>) -> tensor<*xf32>
  %3 = onnx.Mul(%2, %x) : (tensor<*xf32>, tensor<?x8xf32, #onnx.dims<"n", "">>) -> tensor<*xf32>
  return %1, %3 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_fill(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x8xi64
func.func @drop_fill(%x: tensor<?x8xi64, #onnx.dims<"n", "">>) -> tensor<*xi64> {
  // CHECK-NEXT: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<15> : tensor<i64>
  // CHECK-NEXT: onnx.Min(%[[X]], %[[NUMBER]])
  // CHECK-NEXT: return
  %n = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x8xi64, #onnx.dims<"n", "">>) -> tensor<1xi64>
  %0 = onnx.ConstantOfShape(%n) {value = dense<15> : tensor<1xi64>} : (tensor<1xi64>) -> tensor<*xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %1 = onnx.Unsqueeze(%0, %one) : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %2 = onnx.Min(%x, %1) : (tensor<?x8xi64, #onnx.dims<"n", "">>, tensor<*xi64>) -> tensor<*xi64>
  return %2 : tensor<*xi64>
}

// -----

// The other operand is broadcast.
// CHECK-LABEL: @drop_fill_refused(
func.func @drop_fill_refused(%x: tensor<?x1xi64, #onnx.dims<"n", "">>, %shape: tensor<2xi64>) -> tensor<*xi64> {
  // CHECK: %[[FILLED:.*]] = onnx.ConstantOfShape(
  // CHECK: onnx.Min(%{{.*}}, %[[FILLED]])
  %0 = onnx.ConstantOfShape(%shape) {value = dense<15> : tensor<1xi64>} : (tensor<2xi64>) -> tensor<*xi64>
  %1 = onnx.Min(%x, %0) : (tensor<?x1xi64, #onnx.dims<"n", "">>, tensor<*xi64>) -> tensor<*xi64>
  return %1 : tensor<*xi64>
}

// -----

// CHECK-LABEL: @drop_zero_state(
func.func @drop_zero_state(%x: tensor<?x?x4xf32, #onnx.dims<"t", "n", "">>, %w: tensor<1x20x4xf32>, %r: tensor<1x20x5xf32>) -> tensor<*xf32> {
  // CHECK-NEXT: onnx.LSTM(%arg0, %arg1, %arg2) {
  // CHECK-NEXT: return
  %n = onnx.Shape(%x) {start = 1 : i64, end = 2 : i64} : (tensor<?x?x4xf32, #onnx.dims<"t", "n", "">>) -> tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %five = onnx.Constant dense<5> : tensor<1xi64>
  %shape = onnx.Concat(%one, %n, %five) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %zeros = onnx.ConstantOfShape(%shape) : (tensor<3xi64>) -> tensor<*xf32>
  %0, %1, %2 = onnx.LSTM(%x, %w, %r, _, _, %zeros, %zeros, _) {hidden_size = 5 : i64} : (tensor<?x?x4xf32, #onnx.dims<"t", "n", "">>, tensor<1x20x4xf32>, tensor<1x20x5xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @drop_zero_state_refused(
func.func @drop_zero_state_refused(%x: tensor<?x?x4xf32, #onnx.dims<"t", "n", "">>, %w: tensor<1x5x4xf32>, %r: tensor<1x5x5xf32>) -> tensor<*xf32> {
  // CHECK: %[[STATE:.*]] = onnx.ConstantOfShape(
  // CHECK: onnx.RNN(%{{.*}}, %{{.*}}, %{{.*}}, _, _, %[[STATE]])
  %n = onnx.Shape(%x) {start = 1 : i64, end = 2 : i64} : (tensor<?x?x4xf32, #onnx.dims<"t", "n", "">>) -> tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %five = onnx.Constant dense<5> : tensor<1xi64>
  %shape = onnx.Concat(%one, %n, %five) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %ones = onnx.ConstantOfShape(%shape) {value = dense<1.0> : tensor<1xf32>} : (tensor<3xi64>) -> tensor<*xf32>
  %0, %1 = onnx.RNN(%x, %w, %r, _, _, %ones) {hidden_size = 5 : i64} : (tensor<?x?x4xf32, #onnx.dims<"t", "n", "">>, tensor<1x5x4xf32>, tensor<1x5x5xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @fix_expand(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x1x?xf32
func.func @fix_expand(%x: tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[TARGET:.*]] = onnx.Constant {{.*}}dense<[1, 8, 1]>
  // CHECK-NEXT: onnx.Expand(%[[X]], %[[TARGET]])
  // CHECK-NEXT: return
  %n = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<1xi64>
  %m = onnx.Shape(%x) {start = 2 : i64} : (tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<1xi64>
  %eight = onnx.Constant dense<8> : tensor<1xi64>
  %target = onnx.Concat(%n, %eight, %m) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %0 = onnx.Expand(%x, %target) : (tensor<?x1x?xf32, #onnx.dims<"n", "", "m">>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// A size that %x does not have.
// CHECK-LABEL: @fix_expand_refused(
func.func @fix_expand_refused(%x: tensor<1x?xf32, #onnx.dims<"", "m">>) -> tensor<*xf32> {
  // CHECK: %[[TARGET:.*]] = onnx.Concat(
  // CHECK: onnx.Expand(%{{.*}}, %[[TARGET]])
  %m = onnx.Shape(%x) {start = 1 : i64} : (tensor<1x?xf32, #onnx.dims<"", "m">>) -> tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %target = onnx.Concat(%m, %one) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = onnx.Expand(%x, %target) : (tensor<1x?xf32, #onnx.dims<"", "m">>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// x[1:n] and x[n-1:].
// CHECK-LABEL: @fix_slice(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32
func.func @fix_slice(%x: tensor<?xf32, #onnx.dims<"n">>) -> (tensor<*xf32>, tensor<*xf32>) {
  // CHECK-DAG: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1> : tensor<1xi64>
  // CHECK-DAG: %[[END:.*]] = onnx.Constant {{.*}}dense<9223372036854775807>
  // CHECK-DAG: %[[LAST:.*]] = onnx.Constant {{.*}}dense<-1>
  // CHECK-DAG: %[[A:.*]] = onnx.Slice(%[[X]], %[[ONE]], %[[END]])
  // CHECK-DAG: %[[B:.*]] = onnx.Slice(%[[X]], %[[LAST]], %[[END]])
  // CHECK: return %[[A]], %[[B]]
  %n = onnx.Shape(%x) : (tensor<?xf32, #onnx.dims<"n">>) -> tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.Slice(%x, %one, %n) : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %last = onnx.Sub(%n, %one) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %1 = onnx.Slice(%x, %last, %n) : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// Of a size of 2, n - 3 is the last place, and -3 would be the first.
// CHECK-LABEL: @fix_slice_refused(
func.func @fix_slice_refused(%x: tensor<?xf32, #onnx.dims<"n">>) -> tensor<*xf32> {
  // CHECK: %[[END:.*]] = onnx.Sub(
  // CHECK: onnx.Slice(%{{.*}}, %{{.*}}, %[[END]])
  %n = onnx.Shape(%x) : (tensor<?xf32, #onnx.dims<"n">>) -> tensor<1xi64>
  %three = onnx.Constant dense<3> : tensor<1xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %end = onnx.Sub(%n, %three) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %0 = onnx.Slice(%x, %zero, %end) : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @fix_resize(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x3x?x?xf32
func.func @fix_resize(%x: tensor<?x3x?x?xf32, #onnx.dims<"n", "", "h", "w">>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[SCALES:.*]] = onnx.Constant {{.*}}dense<[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]>
  // CHECK-NEXT: onnx.Resize(%[[X]], _, %[[SCALES]]) :
  // CHECK-NEXT: return
  %shape = onnx.Shape(%x) : (tensor<?x3x?x?xf32, #onnx.dims<"n", "", "h", "w">>) -> tensor<4xi64>
  %times = onnx.Constant dense<[1, 1, 2, 2]> : tensor<4xi64>
  %sizes = onnx.Mul(%shape, %times) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %0 = onnx.Resize(%x, _, _, %sizes) : (tensor<?x3x?x?xf32, #onnx.dims<"n", "", "h", "w">>, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// The size of another tensor.
// CHECK-LABEL: @fix_resize_refused(
func.func @fix_resize_refused(%x: tensor<?x3x?x?xf32, #onnx.dims<"n", "", "h", "w">>, %y: tensor<?x3x?x?xf32, #onnx.dims<"n", "", "a", "b">>) -> tensor<*xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Shape(
  // CHECK: onnx.Resize(%{{.*}}, _, _, %[[SIZES]])
  %sizes = onnx.Shape(%y) : (tensor<?x3x?x?xf32, #onnx.dims<"n", "", "a", "b">>) -> tensor<4xi64>
  %0 = onnx.Resize(%x, _, _, %sizes) : (tensor<?x3x?x?xf32, #onnx.dims<"n", "", "h", "w">>, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @fix_reshape_of_some(
func.func @fix_reshape_of_some(%x: tensor<?x64x?x?xf32, #onnx.dims<"n", "", "h", "w">>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[TARGET:.*]] = onnx.Constant {{.*}}dense<[0, 64, -1]>
  // CHECK-NEXT: onnx.Reshape(%{{.*}}, %[[TARGET]])
  %shape = onnx.Shape(%x) : (tensor<?x64x?x?xf32, #onnx.dims<"n", "", "h", "w">>) -> tensor<4xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %three = onnx.Constant dense<3> : tensor<1xi64>
  %n = onnx.Gather(%shape, %zero) : (tensor<4xi64>, tensor<1xi64>) -> tensor<1xi64>
  %h = onnx.Gather(%shape, %two) : (tensor<4xi64>, tensor<1xi64>) -> tensor<1xi64>
  %w = onnx.Gather(%shape, %three) : (tensor<4xi64>, tensor<1xi64>) -> tensor<1xi64>
  %all = onnx.Mul(%h, %w) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %channels = onnx.Constant dense<64> : tensor<1xi64>
  %target = onnx.Concat(%n, %channels, %all) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %0 = onnx.Reshape(%x, %target) : (tensor<?x64x?x?xf32, #onnx.dims<"n", "", "h", "w">>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// The batch comes second: it can neither be copied nor be a second -1.
// CHECK-LABEL: @fix_reshape_of_some_refused(
func.func @fix_reshape_of_some_refused(%x: tensor<?x64x?x?xf32, #onnx.dims<"n", "", "h", "w">>) -> tensor<*xf32> {
  // CHECK: %[[TARGET:.*]] = onnx.Concat(
  // CHECK: onnx.Reshape(%{{.*}}, %[[TARGET]])
  %shape = onnx.Shape(%x) : (tensor<?x64x?x?xf32, #onnx.dims<"n", "", "h", "w">>) -> tensor<4xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %three = onnx.Constant dense<3> : tensor<1xi64>
  %n = onnx.Gather(%shape, %zero) : (tensor<4xi64>, tensor<1xi64>) -> tensor<1xi64>
  %h = onnx.Gather(%shape, %two) : (tensor<4xi64>, tensor<1xi64>) -> tensor<1xi64>
  %w = onnx.Gather(%shape, %three) : (tensor<4xi64>, tensor<1xi64>) -> tensor<1xi64>
  %all = onnx.Mul(%h, %w) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %channels = onnx.Constant dense<64> : tensor<1xi64>
  %target = onnx.Concat(%channels, %n, %all) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %0 = onnx.Reshape(%x, %target) : (tensor<?x64x?x?xf32, #onnx.dims<"n", "", "h", "w">>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

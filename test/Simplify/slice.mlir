// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// x[1:20:3][2:5:2] and a further axis of a size that is not known.
// CHECK-LABEL: @merge_slices(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32
func.func @merge_slices(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<20> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %t = onnx.Constant dense<3> : tensor<1xi64>
  %s2 = onnx.Constant dense<[-4, 2]> : tensor<2xi32>
  %e2 = onnx.Constant dense<[-1, 5]> : tensor<2xi32>
  %a2 = onnx.Constant dense<[-1, 0]> : tensor<2xi32>
  %t2 = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<[7, -4]>
  // CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<[16, -1]>
  // CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<[0, 1]>
  // CHECK-DAG: %[[T:.*]] = onnx.Constant {{.*}}dense<[6, 1]>
  // CHECK: onnx.Slice(%[[X]], %[[S]], %[[E]], %[[A]], %[[T]])
  %0 = onnx.Slice(%x, %s, %e, %a, %t) : (tensor<?x?xf32, #onnx.dims<"n", "m">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %s2, %e2, %a2, %t2) : (tensor<*xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Counted from an end that is not known.
// CHECK-LABEL: @merge_slices_refused(
func.func @merge_slices_refused(%x: tensor<?xf32>) -> tensor<*xf32> {
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  // CHECK-COUNT-2: onnx.Slice(
  %0 = onnx.Slice(%x, %one, %last) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %one, %last) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// In the second part, and, counted from the end, in the last one.
// CHECK-LABEL: @slice_concat(
// CHECK-SAME: %[[X:[^:]*]]: tensor<3xf32>, %[[Y:[^:]*]]: tensor<4xf32>, %[[Z:[^:]*]]: tensor<?xf32
func.func @slice_concat(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<?xf32, #onnx.dims<"n">>) -> (tensor<*xf32>, tensor<*xf32>) {
  %4 = onnx.Constant dense<4> : tensor<1xi64>
  %6 = onnx.Constant dense<6> : tensor<1xi64>
  %m2 = onnx.Constant dense<-2> : tensor<1xi64>
  %end = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  // CHECK-DAG: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1> : tensor<1xi64>
  // CHECK-DAG: %[[THREE:.*]] = onnx.Constant {{.*}}dense<3> : tensor<1xi64>
  // CHECK-DAG: onnx.Slice(%[[Y]], %[[ONE]], %[[THREE]], %{{.*}})
  %0 = onnx.Concat(%x, %y, %z) {axis = 0 : i64} : (tensor<3xf32>, tensor<4xf32>, tensor<?xf32, #onnx.dims<"n">>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %4, %6) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  // CHECK-DAG: onnx.Slice(%[[X]], %{{.*}})
  %2 = onnx.Concat(%z, %x) {axis = 0 : i64} : (tensor<?xf32, #onnx.dims<"n">>, tensor<3xf32>) -> tensor<*xf32>
  %3 = onnx.Slice(%2, %m2, %end) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  // CHECK-NOT: onnx.Concat(
  return %1, %3 : tensor<*xf32>, tensor<*xf32>
}

// -----

// In two parts, and in one that begins somewhere.
// CHECK-LABEL: @slice_concat_refused(
func.func @slice_concat_refused(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<?xf32, #onnx.dims<"n">>) -> (tensor<*xf32>, tensor<*xf32>) {
  %2 = onnx.Constant dense<2> : tensor<1xi64>
  %4 = onnx.Constant dense<4> : tensor<1xi64>
  // CHECK: %[[A:.*]] = onnx.Concat(
  // CHECK: onnx.Slice(%[[A]],
  %0 = onnx.Concat(%x, %y) {axis = 0 : i64} : (tensor<3xf32>, tensor<4xf32>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %2, %4) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  // CHECK: %[[B:.*]] = onnx.Concat(
  // CHECK: onnx.Slice(%[[B]],
  %3 = onnx.Concat(%z, %y) {axis = 0 : i64} : (tensor<?xf32, #onnx.dims<"n">>, tensor<4xf32>) -> tensor<*xf32>
  %5 = onnx.Slice(%3, %2, %4) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %1, %5 : tensor<*xf32>, tensor<*xf32>
}

// -----

// Counted from the back, in a part that is not the last one.
// CHECK-LABEL: @slice_concat_from_back(
// CHECK-SAME: %[[X:[^:]*]]: tensor<3xf32>, %[[Y:[^:]*]]: tensor<4xf32>, %{{.*}}: tensor<?xf32
func.func @slice_concat_from_back(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: tensor<?xf32, #onnx.dims<"n">>) -> tensor<*xf32> {
  %m6 = onnx.Constant dense<-6> : tensor<1xi64>
  %m4 = onnx.Constant dense<-4> : tensor<1xi64>
  // CHECK-DAG: %[[FIRST:.*]] = onnx.Constant {{.*}}dense<-2> : tensor<1xi64>
  // CHECK-DAG: %[[END:.*]] = onnx.Constant {{.*}}dense<9223372036854775807> : tensor<1xi64>
  // CHECK: onnx.Slice(%[[X]], %[[FIRST]], %[[END]], %{{.*}})
  // CHECK-NOT: onnx.Concat(
  %0 = onnx.Concat(%z, %x, %y) {axis = 0 : i64} : (tensor<?xf32, #onnx.dims<"n">>, tensor<3xf32>, tensor<4xf32>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %m6, %m4) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// From the front to a place that is counted from the back of an open size: nothing tells the part.
// CHECK-LABEL: @slice_concat_refused_to_back(
func.func @slice_concat_refused_to_back(%x: tensor<1xf32>, %z: tensor<?xf32, #onnx.dims<"n">>) -> tensor<*xf32> {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  // CHECK: %[[A:.*]] = onnx.Concat(
  // CHECK: onnx.Slice(%[[A]],
  %0 = onnx.Concat(%x, %z) {axis = 0 : i64} : (tensor<1xf32>, tensor<?xf32, #onnx.dims<"n">>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %zero, %last) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// An empty slice stays empty, though its end is before all of %x.
// CHECK-LABEL: @slice_pad_empty(
func.func @slice_pad_empty(%x: tensor<4xf32>) -> tensor<*xf32> {
  %pads = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %start = onnx.Constant dense<3> : tensor<1xi64>
  %end = onnx.Constant dense<1> : tensor<1xi64>
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1> : tensor<1xi64>
  // CHECK: onnx.Slice(%arg0, %[[ONE]], %[[ONE]], %{{.*}}) {{.*}}-> tensor<0xf32>
  %0 = onnx.Pad(%x, %pads) : (tensor<4xf32>, tensor<2xi64>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %start, %end) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @slice_pad(
func.func @slice_pad(%x: tensor<4x5xf32>) -> tensor<*xf32> {
  %pads = onnx.Constant dense<[2, 0, 1, 0]> : tensor<4xi64>
  %start = onnx.Constant dense<3> : tensor<1xi64>
  %end = onnx.Constant dense<-1> : tensor<1xi64>
  // CHECK-DAG: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1> : tensor<1xi64>
  // CHECK-DAG: %[[FOUR:.*]] = onnx.Constant {{.*}}dense<4> : tensor<1xi64>
  // CHECK-DAG: onnx.Slice(%arg0, %[[ONE]], %[[FOUR]], %{{.*}})
  // CHECK-NOT: onnx.Pad(
  %0 = onnx.Pad(%x, %pads) : (tensor<4x5xf32>, tensor<4xi64>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %start, %end) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// A row of the border is taken.
// CHECK-LABEL: @slice_pad_refused(
func.func @slice_pad_refused(%x: tensor<4x5xf32>) -> tensor<*xf32> {
  %pads = onnx.Constant dense<[2, 0, 1, 0]> : tensor<4xi64>
  %start = onnx.Constant dense<1> : tensor<1xi64>
  %end = onnx.Constant dense<-1> : tensor<1xi64>
  // CHECK: onnx.Pad(
  %0 = onnx.Pad(%x, %pads) : (tensor<4x5xf32>, tensor<4xi64>) -> tensor<*xf32>
  %1 = onnx.Slice(%0, %start, %end) : (tensor<*xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @gather_one(
func.func @gather_one(%x: tensor<?x4xf32>) -> tensor<*xf32> {
  %start = onnx.Constant dense<-1> : tensor<1xi64>
  %end = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %axis = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK: %[[LAST:.*]] = onnx.Constant {{.*}}dense<-1> : tensor<i64>
  // CHECK: onnx.Gather(%arg0, %[[LAST]]) {axis = 0 : i64}
  %0 = onnx.Slice(%x, %start, %end, %axis) : (tensor<?x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Squeeze(%0, %axis) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Something else uses the slice; and it may be another element if there are fewer.
// CHECK-LABEL: @gather_one_refused(
func.func @gather_one_refused(%x: tensor<?x4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %m3 = onnx.Constant dense<-3> : tensor<1xi64>
  // CHECK-COUNT-2: onnx.Squeeze(
  %0 = onnx.Slice(%x, %zero, %one, %zero) : (tensor<?x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %1 = onnx.Squeeze(%0, %zero) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  %2 = onnx.Slice(%x, %m3, %one, %zero) : (tensor<?x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
  %3 = onnx.Squeeze(%2, %zero) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0, %1, %3 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @keep_gathered(
func.func @keep_gathered(%x: tensor<2x?x4xf32>) -> tensor<*xf32> {
  %index = onnx.Constant dense<-2> : tensor<i32>
  %axis = onnx.Constant dense<-2> : tensor<1xi64>
  // CHECK: %[[LIST:.*]] = onnx.Constant {{.*}}dense<-2> : tensor<1xi32>
  // CHECK: onnx.Gather(%arg0, %[[LIST]]) {axis = 1 : i64}
  // CHECK-NOT: onnx.Unsqueeze(
  %0 = onnx.Gather(%x, %index) {axis = 1 : i64} : (tensor<2x?x4xf32>, tensor<i32>) -> tensor<*xf32>
  %1 = onnx.Unsqueeze(%0, %axis) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// The axis comes back in another place.
// CHECK-LABEL: @keep_gathered_refused(
func.func @keep_gathered_refused(%x: tensor<2x?x4xf32>) -> tensor<*xf32> {
  %index = onnx.Constant dense<0> : tensor<i64>
  %axis = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK: onnx.Gather(
  // CHECK: onnx.Unsqueeze(
  %0 = onnx.Gather(%x, %index) {axis = 1 : i64} : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<*xf32>
  %1 = onnx.Unsqueeze(%0, %axis) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @merge_gathers(
func.func @merge_gathers(%x: tensor<2x?xf32>) -> tensor<*xf32> {
  %first = onnx.Constant dense<[4, 1, -3]> : tensor<3xi64>
  %second = onnx.Constant dense<[-1, 0]> : tensor<2xi64>
  // CHECK: %[[BOTH:.*]] = onnx.Constant {{.*}}dense<[-3, 4]>
  // CHECK: onnx.Gather(%arg0, %[[BOTH]]) {axis = 1 : i64}
  %0 = onnx.Gather(%x, %first) {axis = 1 : i64} : (tensor<2x?xf32>, tensor<3xi64>) -> tensor<*xf32>
  %1 = onnx.Gather(%0, %second) {axis = 1 : i64} : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Along two axes.
// CHECK-LABEL: @merge_gathers_refused(
func.func @merge_gathers_refused(%x: tensor<2x?xf32>) -> tensor<*xf32> {
  %first = onnx.Constant dense<[4, 1, -3]> : tensor<3xi64>
  %second = onnx.Constant dense<[-1, 0]> : tensor<2xi64>
  // CHECK-COUNT-2: onnx.Gather(
  %0 = onnx.Gather(%x, %first) {axis = 1 : i64} : (tensor<2x?xf32>, tensor<3xi64>) -> tensor<*xf32>
  %1 = onnx.Gather(%0, %second) {axis = 0 : i64} : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @gather_concat(
func.func @gather_concat(%x: tensor<3x2xf32>, %y: tensor<4x2xf32>) -> tensor<*xf32> {
  %indices = onnx.Constant dense<[5, 3]> : tensor<2xi32>
  // CHECK: %[[MOVED:.*]] = onnx.Constant {{.*}}dense<[2, 0]> : tensor<2xi32>
  // CHECK: onnx.Gather(%arg1, %[[MOVED]]) {axis = 0 : i64}
  %0 = onnx.Concat(%x, %y) {axis = 0 : i64} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<*xf32>
  %1 = onnx.Gather(%0, %indices) : (tensor<*xf32>, tensor<2xi32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// From both parts, and along another axis.
// CHECK-LABEL: @gather_concat_refused(
func.func @gather_concat_refused(%x: tensor<3x2xf32>, %y: tensor<4x2xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %indices = onnx.Constant dense<[5, 2]> : tensor<2xi64>
  %one = onnx.Constant dense<1> : tensor<i64>
  // CHECK: %[[ALL:.*]] = onnx.Concat(
  // CHECK-COUNT-2: onnx.Gather(%[[ALL]],
  %0 = onnx.Concat(%x, %y) {axis = 0 : i64} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<*xf32>
  %1 = onnx.Gather(%0, %indices) : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  %2 = onnx.Gather(%0, %one) {axis = 1 : i64} : (tensor<*xf32>, tensor<i64>) -> tensor<*xf32>
  return %1, %2 : tensor<*xf32>, tensor<*xf32>
}

// RUN: invar-opt --invar-simplify %s | FileCheck %s
// RUN: invar-opt --invar-simplify=opset=16 %s | FileCheck %s --check-prefix=OLD

!t = tensor<?x4x2xf32>
!means = tensor<?x4x1xf32>
!c = tensor<2xf32>
!s = tensor<f32>
!axes = tensor<1xi64>

// CHECK-LABEL: @make_layer_norm(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK: %[[ONES:.*]] = onnx.Constant {{.*}}dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[Y:.*]] = onnx.LayerNormalization(%[[X]], %[[ONES]]) {epsilon = 9.99999974E-6 : f32}
// CHECK-NEXT: return %[[Y]]
// OLD-LABEL: @make_layer_norm(
// OLD: onnx.Sqrt(
func.func @make_layer_norm(%x: !t) -> !t {
  %axes = onnx.Constant dense<-1> : !axes
  %two = onnx.Constant dense<2.0> : !s
  %epsilon = onnx.Constant dense<1.0e-5> : !s
  %0 = onnx.ReduceMean(%x, %axes) : (!t, !axes) -> !means
  %1 = onnx.Sub(%x, %0) : (!t, !means) -> !t
  %2 = onnx.Pow(%1, %two) : (!t, !s) -> !t
  %3 = onnx.ReduceMean(%2, %axes) : (!t, !axes) -> !means
  %4 = onnx.Add(%3, %epsilon) : (!means, !s) -> !means
  %5 = onnx.Sqrt(%4) : (!means) -> !means
  %6 = onnx.Div(%1, %5) : (!t, !means) -> !t
  return %6 : !t
}

// Images have an operator of their own, in all opsets.
// CHECK-LABEL: @make_layer_norm_of_images(
// CHECK: onnx.InstanceNormalization(
// OLD-LABEL: @make_layer_norm_of_images(
// OLD: onnx.InstanceNormalization(
func.func @make_layer_norm_of_images(%x: tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32> {
  %axes = onnx.Constant dense<[3, 2]> : tensor<2xi64>
  %epsilon = onnx.Constant dense<1.0e-5> : !s
  %0 = onnx.ReduceMean(%x, %axes) : (tensor<?x3x?x?xf32>, tensor<2xi64>) -> tensor<?x3x1x1xf32>
  %1 = onnx.Sub(%x, %0) : (tensor<?x3x?x?xf32>, tensor<?x3x1x1xf32>) -> tensor<?x3x?x?xf32>
  %2 = onnx.Mul(%1, %1) : (tensor<?x3x?x?xf32>, tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
  %3 = onnx.ReduceMean(%2, %axes) : (tensor<?x3x?x?xf32>, tensor<2xi64>) -> tensor<?x3x1x1xf32>
  %4 = onnx.Add(%3, %epsilon) : (tensor<?x3x1x1xf32>, !s) -> tensor<?x3x1x1xf32>
  %5 = onnx.Sqrt(%4) : (tensor<?x3x1x1xf32>) -> tensor<?x3x1x1xf32>
  %6 = onnx.Reciprocal(%5) : (tensor<?x3x1x1xf32>) -> tensor<?x3x1x1xf32>
  %7 = onnx.Mul(%1, %6) : (tensor<?x3x?x?xf32>, tensor<?x3x1x1xf32>) -> tensor<?x3x?x?xf32>
  return %7 : tensor<?x3x?x?xf32>
}

// The difference must stay anyway.
// CHECK-LABEL: @make_layer_norm_refused(
// CHECK-NOT: onnx.LayerNormalization(
// CHECK: return
func.func @make_layer_norm_refused(%x: !t) -> (!t, !t) {
  %axes = onnx.Constant dense<-1> : !axes
  %two = onnx.Constant dense<2.0> : !s
  %epsilon = onnx.Constant dense<1.0e-5> : !s
  %0 = onnx.ReduceMean(%x, %axes) : (!t, !axes) -> !means
  %1 = onnx.Sub(%x, %0) : (!t, !means) -> !t
  %2 = onnx.Pow(%1, %two) : (!t, !s) -> !t
  %3 = onnx.ReduceMean(%2, %axes) : (!t, !axes) -> !means
  %4 = onnx.Add(%3, %epsilon) : (!means, !s) -> !means
  %5 = onnx.Sqrt(%4) : (!means) -> !means
  %6 = onnx.Div(%1, %5) : (!t, !means) -> !t
  return %6, %1 : !t, !t
}

// CHECK-LABEL: @make_layer_norm_of_parts(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-DAG: %[[SCALE:.*]] = onnx.Constant {{.*}}dense<[1.000000e+00, 2.000000e+00]>
// CHECK-DAG: %[[SHIFT:.*]] = onnx.Constant {{.*}}dense<[3.000000e+00, 4.000000e+00]>
// CHECK: %[[Y:.*]] = onnx.LayerNormalization(%[[X]], %[[SCALE]], %[[SHIFT]])
// CHECK-NEXT: return %[[Y]]
func.func @make_layer_norm_of_parts(%x: !t) -> !t {
  %axes = onnx.Constant dense<2> : !axes
  %epsilon = onnx.Constant dense<1.0e-5> : !s
  %scale = onnx.Constant dense<[1.0, 2.0]> : !c
  %shift = onnx.Constant dense<[3.0, 4.0]> : !c
  %mean = onnx.ReduceMean(%x, %axes) : (!t, !axes) -> !means
  %0 = onnx.Sub(%x, %mean) : (!t, !means) -> !t
  %1 = onnx.Mul(%0, %0) : (!t, !t) -> !t
  %2 = onnx.ReduceMean(%1, %axes) : (!t, !axes) -> !means
  %3 = onnx.Add(%2, %epsilon) : (!means, !s) -> !means
  %4 = onnx.Sqrt(%3) : (!means) -> !means
  %5 = onnx.Reciprocal(%4) : (!means) -> !means
  %6 = onnx.Mul(%5, %scale) : (!means, !c) -> !t
  %7 = onnx.Mul(%x, %6) : (!t, !t) -> !t
  %8 = onnx.Mul(%mean, %6) : (!means, !t) -> !t
  %9 = onnx.Sub(%shift, %8) : (!c, !t) -> !t
  %10 = onnx.Add(%7, %9) : (!t, !t) -> !t
  return %10 : !t
}

// Another mean is scaled.
// CHECK-LABEL: @make_layer_norm_of_parts_refused(
// CHECK-NOT: onnx.LayerNormalization(
// CHECK: return
func.func @make_layer_norm_of_parts_refused(%x: !t, %other: !means) -> !t {
  %axes = onnx.Constant dense<2> : !axes
  %epsilon = onnx.Constant dense<1.0e-5> : !s
  %scale = onnx.Constant dense<[1.0, 2.0]> : !c
  %shift = onnx.Constant dense<[3.0, 4.0]> : !c
  %mean = onnx.ReduceMean(%x, %axes) : (!t, !axes) -> !means
  %0 = onnx.Sub(%x, %mean) : (!t, !means) -> !t
  %1 = onnx.Mul(%0, %0) : (!t, !t) -> !t
  %2 = onnx.ReduceMean(%1, %axes) : (!t, !axes) -> !means
  %3 = onnx.Add(%2, %epsilon) : (!means, !s) -> !means
  %4 = onnx.Sqrt(%3) : (!means) -> !means
  %5 = onnx.Reciprocal(%4) : (!means) -> !means
  %6 = onnx.Mul(%5, %scale) : (!means, !c) -> !t
  %7 = onnx.Mul(%x, %6) : (!t, !t) -> !t
  %8 = onnx.Mul(%other, %6) : (!means, !t) -> !t
  %9 = onnx.Sub(%shift, %8) : (!c, !t) -> !t
  %10 = onnx.Add(%7, %9) : (!t, !t) -> !t
  return %10 : !t
}

// CHECK-LABEL: @make_rms_norm(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK: %[[SCALE:.*]] = onnx.Constant {{.*}}dense<[1.000000e+00, 2.000000e+00]>
// CHECK: %[[Y:.*]] = onnx.RMSNormalization(%[[X]], %[[SCALE]]) {epsilon = 9.99999997E-7 : f32}
// CHECK-NEXT: return %[[Y]]
// OLD-LABEL: @make_rms_norm(
// OLD: onnx.Sqrt(
func.func @make_rms_norm(%x: !t) -> !t {
  %axes = onnx.Constant dense<-1> : !axes
  %two = onnx.Constant dense<2.0> : !s
  %one = onnx.Constant dense<1.0> : !s
  %epsilon = onnx.Constant dense<1.0e-6> : !s
  %scale = onnx.Constant dense<[1.0, 2.0]> : !c
  %0 = onnx.Pow(%x, %two) : (!t, !s) -> !t
  %1 = onnx.ReduceMean(%0, %axes) : (!t, !axes) -> !means
  %2 = onnx.Add(%1, %epsilon) : (!means, !s) -> !means
  %3 = onnx.Sqrt(%2) : (!means) -> !means
  %4 = onnx.Div(%one, %3) : (!s, !means) -> !means
  %5 = onnx.Mul(%x, %4) : (!t, !means) -> !t
  %6 = onnx.Mul(%scale, %5) : (!c, !t) -> !t
  return %6 : !t
}

// The first axis is not among the last ones.
// CHECK-LABEL: @make_rms_norm_refused(
// CHECK: onnx.Sqrt(
func.func @make_rms_norm_refused(%x: !t) -> !t {
  %axes = onnx.Constant dense<0> : !axes
  %epsilon = onnx.Constant dense<1.0e-6> : !s
  %0 = onnx.Mul(%x, %x) : (!t, !t) -> !t
  %1 = onnx.ReduceMean(%0, %axes) : (!t, !axes) -> tensor<1x4x2xf32>
  %2 = onnx.Add(%1, %epsilon) : (tensor<1x4x2xf32>, !s) -> tensor<1x4x2xf32>
  %3 = onnx.Sqrt(%2) : (tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  %4 = onnx.Div(%x, %3) : (!t, tensor<1x4x2xf32>) -> !t
  return %4 : !t
}

// CHECK-LABEL: @make_group_norm(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-DAG: %[[ONES:.*]] = onnx.Constant {{.*}}dense<1.000000e+00> : tensor<6xf32>
// CHECK-DAG: %[[ZEROS:.*]] = onnx.Constant {{.*}}dense<0.000000e+00> : tensor<6xf32>
// CHECK: %[[Y:.*]] = onnx.GroupNormalization(%[[X]], %[[ONES]], %[[ZEROS]]) {epsilon = 9.99999974E-5 : f32, num_groups = 3 : i64}
// CHECK-NEXT: return %[[Y]]
// OLD-LABEL: @make_group_norm(
// OLD: onnx.InstanceNormalization(
func.func @make_group_norm(%x: tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32> {
  %ones = onnx.Constant dense<1.0> : tensor<3xf32>
  %zeros = onnx.Constant dense<0.0> : tensor<3xf32>
  %split = onnx.Constant dense<[0, 3, -1]> : tensor<3xi64>
  %whole = onnx.Constant dense<[2, 6, 4, 5]> : tensor<4xi64>
  %0 = onnx.Reshape(%x, %split) : (tensor<2x6x4x5xf32>, tensor<3xi64>) -> tensor<2x3x40xf32>
  %1 = onnx.InstanceNormalization(%0, %ones, %zeros) {epsilon = 1.0e-4 : f32}
      : (tensor<2x3x40xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x40xf32>
  %2 = onnx.Reshape(%1, %whole) : (tensor<2x3x40xf32>, tensor<4xi64>) -> tensor<2x6x4x5xf32>
  return %2 : tensor<2x6x4x5xf32>
}

// Scales differ by group.
// CHECK-LABEL: @make_group_norm_refused(
// CHECK: onnx.InstanceNormalization(
func.func @make_group_norm_refused(%x: tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32> {
  %ones = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %zeros = onnx.Constant dense<0.0> : tensor<3xf32>
  %split = onnx.Constant dense<[0, 3, -1]> : tensor<3xi64>
  %whole = onnx.Constant dense<[2, 6, 4, 5]> : tensor<4xi64>
  %0 = onnx.Reshape(%x, %split) : (tensor<2x6x4x5xf32>, tensor<3xi64>) -> tensor<2x3x40xf32>
  %1 = onnx.InstanceNormalization(%0, %ones, %zeros)
      : (tensor<2x3x40xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x40xf32>
  %2 = onnx.Reshape(%1, %whole) : (tensor<2x3x40xf32>, tensor<4xi64>) -> tensor<2x6x4x5xf32>
  return %2 : tensor<2x6x4x5xf32>
}

// CHECK-LABEL: @drop_norm_casts(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK: %[[ONES:.*]] = onnx.Constant {{.*}}dense<1.000000e+00> : tensor<2xf16>
// CHECK-NEXT: %[[Y:.*]] = onnx.LayerNormalization(%[[X]], %[[ONES]])
// CHECK-NEXT: return %[[Y]]
func.func @drop_norm_casts(%x: tensor<?x2xf16>) -> tensor<?x2xf16> {
  %ones = onnx.Constant dense<1.0> : !c
  %0 = onnx.Cast(%x) {to = 1 : i64} : (tensor<?x2xf16>) -> tensor<?x2xf32>
  %1 = onnx.LayerNormalization(%0, %ones) : (tensor<?x2xf32>, !c) -> tensor<?x2xf32>
  %2 = onnx.Cast(%1) {to = 10 : i64} : (tensor<?x2xf32>) -> tensor<?x2xf16>
  return %2 : tensor<?x2xf16>
}

// A scale is applied after rounding there.
// CHECK-LABEL: @drop_norm_casts_refused(
// CHECK-COUNT-2: onnx.Cast(
func.func @drop_norm_casts_refused(%x: tensor<?x2xf16>) -> tensor<?x2xf16> {
  %scale = onnx.Constant dense<[1.0, 2.0]> : !c
  %0 = onnx.Cast(%x) {to = 1 : i64} : (tensor<?x2xf16>) -> tensor<?x2xf32>
  %1 = onnx.LayerNormalization(%0, %scale) : (tensor<?x2xf32>, !c) -> tensor<?x2xf32>
  %2 = onnx.Cast(%1) {to = 10 : i64} : (tensor<?x2xf32>) -> tensor<?x2xf16>
  return %2 : tensor<?x2xf16>
}

// CHECK-LABEL: @fuse_norm_scale(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-DAG: %[[SCALE:.*]] = onnx.Constant {{.*}}dense<[3.000000e+00, 8.000000e+00]>
// CHECK-DAG: %[[SHIFT:.*]] = onnx.Constant {{.*}}dense<[1.500000e+01, 2.400000e+01]>
// CHECK: %[[Y:.*]] = onnx.LayerNormalization(%[[X]], %[[SCALE]], %[[SHIFT]])
// CHECK-NEXT: return %[[Y]]
func.func @fuse_norm_scale(%x: !t) -> !t {
  %s = onnx.Constant dense<[1.0, 2.0]> : !c
  %b = onnx.Constant dense<[5.0, 6.0]> : !c
  %c = onnx.Constant dense<[[[3.0, 4.0]]]> : tensor<1x1x2xf32>
  %0 = onnx.LayerNormalization(%x, %s, %b) : (!t, !c, !c) -> !t
  %1 = onnx.Mul(%0, %c) : (!t, tensor<1x1x2xf32>) -> !t
  return %1 : !t
}

// CHECK-LABEL: @fuse_norm_scale_of_channels(
// CHECK: %[[SCALE:.*]] = onnx.Constant {{.*}}dense<[3.000000e+00, 8.000000e+00]>
// CHECK: onnx.InstanceNormalization(%{{.*}}, %[[SCALE]],
// CHECK-NOT: onnx.Mul(
func.func @fuse_norm_scale_of_channels(%x: tensor<?x2x?xf32>) -> tensor<?x2x?xf32> {
  %s = onnx.Constant dense<[1.0, 2.0]> : !c
  %b = onnx.Constant dense<0.0> : !c
  %c = onnx.Constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %0 = onnx.InstanceNormalization(%x, %s, %b) : (tensor<?x2x?xf32>, !c, !c) -> tensor<?x2x?xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<?x2x?xf32>, tensor<2x1xf32>) -> tensor<?x2x?xf32>
  return %1 : tensor<?x2x?xf32>
}

// The factors do not lie along the normalized axis.
// CHECK-LABEL: @fuse_norm_scale_refused(
// CHECK: onnx.Mul(
func.func @fuse_norm_scale_refused(%x: !t) -> !t {
  %s = onnx.Constant dense<[1.0, 2.0]> : !c
  %c = onnx.Constant dense<[[3.0], [4.0], [5.0], [6.0]]> : tensor<4x1xf32>
  %0 = onnx.LayerNormalization(%x, %s) : (!t, !c) -> !t
  %1 = onnx.Mul(%0, %c) : (!t, tensor<4x1xf32>) -> !t
  return %1 : !t
}

// CHECK-LABEL: @fuse_norm_shift(
// CHECK-SAME: %[[X:[^:]*]]: {{.*}}, %[[B:[^:]*]]: tensor<2xf32>
// CHECK: onnx.LayerNormalization(%[[X]], %{{.*}}, %[[B]])
// CHECK-NOT: onnx.Add(
// CHECK: return
func.func @fuse_norm_shift(%x: !t, %b: !c) -> !t {
  %s = onnx.Constant dense<[1.0, 2.0]> : !c
  %0 = onnx.LayerNormalization(%x, %s) : (!t, !c) -> !t
  %1 = onnx.Add(%b, %0) : (!c, !t) -> !t
  return %1 : !t
}

// An RMSNormalization takes no shift.
// CHECK-LABEL: @fuse_norm_shift_refused(
// CHECK: onnx.Add(
func.func @fuse_norm_shift_refused(%x: !t) -> !t {
  %s = onnx.Constant dense<[1.0, 2.0]> : !c
  %b = onnx.Constant dense<[3.0, 4.0]> : !c
  %0 = onnx.RMSNormalization(%x, %s) : (!t, !c) -> !t
  %1 = onnx.Add(%0, %b) : (!t, !c) -> !t
  return %1 : !t
}

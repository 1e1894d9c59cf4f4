// RUN: invar-opt --invar-decompose --split-input-file %s | FileCheck %s

// CHECK-LABEL: @decompose_sum(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:{{.*}} %[[Z:[^:]*]]:
func.func @decompose_sum(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[X]], %[[Y]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[ADD]], %[[Z]])
  // CHECK: return %[[ADD2]]
  %0 = onnx.Sum(%x, %y, %z) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_mean(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[Y:[^:]*]]:{{.*}} %[[Z:[^:]*]]:
func.func @decompose_mean(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[X]], %[[Y]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[ADD]], %[[Z]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<3.000000e+00>
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[ADD2]], %[[NUMBER]])
  // CHECK: return %[[DIV]]
  %0 = onnx.Mean(%x, %y, %z) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// The type of the number to divide by is not known.
// CHECK-LABEL: @decompose_mean_refused(
func.func @decompose_mean_refused(%x: !onnx.unknown, %y: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.Mean(
  %0 = onnx.Mean(%x, %y) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// CHECK-LABEL: @decompose_clip(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[LEAST:[^:]*]]:{{.*}} %[[MOST:[^:]*]]:
func.func @decompose_clip(%x: tensor<2x3xf32>, %least: tensor<f32>, %most: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK: %[[MAX:.*]] = onnx.Max(%[[X]], %[[LEAST]])
  // CHECK: %[[MIN:.*]] = onnx.Min(%[[MAX]], %[[MOST]])
  // CHECK: return %[[MIN]]
  %0 = onnx.Clip(%x, %least, %most) : (tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_clip_of_one_side(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[MOST:[^:]*]]:
func.func @decompose_clip_of_one_side(%x: tensor<2x3xf32>, %most: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK: %[[MIN:.*]] = onnx.Min(%[[X]], %[[MOST]])
  // CHECK: return %[[MIN]]
  %0 = onnx.Clip(%x, _, %most) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_l1(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_l1(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: %[[ABS:.*]] = onnx.Abs(%[[X]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[ABS]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: return %[[REDUCE_SUM]]
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.ReduceL1(%x, %axes) {keepdims = 0} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @decompose_l2(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_l2(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[X]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[MUL]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[REDUCE_SUM]])
  // CHECK: return %[[SQRT]]
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.ReduceL2(%x, %axes) {keepdims = 0} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @decompose_log_sum(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_log_sum(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[X]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: %[[LOG:.*]] = onnx.Log(%[[REDUCE_SUM]])
  // CHECK: return %[[LOG]]
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.ReduceLogSum(%x, %axes) {keepdims = 0} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// The maximum is kept from being infinite.
// CHECK-LABEL: @decompose_log_sum_exp(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_log_sum_exp(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: %[[REDUCE_MAX:.*]] = onnx.ReduceMax(%[[X]], %{{.*}})
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<-3.40282347E+38>
  // CHECK: %[[MAX:.*]] = onnx.Max(%[[REDUCE_MAX]], %[[NUMBER]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<3.40282347E+38>
  // CHECK: %[[MIN:.*]] = onnx.Min(%[[MAX]], %[[NUMBER2]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[X]], %[[MIN]])
  // CHECK: %[[EXP:.*]] = onnx.Exp(%[[SUB]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[EXP]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: %[[REDUCE_MAX2:.*]] = onnx.ReduceMax(%[[MIN]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: %[[LOG:.*]] = onnx.Log(%[[REDUCE_SUM]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[LOG]], %[[REDUCE_MAX2]])
  // CHECK: return %[[ADD]]
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.ReduceLogSumExp(%x, %axes) {keepdims = 0} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @decompose_sum_square(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_sum_square(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[X]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[MUL]], %{{.*}}) {keepdims = 0 : i64}
  // CHECK: return %[[REDUCE_SUM]]
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.ReduceSumSquare(%x, %axes) {keepdims = 0} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A root is one of floats.
// CHECK-LABEL: @decompose_l2_of_integers(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_l2_of_integers(%x: tensor<2x3xi32>) -> tensor<i32> {
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[X]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[MUL]]) {keepdims = 0 : i64}
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[REDUCE_SUM]]) {to = 1 : i64}
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[CAST]])
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[SQRT]]) {to = 6 : i64}
  // CHECK: return %[[CAST2]]
  %0 = onnx.ReduceL2(%x) {keepdims = 0} : (tensor<2x3xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK-LABEL: @decompose_l2_refused(
func.func @decompose_l2_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.ReduceL2(
  %0 = onnx.ReduceL2(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// Narrow floats are summed as wide ones.
// CHECK-LABEL: @decompose_log_sum_exp_of_narrow(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_log_sum_exp_of_narrow(%x: tensor<2x3xbf16>) -> tensor<1x1xbf16> {
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[X]]) {to = 1 : i64}
  // CHECK: %[[REDUCE_MAX:.*]] = onnx.ReduceMax(%[[CAST]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<-3.40282347E+38>
  // CHECK: %[[MAX:.*]] = onnx.Max(%[[REDUCE_MAX]], %[[NUMBER]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<3.40282347E+38>
  // CHECK: %[[MIN:.*]] = onnx.Min(%[[MAX]], %[[NUMBER2]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[CAST]], %[[MIN]])
  // CHECK: %[[EXP:.*]] = onnx.Exp(%[[SUB]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[EXP]])
  // CHECK: %[[LOG:.*]] = onnx.Log(%[[REDUCE_SUM]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[LOG]], %[[MIN]])
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[ADD]]) {to = 16 : i64}
  // CHECK: return %[[CAST2]]
  %0 = onnx.ReduceLogSumExp(%x) : (tensor<2x3xbf16>) -> tensor<1x1xbf16>
  return %0 : tensor<1x1xbf16>
}

// -----

// CHECK-LABEL: @decompose_log_sum_exp_refused(
func.func @decompose_log_sum_exp_refused(%x: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.ReduceLogSumExp(
  %0 = onnx.ReduceLogSumExp(%x) : (!onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// RUN: invar-opt --invar-decompose --split-input-file %s | FileCheck %s

// CHECK-LABEL: @decompose_likelihood(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[TARGET:[^:]*]]:
func.func @decompose_likelihood(%x: tensor<2x5x3xf32>, %target: tensor<2x3xi64>) -> tensor<f32> {
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[TARGET]], %{{.*}})
  // CHECK: %[[GATHER_ELEMENTS:.*]] = onnx.GatherElements(%[[X]], %[[UNSQUEEZE]]) {axis = 1 : i64}
  // CHECK: %[[SQUEEZE:.*]] = onnx.Squeeze(%[[GATHER_ELEMENTS]], %{{.*}})
  // CHECK: %[[NEG:.*]] = onnx.Neg(%[[SQUEEZE]])
  // CHECK: %[[REDUCE_MEAN:.*]] = onnx.ReduceMean(%[[NEG]]) {keepdims = 0 : i64}
  // CHECK: return %[[REDUCE_MEAN]]
  %0 = onnx.NegativeLogLikelihoodLoss(%x, %target) : (tensor<2x5x3xf32>, tensor<2x3xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What is ignored weighs nothing, and need not be an index.
// CHECK-LABEL: @decompose_likelihood_with_weights(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[TARGET:[^:]*]]:{{.*}} %[[WEIGHT:[^:]*]]:
func.func @decompose_likelihood_with_weights(%x: tensor<2x5xf32>, %target: tensor<2xi32>, %weight: tensor<5xf32>) -> tensor<f32> {
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<-1>
  // CHECK: %[[EQUAL:.*]] = onnx.Equal(%[[TARGET]], %[[NUMBER]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<0>
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[EQUAL]], %[[NUMBER2]], %[[TARGET]])
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[WHERE]], %{{.*}})
  // CHECK: %[[GATHER_ELEMENTS:.*]] = onnx.GatherElements(%[[X]], %[[UNSQUEEZE]]) {axis = 1 : i64}
  // CHECK: %[[SQUEEZE:.*]] = onnx.Squeeze(%[[GATHER_ELEMENTS]], %{{.*}})
  // CHECK: %[[NEG:.*]] = onnx.Neg(%[[SQUEEZE]])
  // CHECK: %[[GATHER:.*]] = onnx.Gather(%[[WEIGHT]], %[[WHERE]]) {axis = 0 : i64}
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[WHERE2:.*]] = onnx.Where(%[[EQUAL]], %[[ZERO]], %[[GATHER]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[NEG]], %[[WHERE2]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[MUL]]) {keepdims = 0 : i64}
  // CHECK: %[[REDUCE_SUM2:.*]] = onnx.ReduceSum(%[[WHERE2]]) {keepdims = 0 : i64}
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[REDUCE_SUM]], %[[REDUCE_SUM2]])
  // CHECK: return %[[DIV]]
  %0 = onnx.NegativeLogLikelihoodLoss(%x, %target, %weight) {ignore_index = -1 : i64} : (tensor<2x5xf32>, tensor<2xi32>, tensor<5xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @decompose_cross_entropy(
// CHECK-SAME: %[[SCORES:[^:]*]]:{{.*}} %[[LABELS:[^:]*]]:
func.func @decompose_cross_entropy(%scores: tensor<2x5xf32>, %labels: tensor<2xi64>) -> (tensor<f32>, tensor<2x5xf32>) {
  // CHECK: %[[LOG_SOFTMAX:.*]] = onnx.LogSoftmax(%[[SCORES]]) {axis = 1 : i64}
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[LABELS]], %{{.*}})
  // CHECK: %[[GATHER_ELEMENTS:.*]] = onnx.GatherElements(%[[LOG_SOFTMAX]], %[[UNSQUEEZE]]) {axis = 1 : i64}
  // CHECK: %[[SQUEEZE:.*]] = onnx.Squeeze(%[[GATHER_ELEMENTS]], %{{.*}})
  // CHECK: %[[NEG:.*]] = onnx.Neg(%[[SQUEEZE]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[NEG]]) {keepdims = 0 : i64}
  // CHECK: return %[[REDUCE_SUM]], %[[LOG_SOFTMAX]]
  %0:2 = onnx.SoftmaxCrossEntropyLoss(%scores, %labels) {reduction = "sum"} : (tensor<2x5xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<2x5xf32>)
  return %0#0, %0#1 : tensor<f32>, tensor<2x5xf32>
}

// -----

// CHECK-LABEL: @decompose_dynamic_quantize(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_dynamic_quantize(%x: tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) {
  // CHECK: %[[REDUCE_MIN:.*]] = onnx.ReduceMin(%[[X]]) {keepdims = 0 : i64}
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[MIN:.*]] = onnx.Min(%[[REDUCE_MIN]], %[[ZERO]])
  // CHECK: %[[REDUCE_MAX:.*]] = onnx.ReduceMax(%[[X]]) {keepdims = 0 : i64}
  // CHECK: %[[ZERO2:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[MAX:.*]] = onnx.Max(%[[REDUCE_MAX]], %[[ZERO2]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[MAX]], %[[MIN]])
  // CHECK: %[[ZERO3:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[EQUAL:.*]] = onnx.Equal(%[[SUB]], %[[ZERO3]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<2.550000e+02>
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SUB]], %[[NUMBER]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[EQUAL]], %[[ONE]], %[[DIV]])
  // CHECK: %[[DIV2:.*]] = onnx.Div(%[[MIN]], %[[WHERE]])
  // CHECK: %[[ZERO4:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[SUB2:.*]] = onnx.Sub(%[[ZERO4]], %[[DIV2]])
  // CHECK: %[[ZERO5:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[MAX2:.*]] = onnx.Max(%[[SUB2]], %[[ZERO5]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<2.550000e+02>
  // CHECK: %[[MIN2:.*]] = onnx.Min(%[[MAX2]], %[[NUMBER2]])
  // CHECK: %[[ROUND:.*]] = onnx.Round(%[[MIN2]])
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[ROUND]]) {to = 2 : i64}
  // CHECK: %[[QUANTIZE_LINEAR:.*]] = onnx.QuantizeLinear(%[[X]], %[[WHERE]], %[[CAST]])
  // CHECK: return %[[QUANTIZE_LINEAR]], %[[WHERE]], %[[CAST]]
  %0:3 = onnx.DynamicQuantizeLinear(%x) : (tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>)
  return %0#0, %0#1, %0#2 : tensor<2x3xui8>, tensor<f32>, tensor<ui8>
}

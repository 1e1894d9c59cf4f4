// RUN: invar-opt --invar-simplify %s | FileCheck %s
// RUN: invar-opt --invar-simplify=opset=22 %s | FileCheck %s --check-prefix=OLD

!q = tensor<2x3x4x8xf32>
!k = tensor<2x3x5x8xf32>
!kt = tensor<2x3x8x5xf32>
!v = tensor<2x3x5x6xf32>
!scores = tensor<2x3x4x5xf32>
!y = tensor<2x3x4x6xf32>
!s = tensor<f32>

// The scale is shared: 0.5 * 0.25 * 2.
// CHECK-LABEL: @make_attention(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x3x4x8xf32>, %[[K:[^:]*]]: tensor<2x3x5x8xf32>, %[[V:[^:]*]]: tensor<2x3x5x6xf32>, %[[MASK:[^:]*]]: tensor<2x1x4x5xf32>
// CHECK-NEXT: %[[Y:.*]] = onnx.Attention(%[[Q]], %[[K]], %[[V]], %[[MASK]]) {scale = 2.500000e-01 : f32}
// CHECK-NEXT: return %[[Y]]
// OLD-LABEL: @make_attention(
// OLD: onnx.Softmax(
func.func @make_attention(%q: !q, %k: !k, %v: !v, %mask: tensor<2x1x4x5xf32>) -> !y {
  %a = onnx.Constant dense<0.5> : !s
  %b = onnx.Constant dense<0.25> : !s
  %c = onnx.Constant dense<2.0> : !s
  %0 = onnx.Mul(%q, %a) : (!q, !s) -> !q
  %1 = onnx.Mul(%k, %b) : (!k, !s) -> !k
  %2 = onnx.Transpose(%1) {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !kt
  %3 = onnx.MatMul(%0, %2) : (!q, !kt) -> !scores
  %4 = onnx.Mul(%3, %c) : (!scores, !s) -> !scores
  %5 = onnx.Add(%4, %mask) : (!scores, tensor<2x1x4x5xf32>) -> !scores
  %6 = onnx.Softmax(%5) : (!scores) -> !scores
  %7 = onnx.MatMul(%6, %v) : (!scores, !v) -> !y
  return %7 : !y
}

// CHECK-LABEL: @make_attention_of_truths(
// CHECK-SAME: %[[MASK:[^:]*]]: tensor<4x5xi1>
// CHECK: %[[NOT:.*]] = onnx.Not(%[[MASK]])
// CHECK: onnx.Attention(%{{.*}}, %{{.*}}, %{{.*}}, %[[NOT]]) {scale = 1.000000e+00 : f32}
func.func @make_attention_of_truths(%q: !q, %kt: !kt, %v: !v, %mask: tensor<4x5xi1>) -> !y {
  %low = onnx.Constant dense<0xFF800000> : !s
  %0 = onnx.MatMul(%q, %kt) : (!q, !kt) -> !scores
  %1 = onnx.Where(%mask, %low, %0) : (tensor<4x5xi1>, !s, !scores) -> !scores
  %2 = onnx.Softmax(%1) : (!scores) -> !scores
  %3 = onnx.MatMul(%2, %v) : (!scores, !v) -> !y
  return %3 : !y
}

// A mask whose last axis is shorter than the keys means something else there.
// CHECK-LABEL: @make_attention_refused(
// CHECK: onnx.Softmax(
func.func @make_attention_refused(%q: !q, %kt: !kt, %v: !v, %mask: tensor<2x1x4x1xf32>) -> !y {
  %0 = onnx.MatMul(%q, %kt) : (!q, !kt) -> !scores
  %1 = onnx.Add(%0, %mask) : (!scores, tensor<2x1x4x1xf32>) -> !scores
  %2 = onnx.Softmax(%1) : (!scores) -> !scores
  %3 = onnx.MatMul(%2, %v) : (!scores, !v) -> !y
  return %3 : !y
}

// Weights are wanted themselves.
// CHECK-LABEL: @make_attention_refused_used(
// CHECK: onnx.Softmax(
func.func @make_attention_refused_used(%q: !q, %kt: !kt, %v: !v) -> (!y, !scores) {
  %0 = onnx.MatMul(%q, %kt) : (!q, !kt) -> !scores
  %1 = onnx.Softmax(%0) : (!scores) -> !scores
  %2 = onnx.MatMul(%1, %v) : (!scores, !v) -> !y
  return %2, %1 : !y, !scores
}

// A finite number for what does not count leaves something of it.
// CHECK-LABEL: @make_attention_refused_finite(
// CHECK: onnx.Softmax(
func.func @make_attention_refused_finite(%q: !q, %kt: !kt, %v: !v, %mask: tensor<4x5xi1>) -> !y {
  %low = onnx.Constant dense<-1.0e4> : !s
  %0 = onnx.MatMul(%q, %kt) : (!q, !kt) -> !scores
  %1 = onnx.Where(%mask, %0, %low) : (tensor<4x5xi1>, !scores, !s) -> !scores
  %2 = onnx.Softmax(%1) : (!scores) -> !scores
  %3 = onnx.MatMul(%2, %v) : (!scores, !v) -> !y
  return %3 : !y
}

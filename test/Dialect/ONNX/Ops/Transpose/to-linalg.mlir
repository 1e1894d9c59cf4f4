// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @transpose(
// CHECK: linalg.{{generic|transpose}}
// CHECK-NOT: rt.call
func.func @transpose(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Transpose(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// No loop moves strings.
// CHECK-LABEL: @strings(
// CHECK: %[[MOVED:.*]] = linalg.{{generic|transpose}} {{.*}} outs(%{{.*}} : tensor<3x2xi64>)
// CHECK: rt.call "Take"(%[[MOVED]], %arg0)
func.func @strings(%x: tensor<2x3x!elements.string>) -> tensor<*x!elements.string> {
  %0 = onnx.Transpose(%x) {perm = array<i64: 1, 0>} : (tensor<2x3x!elements.string>) -> tensor<*x!elements.string>
  return %0 : tensor<*x!elements.string>
}

// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @join(
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32> {{.*}}, %[[Y:.*]]: tensor<4x?xf32> {{.*}})
// CHECK-NEXT: tensor.concat dim(1) %[[X]], %[[Y]]
func.func @join(%x: tensor<?x3xf32>, %y: tensor<4x?xf32>) -> tensor<*xf32> {
  %0 = onnx.Concat(%x, %y) {axis = -1 : i64} : (tensor<?x3xf32>, tensor<4x?xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// What is empty may have any shape.
// CHECK-LABEL: @empty(
// CHECK-SAME: %{{.*}}: tensor<0xf32> {{.*}}, %[[Y:.*]]: tensor<2x2xf32> {{.*}})
// CHECK-NEXT: return %[[Y]]
func.func @empty(%x: tensor<0xf32>, %y: tensor<2x2xf32>) -> tensor<*xf32> {
  %0 = onnx.Concat(%x, %y) {axis = 0 : i64} : (tensor<0xf32>, tensor<2x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// An empty operand that adds to the size is joined like the others, and must agree with them.
// CHECK-LABEL: @counted(
// CHECK-SAME: %[[X:.*]]: tensor<2x0xf32> {{.*}}, %[[Y:.*]]: tensor<1x0xf32> {{.*}})
// CHECK: tensor.concat dim(0) %[[X]], %[[X]], %[[Y]] : (tensor<2x0xf32>, tensor<2x0xf32>, tensor<1x0xf32>) -> tensor<5x0xf32>
func.func @counted(%x: tensor<2x?xf32>, %y: tensor<1x0xf32>) -> tensor<*xf32> {
  %0 = onnx.Concat(%x, %x, %y) {axis = 0 : i64} : (tensor<2x?xf32>, tensor<2x?xf32>, tensor<1x0xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @strings(
// CHECK: rt.call "Concat"({{.*}}) {axis = 0 : i64}
func.func @strings(%x: tensor<2x!elements.string>) -> tensor<*x!elements.string> {
  %0 = onnx.Concat(%x, %x) {axis = 0 : i64} : (tensor<2x!elements.string>, tensor<2x!elements.string>) -> tensor<*x!elements.string>
  return %0 : tensor<*x!elements.string>
}

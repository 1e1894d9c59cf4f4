// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @add(
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<3xf32>)
// CHECK: arith.addf
func.func @add(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<*xf32> {
  %0 = onnx.Add(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Where a rank is not known, the operands are lists of as many elements as the result has.
// CHECK-LABEL: @open_rank(
// CHECK: %[[LISTS:.*]]:3 = rt.call "Broadcast"(%arg0, %arg1)
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[LISTS]]#0, %[[LISTS]]#1 : tensor<?xf32>, tensor<?xf32>)
// CHECK: rt.call "Reshape"(%[[SUM]], %[[LISTS]]#2) {}
// CHECK-SAME: -> tensor<*xf32>
func.func @open_rank(%x: tensor<*xf32>, %y: tensor<3xf32>) -> tensor<*xf32> {
  %0 = onnx.Add(%x, %y) : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @power_of_open_rank(
// CHECK: rt.call "Broadcast"
func.func @power_of_open_rank(%x: tensor<*xf32>, %y: tensor<3xf32>) -> tensor<*xf32> {
  %0 = onnx.Pow(%x, %y) : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// A square is a product.
// CHECK-LABEL: @square(
// CHECK: arith.mulf
// CHECK-NOT: math.powf
func.func @square(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %two = onnx.Constant dense<2.0> : tensor<f32>
  %0 = onnx.Pow(%x, %two) : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

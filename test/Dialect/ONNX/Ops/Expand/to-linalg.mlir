// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @expand(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x1xf32>) outs(%{{.*}} : tensor<2x3x4xf32>)
func.func @expand(%x: tensor<3x1xf32>) -> tensor<*xf32> {
  %shape = onnx.Constant dense<[2, 1, 4]> : tensor<3xi64>
  %0 = onnx.Expand(%x, %shape) : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// An axis that is repeated is two, which are then seen as one.
// CHECK-LABEL: @tile(
// CHECK: %[[TIMES:.*]] = arith.index_cast
// CHECK: tensor.empty(%[[TIMES]]) : tensor<?x4xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x4xf32>)
// CHECK: tensor.reshape {{.*}} -> tensor<?xf32>
func.func @tile(%x: tensor<4xf32>, %repeats: tensor<1xi64>) -> tensor<*xf32> {
  %0 = onnx.Tile(%x, %repeats) : (tensor<4xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @open_rank(
// CHECK: scf.if
// CHECK: tensor.empty({{.*}}) : tensor<?x?x4xf32>
func.func @open_rank(%x: tensor<4xf32>, %shape: tensor<?xi64>) -> tensor<*xf32> {
  %0 = onnx.Expand(%x, %shape) : (tensor<4xf32>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

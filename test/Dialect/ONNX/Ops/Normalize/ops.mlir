// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @batchnormalization(
func.func @batchnormalization(%X: tensor<2x3x4xf32>, %scale: tensor<3xf32>,
                              %B: tensor<3xf32>, %mean: tensor<3xf32>,
                              %var: tensor<3xf32>) {
  // CHECK: onnx.BatchNormalization(%arg0, %arg1, %arg2, %arg3, %arg4)
  // CHECK-SAME: {epsilon = 9.99999974E-6 : f32}
  // CHECK-SAME: : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
  // CHECK-SAME: tensor<3xf32>)
  // CHECK-SAME: -> tensor<2x3x4xf32>
  %0 = onnx.BatchNormalization(%X, %scale, %B, %mean, %var)
      {epsilon = 9.99999974E-6 : f32}
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: @batchnormalization_2(
func.func @batchnormalization_2(%X: tensor<2x3x4xf32>, %scale: tensor<3xf32>,
                                %B: tensor<3xf32>, %mean: tensor<3xf32>,
                                %var: tensor<3xf32>) {
  // CHECK: onnx.BatchNormalization(%arg0, %arg1, %arg2, %arg3, %arg4)
  // CHECK-SAME: {training_mode = 1 : i64}
  // CHECK-SAME: : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
  // CHECK-SAME: tensor<3xf32>)
  // CHECK-SAME: -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %0:3 = onnx.BatchNormalization(%X, %scale, %B, %mean, %var) {training_mode = 1 : i64}
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: @dropout(
func.func @dropout(%data: tensor<2x3xf32>, %training_mode: tensor<i1>) {
  // CHECK: onnx.Dropout(%arg0, _, %arg1) {seed = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<i1>) -> (tensor<2x3xf32>, tensor<2x3xi1>)
  %0:2 = onnx.Dropout(%data, _, %training_mode) {seed = 1 : i64}
      : (tensor<2x3xf32>, tensor<i1>) -> (tensor<2x3xf32>, tensor<2x3xi1>)
  return
}

// CHECK-LABEL: @groupnormalization(
func.func @groupnormalization(%X: tensor<2x4x3xf32>, %scale: tensor<4xf32>,
                              %bias: tensor<4xf32>) {
  // CHECK: onnx.GroupNormalization(%arg0, %arg1, %arg2)
  // CHECK-SAME: {num_groups = 2 : i64, stash_type = 16 : i64}
  // CHECK-SAME: : (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  %0 = onnx.GroupNormalization(%X, %scale, %bias)
      {num_groups = 2 : i64, stash_type = 16 : i64}
      : (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3xf32>
  return
}

// CHECK-LABEL: @instancenormalization(
func.func @instancenormalization(%input: tensor<2x3x4xf32>, %scale: tensor<3xf32>,
                                 %B: tensor<3xf32>) {
  // CHECK: onnx.InstanceNormalization(%arg0, %arg1, %arg2) {epsilon = 1.000000e-03 : f32}
  // CHECK-SAME: : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  %0 = onnx.InstanceNormalization(%input, %scale, %B) {epsilon = 1.000000e-03 : f32}
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: @lrn(
func.func @lrn(%X: tensor<2x3x4x4xf32>) {
  // CHECK: onnx.LRN(%arg0) {alpha = 1.000000e-03 : f32, size = 3 : i64}
  // CHECK-SAME: : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %0 = onnx.LRN(%X) {alpha = 1.000000e-03 : f32, size = 3 : i64}
      : (tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return
}

// CHECK-LABEL: @layernormalization(
func.func @layernormalization(%X: tensor<2x3xf32>, %Scale: tensor<3xf32>) {
  // CHECK: onnx.LayerNormalization(%arg0, %arg1) {axis = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>)
  // CHECK-SAME: -> (tensor<2x3xf32>, _, tensor<2x1xf32>)
  %0:2 = onnx.LayerNormalization(%X, %Scale) {axis = 1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, _, tensor<2x1xf32>)
  return
}

// CHECK-LABEL: @lpnormalization(
func.func @lpnormalization(%input: tensor<2x3xf32>) {
  // CHECK: onnx.LpNormalization(%arg0) {axis = 0 : i64, p = 1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = onnx.LpNormalization(%input) {axis = 0 : i64, p = 1 : i64}
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @meanvariancenormalization(
func.func @meanvariancenormalization(%X: tensor<2x3x4xf32>) {
  // CHECK: onnx.MeanVarianceNormalization(%arg0) {axes = array<i64: 0, 2>}
  // CHECK-SAME: : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %0 = onnx.MeanVarianceNormalization(%X) {axes = array<i64: 0, 2>}
      : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: @rmsnormalization(
func.func @rmsnormalization(%X: tensor<2x3xf32>, %scale: tensor<3xf32>) {
  // CHECK: onnx.RMSNormalization(%arg0, %arg1) {axis = -1 : i64}
  // CHECK-SAME: : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = onnx.RMSNormalization(%X, %scale) {axis = -1 : i64}
      : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

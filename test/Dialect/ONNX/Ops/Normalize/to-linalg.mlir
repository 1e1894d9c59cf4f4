// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Mean, variance by distances from the mean, and one formula of all.
// CHECK-LABEL: @layer(
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} ins(%arg0, {{.*}}, {{.*}}, %arg1, %arg2 :
// CHECK-NOT: linalg.generic
func.func @layer(%x: tensor<?x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<*xf32> {
  %0 = onnx.LayerNormalization(%x, %s, %b)
      : (tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Statistics that are asked for have the axes, of size 1.
// CHECK-LABEL: @stashed(
// CHECK: tensor.reshape {{.*}} -> tensor<2x1x1xf32>
// CHECK: tensor.reshape {{.*}} -> tensor<2x1x1xf32>
func.func @stashed(%x: tensor<2x3x8xf16>, %s: tensor<8xf16>) -> (tensor<*xf16>, tensor<*xf32>, tensor<*xf32>) {
  %0, %1, %2 = onnx.LayerNormalization(%x, %s) {axis = 1 : i64}
      : (tensor<2x3x8xf16>, tensor<8xf16>) -> (tensor<*xf16>, tensor<*xf32>, tensor<*xf32>)
  return %0, %1, %2 : tensor<*xf16>, tensor<*xf32>, tensor<*xf32>
}

// -----

// What is the same for all places is computed before.
// CHECK-LABEL: @batch(
// CHECK: linalg.generic {{.*}}["parallel"]} ins(%arg1, %arg4
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg3, {{.*}}, %arg2
// CHECK-NOT: math.sqrt
func.func @batch(%x: tensor<1x4x5x5xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<*xf32> {
  %0 = onnx.BatchNormalization(%x, %s, %b, %m, %v)
      : (tensor<1x4x5x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @group(
// CHECK: tensor.reshape %arg0{{.*}} -> tensor<1x2x2x5xf32>
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction", "reduction"]}
// CHECK: tensor.reshape {{.*}} -> tensor<1x4x5xf32>
func.func @group(%x: tensor<1x4x5xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<*xf32> {
  %0 = onnx.GroupNormalization(%x, %s, %b) {num_groups = 2 : i64}
      : (tensor<1x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @root_mean_square(
// CHECK: arith.mulf
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} ins(%arg0, {{.*}}, %arg1
func.func @root_mean_square(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<*xf32> {
  %0 = onnx.RMSNormalization(%x, %s) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// A window over channels.
// CHECK-DAG: [[X:#.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
// CHECK-LABEL: @local_response(
// CHECK: tensor.pad %arg0 low[0, 1, 0] high[0, 1, 0]
// CHECK: linalg.generic {indexing_maps = [[[X]]
// CHECK: math.powf
func.func @local_response(%x: tensor<1x4x5xf32>) -> tensor<*xf32> {
  %0 = onnx.LRN(%x) {size = 3 : i64} : (tensor<1x4x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @dropout(
// CHECK: return %arg0
func.func @dropout(%x: tensor<4xf32>) -> tensor<*xf32> {
  %0 = onnx.Dropout(%x) : (tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @dropout_in_training(
// CHECK: rt.call impure "Dropout"(%arg0, %{{.*}}, %arg1)
func.func @dropout_in_training(%x: tensor<4xf32>, %t: tensor<i1>) -> tensor<*xf32> {
  %0 = onnx.Dropout(%x, _, %t) : (tensor<4xf32>, tensor<i1>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

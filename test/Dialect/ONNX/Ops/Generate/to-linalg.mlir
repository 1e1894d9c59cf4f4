// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @fill(
// CHECK: %[[SIZE:.*]] = arith.index_cast
// CHECK: tensor.empty(%[[SIZE]]) : tensor<?xi64>
// CHECK: linalg.yield %c3_i64
func.func @fill(%shape: tensor<1xi64>) -> tensor<*xi64> {
  %0 = onnx.ConstantOfShape(%shape) {value = dense<3> : tensor<1xi64>} : (tensor<1xi64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

// CHECK-LABEL: @eye(
// CHECK: %[[PLACE:.*]] = arith.subi
// CHECK: arith.cmpi eq, %[[PLACE]], %c1
func.func @eye(%x: tensor<3x?xf32>) -> tensor<*xf32> {
  %0 = onnx.EyeLike(%x) {k = 1 : i64} : (tensor<3x?xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @one_hot(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x1xi64>) outs(%{{.*}} : tensor<3x?xf16>)
// CHECK: %[[IS_THERE:.*]] = arith.index_castui
// CHECK: tensor.extract %{{.*}}[%[[IS_THERE]]] : tensor<2xf16>
func.func @one_hot(%i: tensor<3xi64>, %depth: tensor<i64>, %values: tensor<2xf16>) -> tensor<*xf16> {
  %0 = onnx.OneHot(%i, %depth, %values) : (tensor<3xi64>, tensor<i64>, tensor<2xf16>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

// -----

// Entries are rounded once.
// CHECK-LABEL: @range(
// CHECK: arith.mulf {{.*}} : f64
// CHECK: arith.truncf {{.*}} : f64 to f32
func.func @range(%start: tensor<f32>, %limit: tensor<f32>, %delta: tensor<f32>) -> tensor<*xf32> {
  %0 = onnx.Range(%start, %limit, %delta) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @fill_of_open_rank(
// CHECK: scf.if
// CHECK: tensor.empty() : tensor<i64>
// CHECK: scf.if
// CHECK: tensor.empty({{.*}}) : tensor<?xi64>
func.func @fill_of_open_rank(%shape: tensor<?xi64>) -> tensor<*xi64> {
  %0 = onnx.ConstantOfShape(%shape) {value = dense<3> : tensor<1xi64>} : (tensor<?xi64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

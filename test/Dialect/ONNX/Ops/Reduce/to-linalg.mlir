// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Rows come first in the nest, wherever the axes are; kept axes are a view.
// CHECK-DAG: [[X:#.+]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-DAG: [[Y:#.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @sum(
// CHECK: linalg.generic {indexing_maps = [[[X]], [[Y]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.addf
// CHECK: tensor.reshape {{.*}} -> tensor<2x1x4xf32>
func.func @sum(%x: tensor<2x3x4xf32>) -> tensor<*xf32> {
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.ReduceSum(%x, %axes) : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @sum_of_all(
// CHECK: linalg.generic {{.*}}["reduction", "reduction"]}
// CHECK: return {{.*}} : tensor<f32>
func.func @sum_of_all(%x: tensor<2x?xf32>) -> tensor<*xf32> {
  %0 = onnx.ReduceSum(%x) {keepdims = 0 : i64} : (tensor<2x?xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Narrow floats are summed as float32. The number of elements is a size.
// CHECK-LABEL: @mean(
// CHECK: %[[SIZE:.+]] = tensor.dim
// CHECK: arith.extf
// CHECK: arith.addf {{.*}} : f32
// CHECK: %[[COUNT:.+]] = arith.index_cast %[[SIZE]]
// CHECK: arith.sitofp %[[COUNT]]
// CHECK: arith.divf {{.*}} : f32
// CHECK: arith.truncf
func.func @mean(%x: tensor<2x?xf16>) -> tensor<*xf16> {
  %axes = onnx.Constant dense<-1> : tensor<1xi64>
  %0 = onnx.ReduceMean(%x, %axes) : (tensor<2x?xf16>, tensor<1xi64>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

// -----

// CHECK-LABEL: @mean_of_integers(
// CHECK: arith.extsi {{.*}} : i32 to i64
// CHECK: arith.divsi {{.*}} : i64
// CHECK: arith.trunci {{.*}} : i64 to i32
func.func @mean_of_integers(%x: tensor<5xi32>) -> tensor<*xi32> {
  %0 = onnx.ReduceMean(%x) : (tensor<5xi32>) -> tensor<*xi32>
  return %0 : tensor<*xi32>
}

// -----

// Of no elements the lowest there is.
// CHECK-LABEL: @max_of_unsigned(
// CHECK: linalg.fill ins(%c0_i8
// CHECK: arith.maxui
func.func @max_of_unsigned(%x: tensor<5xui8>) -> tensor<*xui8> {
  %0 = onnx.ReduceMax(%x) : (tensor<5xui8>) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// -----

// The greatest is taken out of the exponents, and never infinite.
// CHECK-LABEL: @log_sum_exp(
// CHECK: arith.maximumf
// CHECK: arith.maximumf {{.*}}, %cst{{.*}}
// CHECK: arith.minimumf
// CHECK: math.exp
// CHECK: math.log
func.func @log_sum_exp(%x: tensor<2x5xf32>) -> tensor<*xf32> {
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.ReduceLogSumExp(%x, %axes) : (tensor<2x5xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Each axis is two, of which one is 1.
// CHECK-LABEL: @open_axes(
// CHECK: cf.assert {{.*}} "expected axes of its operand"
// CHECK: arith.select
// CHECK: tensor.reshape %arg0{{.*}} -> tensor<?x?x?x?xf32>
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction", "reduction"]}
func.func @open_axes(%x: tensor<2x3xf32>, %axes: tensor<1xi64>) -> tensor<*xf32> {
  %0 = onnx.ReduceSum(%x, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @open_rank(
// CHECK: %[[REST:.*]] = rt.call "Compress"
// CHECK: rt.call "Reshape"(%{{.*}}, %[[REST]])
// CHECK-SAME: -> tensor<*xf32>
func.func @open_rank(%x: tensor<2x3xf32>, %axes: tensor<?xi64>) -> tensor<*xf32> {
  %0 = onnx.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// The element and its place go together; NaN comes first.
// CHECK-LABEL: @arg_max(
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<2xf32>, tensor<2xi64>)
// CHECK: linalg.index 1
// CHECK-DAG: arith.cmpf olt
// CHECK-DAG: arith.cmpf une
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i64
func.func @arg_max(%x: tensor<2x5xf32>) -> tensor<*xi64> {
  %0 = onnx.ArgMax(%x) {axis = 1 : i64} : (tensor<2x5xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

// CHECK-LABEL: @best(
// CHECK: %[[AXIS:.*]] = arith.constant dense<-1> : tensor<1xi64>
// CHECK: rt.call "TopK"(%arg0, %arg1, %[[AXIS]]) {largest = 0 : i64}
func.func @best(%x: tensor<2x5xf32>, %k: tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>) {
  %0, %1 = onnx.TopK(%x, %k) {largest = 0 : i64} : (tensor<2x5xf32>, tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  return %0, %1 : tensor<*xf32>, tensor<*xi64>
}

// -----

// The program chooses the code for the rank. A scalar has no axis, but lists of axes may treat it as a vector.
// CHECK-LABEL: @sum_of_any_rank(
// CHECK: %[[RANK:.*]] = tensor.rank %arg0
// CHECK: %[[IS_MATRIX:.*]] = arith.cmpi eq, %[[RANK]], %c2
// CHECK: cf.assert {{.*}}, "expected 'data' to have a rank of 0, 2, 3, 4
// CHECK: scf.if %[[IS_MATRIX]]
// CHECK: tensor.cast %arg0 : tensor<*xf32> to tensor<?x?xf32>
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]}
func.func @sum_of_any_rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  %axes = onnx.Constant dense<1> : tensor<1xi64>
  %0 = onnx.ReduceSum(%x, %axes) : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @greatest_of_any_rank(
// CHECK: tensor.cast %arg0 : tensor<*xf32> to tensor<?x?x?xf32>
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction"]}
func.func @greatest_of_any_rank(%x: tensor<*xf32>) -> tensor<*xi64> {
  %0 = onnx.ArgMax(%x) {axis = -1 : i64, keepdims = 0 : i64} : (tensor<*xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

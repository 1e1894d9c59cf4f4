// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Four steps that share the loop over rows.
// CHECK-DAG: [[ALL:#.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: [[ROW:#.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @softmax(
// CHECK: linalg.generic {indexing_maps = [[[ALL]], [[ROW]]], iterator_types = ["parallel", "reduction"]}
// CHECK: arith.maximumf
// CHECK: linalg.generic {indexing_maps = [[[ALL]], [[ROW]], [[ALL]]], iterator_types = ["parallel", "parallel"]}
// CHECK: math.exp
// CHECK: linalg.generic {indexing_maps = [[[ALL]], [[ROW]]], iterator_types = ["parallel", "reduction"]}
// CHECK: arith.addf
// CHECK: linalg.generic {indexing_maps = [[[ALL]], [[ROW]], [[ALL]]], iterator_types = ["parallel", "parallel"]}
// CHECK: arith.divf
func.func @softmax(%x: tensor<?x5xf32>) -> tensor<*xf32> {
  %0 = onnx.Softmax(%x) : (tensor<?x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-DAG: [[TURNED:#.+]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-LABEL: @along_another_axis(
// CHECK: linalg.generic {indexing_maps = [[[TURNED]]
func.func @along_another_axis(%x: tensor<2x3x5xf32>) -> tensor<*xf32> {
  %0 = onnx.Softmax(%x) {axis = 1 : i64} : (tensor<2x3x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Each step rounds, but sums are wide.
// CHECK-LABEL: @narrow(
// CHECK: math.exp {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK: arith.addf {{.*}} : f32
func.func @narrow(%x: tensor<2x5xf16>) -> tensor<*xf16> {
  %0 = onnx.Softmax(%x) : (tensor<2x5xf16>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

// -----

// A logarithm for each row.
// CHECK-LABEL: @log_softmax(
// CHECK: math.exp
// CHECK: linalg.generic {{.*}}["parallel"]}
// CHECK: math.log
// CHECK: arith.subf
// CHECK: arith.subf
func.func @log_softmax(%x: tensor<2x5xf32>) -> tensor<*xf32> {
  %0 = onnx.LogSoftmax(%x) : (tensor<2x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @hardmax(
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<2xf32>, tensor<2xi64>)
// CHECK: linalg.index 1
// CHECK: arith.cmpi eq
func.func @hardmax(%x: tensor<2x5xf32>) -> tensor<*xf32> {
  %0 = onnx.Hardmax(%x) : (tensor<2x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

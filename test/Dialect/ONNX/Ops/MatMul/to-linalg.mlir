// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Axes in the order of the result, then those that are summed over; none is moved.
// CHECK-DAG: [[A:#.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: [[B:#.+]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
// CHECK-LABEL: @einsum(
// CHECK: linalg.generic {indexing_maps = [[[A]], [[B]], {{.*}}["parallel", "parallel", "parallel", "reduction"]}
func.func @einsum(%a: tensor<2x3x?xf32>, %b: tensor<4x3x2xf32>) -> tensor<*xf32> {
  %0 = onnx.Einsum(%a, %b) {equation = "bji,kjb->bik"} : (tensor<2x3x?xf32>, tensor<4x3x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-DAG: [[SQUARE:#.+]] = affine_map<(d0, d1) -> (d0, d1, d1)>
// CHECK-LABEL: @trace(
// CHECK: linalg.generic {indexing_maps = [[[SQUARE]]
func.func @trace(%a: tensor<2x3x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Einsum(%a) {equation = "...ii->..."} : (tensor<2x3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @determinant(
// CHECK: rt.call "Det"(%arg0)
func.func @determinant(%a: tensor<2x3x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Det(%a) : (tensor<2x3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// All rows at once, whatever the axes that they stand in.
// CHECK-LABEL: @open_rank(
// CHECK: cf.assert %{{.*}}, "expected rows as long as the columns"
// CHECK: %[[VIEW:.*]] = rt.call "Reshape"(%arg0, %{{.*}})
// CHECK: %[[ROWS:.*]] = tensor.cast %[[VIEW]] : tensor<*xf32> to tensor<?x3xf32>
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %arg1 : tensor<?x3xf32>, tensor<3x4xf32>)
// CHECK: %[[SHAPE:.*]] = tensor.concat dim(0)
// CHECK: rt.call "Reshape"(%{{.*}}, %[[SHAPE]]) {{.*}} -> tensor<*xf32>
func.func @open_rank(%a: tensor<*xf32>, %b: tensor<3x4xf32>) -> tensor<*xf32> {
  %0 = onnx.MatMul(%a, %b) : (tensor<*xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

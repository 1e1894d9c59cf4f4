// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @reshape(
// CHECK: tensor.reshape %arg0{{.*}} -> tensor<6x?xf32>
func.func @reshape(%x: tensor<2x3x?xf32>) -> tensor<*xf32> {
  %shape = onnx.Constant dense<[6, -1]> : tensor<2xi64>
  %0 = onnx.Reshape(%x, %shape) : (tensor<2x3x?xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @open_rank(
// CHECK: %[[LENGTH:.*]] = tensor.dim %arg1
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[LENGTH]], %c1 
// CHECK: cf.assert {{.*}}, "expected 'shape' to have a length of 1, 2, 3
// CHECK: scf.if %[[IS]]
// CHECK: tensor.reshape %arg0{{.*}} -> tensor<?xf32>
func.func @open_rank(%x: tensor<6xf32>, %shape: tensor<?xi64>) -> tensor<*xf32> {
  %0 = onnx.Reshape(%x, %shape) : (tensor<6xf32>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// How many axes come is known, but not which.
// CHECK-LABEL: @open_axes(
// CHECK-COUNT-2: cf.assert {{.*}}, "expected axes from -3 to 2"
// CHECK: cf.assert {{.*}}, "expected different axes"
// CHECK: tensor.reshape %arg0{{.*}} -> tensor<?x?x?xf32>
func.func @open_axes(%x: tensor<2xf32>, %axes: tensor<2xi64>) -> tensor<*xf32> {
  %0 = onnx.Unsqueeze(%x, %axes) : (tensor<2xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Only the program knows which sizes are 1.
// CHECK-LABEL: @squeeze_all(
// CHECK: arith.cmpi ne, %{{.*}}, %c1
// CHECK: %[[SIZES:.*]] = rt.call "Compress"
// CHECK: rt.call "Reshape"(%arg0, %[[SIZES]])
func.func @squeeze_all(%x: tensor<?x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Squeeze(%x) : (tensor<?x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// A listed axis must have size 1, also in a tensor without elements.
// CHECK-LABEL: @squeeze_open_axes(
// CHECK: cf.assert {{.*}}, "expected axes from -2 to 1"
// CHECK: cf.assert {{.*}}, "expected a size of 1 along axis 0"
// CHECK: cf.assert {{.*}}, "expected a size of 1 along axis 1"
// CHECK: tensor.reshape %arg0{{.*}} -> tensor<?xf32>
func.func @squeeze_open_axes(%x: tensor<?x3xf32>, %axes: tensor<1xi64>) -> tensor<*xf32> {
  %0 = onnx.Squeeze(%x, %axes) : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

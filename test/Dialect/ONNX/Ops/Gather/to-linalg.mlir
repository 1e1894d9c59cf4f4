// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s
// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg=unchecked-indices --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=UNCHECKED

// UNCHECKED-NOT: rt.check_indices

// One index picks a slice, which must be there.
// CHECK-LABEL: @one(
// CHECK: %[[CHECKED:.*]] = rt.check_indices "index" %{{.*}} of(%c4) from_back : tensor<i64>
// CHECK: tensor.extract %[[CHECKED]][]
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}] [8, 1] [1, 1]
// UNCHECKED-LABEL: @one(
// UNCHECKED: {{affine.max|arith.maxsi}}
// UNCHECKED: tensor.extract_slice
// UNCHECKED-NOT: rt.check_indices
func.func @one(%x: tensor<8x4xf32>, %i: tensor<i64>) -> tensor<*xf32> {
  %0 = onnx.Gather(%x, %i) {axis = 1 : i64} : (tensor<8x4xf32>, tensor<i64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// All are looked at before one is read by, and in the loop those that are outside are the
// nearest places.
// CHECK-LABEL: @several(
// CHECK: rt.check_indices "index" %{{.*}} of(%c8) from_back : tensor<2x3xi32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x3x1xi32>) outs(%{{.*}} : tensor<2x3x4xf32>)
// CHECK: ^bb0(%[[INDEX:.*]]: i32,
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[INDEX]]
// CHECK: arith.minsi
// CHECK: %[[FROM:.*]] = arith.maxsi
// CHECK: tensor.extract %{{.*}}[%[[FROM]], %{{.*}}] : tensor<8x4xf32>
func.func @several(%x: tensor<8x4xf32>, %i: tensor<2x3xi32>) -> tensor<*xf32> {
  %0 = onnx.Gather(%x, %i) : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// Constants that are inside need no look.
// CHECK-LABEL: @constant(
// CHECK-NOT: rt.check_indices
func.func @constant(%x: tensor<8x4xf32>) -> tensor<*xf32> {
  %i = onnx.Constant dense<[7, -8]> : tensor<2xi64>
  %0 = onnx.Gather(%x, %i) : (tensor<8x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @constant_outside(
// CHECK: rt.check_indices "index" %{{.*}} of(%c8) from_back : tensor<2xi64>
func.func @constant_outside(%x: tensor<8x4xf32>) -> tensor<*xf32> {
  %i = onnx.Constant dense<[7, 8]> : tensor<2xi64>
  %0 = onnx.Gather(%x, %i) : (tensor<8x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @elements(
// CHECK: cf.assert {{.*}}, "expected no more indices than there are places on axis 0"
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?x3xi64>)
func.func @elements(%x: tensor<8x4xui8>, %i: tensor<?x3xi64>) -> tensor<*xui8> {
  %0 = onnx.GatherElements(%x, %i) {axis = 1 : i64} : (tensor<8x4xui8>, tensor<?x3xi64>) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// -----

// Each index of a tuple is one of its own axis.
// CHECK-LABEL: @tuples(
// CHECK: rt.check_indices "index" %{{.*}} of(%c4, %c5) from_back
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x5x6xf32>)
// CHECK-COUNT-2: tensor.extract %{{.*}} : tensor<3x5x2xi64>
// CHECK: tensor.extract %{{.*}} : tensor<3x4x5x6xf32>
func.func @tuples(%x: tensor<3x4x5x6xf32>, %i: tensor<?x5x2xi64>) -> tensor<*xf32> {
  %0 = onnx.GatherND(%x, %i) {batch_dims = 1 : i64} : (tensor<3x4x5x6xf32>, tensor<?x5x2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @strings(
// CHECK: %[[PLACES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xi64>)
// CHECK: %[[PICKED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2xi64>)
// CHECK: tensor.extract %[[PLACES]]
// CHECK: rt.call "Take"(%[[PICKED]], %arg0)
func.func @strings(%x: tensor<4x!elements.string>, %i: tensor<2xi64>) -> tensor<*x!elements.string> {
  %0 = onnx.Gather(%x, %i) {axis = 0 : i64} : (tensor<4x!elements.string>, tensor<2xi64>) -> tensor<*x!elements.string>
  return %0 : tensor<*x!elements.string>
}

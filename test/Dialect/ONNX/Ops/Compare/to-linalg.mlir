// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Unsigned integers are compared as such.
// CHECK-LABEL: @less(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4xui8>, tensor<1xui8>)
// CHECK: arith.cmpi ult, {{.*}} : i8
func.func @less(%x: tensor<4xui8>, %y: tensor<1xui8>) -> tensor<*xi1> {
  %0 = onnx.Less(%x, %y) : (tensor<4xui8>, tensor<1xui8>) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}

// -----

// CHECK-LABEL: @strings(
// CHECK: rt.call "Equal"(%{{.*}}, %{{.*}}) {} : {{.*}} -> tensor<2xi1>
func.func @strings(%x: tensor<2x!elements.string>, %y: tensor<2x!elements.string>) -> tensor<*xi1> {
  %0 = onnx.Equal(%x, %y) : (tensor<2x!elements.string>, tensor<2x!elements.string>) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}

// -----

// The narrowest floats are asked as wider ones.
// CHECK-LABEL: @is_nan(
// CHECK: %[[WIDE:.*]] = rt.call "Cast"(%{{.*}}) {} : (tensor<3xf8E5M2>) -> tensor<3xf32>
// CHECK: linalg.generic {{.*}} ins(%[[WIDE]]
// CHECK: arith.cmpf une
func.func @is_nan(%x: tensor<3xf8E5M2>) -> tensor<*xi1> {
  %0 = onnx.IsNaN(%x) : (tensor<3xf8E5M2>) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}

// -----

// What broadcasts is read where it is.
// CHECK-LABEL: @where(
// CHECK: linalg.generic
// CHECK: ^bb0(%[[CONDITION:.*]]: i1, %[[X:.*]]: f16, %[[Y:.*]]: f16, %{{.*}}: f16):
// CHECK: arith.select %[[CONDITION]], %[[X]], %[[Y]] : f16
func.func @where(%c: tensor<2x1xi1>, %x: tensor<3xf16>, %y: tensor<f16>) -> tensor<*xf16> {
  %0 = onnx.Where(%c, %x, %y) : (tensor<2x1xi1>, tensor<3xf16>, tensor<f16>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

// -----

// What is asked of each element needs no rank.
// CHECK-LABEL: @is_nan_of_any_rank(
// CHECK: %[[LISTS:.*]]:2 = rt.call "Broadcast"(%{{.*}}) {} : (tensor<*xf32>) -> (tensor<?xf32>, tensor<?xi64>)
// CHECK: %[[TRUTHS:.*]] = linalg.generic {{.*}} ins(%[[LISTS]]#0
// CHECK: arith.cmpf une
// CHECK: rt.call "Reshape"(%[[TRUTHS]], %[[LISTS]]#1) {} : {{.*}} -> tensor<*xi1>
func.func @is_nan_of_any_rank(%x: tensor<*xf32>) -> tensor<*xi1> {
  %0 = onnx.IsNaN(%x) : (tensor<*xf32>) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}

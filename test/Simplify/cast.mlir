// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// CHECK-LABEL: @drop_cast(
func.func @drop_cast(%n: tensor<?xi32>) -> tensor<?xi32> {
  %0 = onnx.Cast(%n) {to = 6 : i64} : (tensor<?xi32>) -> tensor<?xi32>
  // CHECK-NEXT: return %arg0
  return %0 : tensor<?xi32>
}

// -----

// CHECK-LABEL: @drop_cast_refused(
func.func @drop_cast_refused(%n: tensor<?xi32>) -> tensor<?xi64> {
  // CHECK: onnx.Cast(
  %0 = onnx.Cast(%n) {to = 7 : i64} : (tensor<?xi32>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// -----

// There and back again, and over another to a third.
// CHECK-LABEL: @merge_casts(
func.func @merge_casts(%x: tensor<2xf16>) -> (tensor<2xf16>, tensor<2xi64>) {
  // CHECK: %[[DIRECT:.*]] = onnx.Cast(%arg0) {to = 7 : i64}
  %0 = onnx.Cast(%x) {to = 1 : i64} : (tensor<2xf16>) -> tensor<2xf32>
  %1 = onnx.Cast(%0) {to = 10 : i64} : (tensor<2xf32>) -> tensor<2xf16>
  %2 = onnx.Cast(%0) {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi64>
  // CHECK: return %arg0, %[[DIRECT]]
  return %1, %2 : tensor<2xf16>, tensor<2xi64>
}

// -----

// A double that does not fit wraps otherwise than an integer; and the first loses digits.
// CHECK-LABEL: @merge_casts_refused(
func.func @merge_casts_refused(%x: tensor<2xf16>, %n: tensor<2xi32>) -> (tensor<2xi8>, tensor<2xf16>) {
  // CHECK-DAG: %[[DOUBLE:.*]] = onnx.Cast(%arg1) {to = 11 : i64}
  // CHECK-DAG: onnx.Cast(%[[DOUBLE]]) {to = 3 : i64}
  %0 = onnx.Cast(%n) {to = 11 : i64} : (tensor<2xi32>) -> tensor<2xf64>
  %1 = onnx.Cast(%0) {to = 3 : i64} : (tensor<2xf64>) -> tensor<2xi8>
  // CHECK-DAG: %[[INT:.*]] = onnx.Cast(%arg0) {to = 6 : i64}
  // CHECK-DAG: onnx.Cast(%[[INT]]) {to = 10 : i64}
  %2 = onnx.Cast(%x) {to = 6 : i64} : (tensor<2xf16>) -> tensor<2xi32>
  %3 = onnx.Cast(%2) {to = 10 : i64} : (tensor<2xi32>) -> tensor<2xf16>
  return %1, %3 : tensor<2xi8>, tensor<2xf16>
}

// -----

// CHECK-LABEL: @cast_like_to_cast(
func.func @cast_like_to_cast(%x: tensor<2xf32>, %y: tensor<?xi64>) -> tensor<2xi64> {
  // CHECK: onnx.Cast(%arg0) {to = 7 : i64}
  %0 = onnx.CastLike(%x, %y) : (tensor<2xf32>, tensor<?xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// To what is not known.
// CHECK-LABEL: @cast_like_to_cast_refused(
func.func @cast_like_to_cast_refused(%x: tensor<2xf32>, %y: !onnx.unknown) -> !onnx.unknown {
  // CHECK: onnx.CastLike(
  %0 = onnx.CastLike(%x, %y) : (tensor<2xf32>, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Narrow integers are the low bits of wider ones.
// CHECK-LABEL: @to_uint4(
// CHECK: arith.fptosi {{.*}} : f32 to i32
// CHECK: arith.trunci {{.*}} : i32 to i4
func.func @to_uint4(%x: tensor<3xf32>) -> tensor<*xui4> {
  %0 = onnx.Cast(%x) {to = 21 : i64} : (tensor<3xf32>) -> tensor<*xui4>
  return %0 : tensor<*xui4>
}

// -----

// What is past the signed integers is converted below them.
// CHECK-LABEL: @to_uint64(
// CHECK: arith.subf
// CHECK: arith.addi {{.*}}, %c-9223372036854775808_i64
// CHECK: arith.select
func.func @to_uint64(%x: tensor<3xf64>) -> tensor<*xui64> {
  %0 = onnx.Cast(%x) {to = 13 : i64} : (tensor<3xf64>) -> tensor<*xui64>
  return %0 : tensor<*xui64>
}

// -----

// CHECK-LABEL: @to_float8(
// CHECK: rt.call "Cast"(%{{.*}}) {scale_rounding = 0 : i64, wraps = 1 : i64}
func.func @to_float8(%x: tensor<?xf32>) -> tensor<*xf8E4M3FN> {
  %0 = onnx.Cast(%x) {to = 17 : i64, saturate = 0 : i64} : (tensor<?xf32>) -> tensor<*xf8E4M3FN>
  return %0 : tensor<*xf8E4M3FN>
}

// -----

// CHECK-LABEL: @from_string(
// CHECK: rt.call "Cast"({{.*}}) {scale_rounding = 0 : i64, wraps = 0 : i64} : (tensor<2x!elements.string>) -> tensor<2xi64>
func.func @from_string(%x: tensor<2x!elements.string>) -> tensor<*xi64> {
  %0 = onnx.Cast(%x) {to = 7 : i64} : (tensor<2x!elements.string>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

// CHECK-LABEL: @bits(
// CHECK: arith.bitcast {{.*}} : f16 to i16
// CHECK: builtin.unrealized_conversion_cast {{.*}} : i16 to ui16
func.func @bits(%x: tensor<2xf16>) -> tensor<*xui16> {
  %0 = onnx.BitCast(%x) {to = 4 : i64} : (tensor<2xf16>) -> tensor<*xui16>
  return %0 : tensor<*xui16>
}

// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @bitcast(
func.func @bitcast(%input: tensor<2xf32>) {
  // CHECK: onnx.BitCast(%arg0) {to = 6 : i64} : (tensor<2xf32>) -> tensor<2xi32>
  %0 = onnx.BitCast(%input) {to = 6 : i64} : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// CHECK-LABEL: @cast(
func.func @cast(%input: tensor<2xf32>) {
  // CHECK: onnx.Cast(%arg0) {round_mode = "nearest", saturate = 0 : i64, to = 24 : i64}
  // CHECK-SAME: : (tensor<2xf32>) -> tensor<2xf8E8M0FNU>
  %0 = onnx.Cast(%input) {round_mode = "nearest", saturate = 0 : i64, to = 24 : i64}
      : (tensor<2xf32>) -> tensor<2xf8E8M0FNU>
  return
}

// CHECK-LABEL: @cast_2(
func.func @cast_2(%input: !onnx.unknown) {
  // CHECK: onnx.Cast(%arg0) {to = 8 : i64} : (!onnx.unknown) -> !onnx.unknown
  %0 = onnx.Cast(%input) {to = 8 : i64} : (!onnx.unknown) -> !onnx.unknown
  return
}

// CHECK-LABEL: @castlike(
func.func @castlike(%input: tensor<2xf32>, %target_type: tensor<1xf16>) {
  // CHECK: onnx.CastLike(%arg0, %arg1) {saturate = 0 : i64}
  // CHECK-SAME: : (tensor<2xf32>, tensor<1xf16>) -> tensor<2xf16>
  %0 = onnx.CastLike(%input, %target_type) {saturate = 0 : i64}
      : (tensor<2xf32>, tensor<1xf16>) -> tensor<2xf16>
  return
}

// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @cast(
func.func @cast(%x: tensor<?x8xf32, #onnx.dims<"n", "">>, %like: tensor<1xui8>) {
  // CHECK: onnx.Cast({{.*}} -> tensor<?x8xi64, #onnx.dims<"n", "">>
  %0 = onnx.Cast(%x) {to = 7 : i64} : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.CastLike({{.*}} -> tensor<?x8xui8, #onnx.dims<"n", "">>
  %1 = onnx.CastLike(%x, %like)
      : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<1xui8>) -> !onnx.unknown
  // CHECK: onnx.BitCast({{.*}} -> tensor<?x8xi32, #onnx.dims<"n", "">>
  %2 = onnx.BitCast(%x) {to = 6 : i64}
      : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @entries(
func.func @entries(%x: tensor<?x8xf32, #onnx.dims<"n", "">>, %like: tensor<i64>) {
  %sizes = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  %narrow = onnx.Cast(%sizes) {to = 6 : i64} : (!onnx.unknown) -> !onnx.unknown
  %wide = onnx.CastLike(%narrow, %like) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %0 = onnx.ConstantOfShape(%wide) : (!onnx.unknown) -> !onnx.unknown
  // Eight bits hold the 8, but perhaps not the other.
  %small = onnx.Cast(%sizes) {to = 3 : i64} : (!onnx.unknown) -> !onnx.unknown
  %again = onnx.Cast(%small) {to = 7 : i64} : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"y.0", "">>
  %1 = onnx.ConstantOfShape(%again) {onnx.outputs = ["y"]} : (!onnx.unknown) -> !onnx.unknown
  %reals = onnx.Constant dense<[2.9, 3.0, 1.0e+30]> : tensor<3xf32>
  %whole = onnx.Cast(%reals) {to = 7 : i64} : (tensor<3xf32>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<2x3x?xf32, #onnx.dims<"", "", "z.2">>
  %2 = onnx.ConstantOfShape(%whole) {onnx.outputs = ["z"]} : (!onnx.unknown) -> !onnx.unknown
  %numbers = onnx.Constant dense<[0, -5]> : tensor<2xi64>
  %truths = onnx.Cast(%numbers) {to = 9 : i64} : (tensor<2xi64>) -> !onnx.unknown
  %ones = onnx.Cast(%truths) {to = 7 : i64} : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<0x1xf32>
  %3 = onnx.ConstantOfShape(%ones) : (!onnx.unknown) -> !onnx.unknown
  return
}

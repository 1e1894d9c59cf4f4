// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @logic(
func.func @logic(%x: tensor<?x8xi1, #onnx.dims<"n", "">>, %y: tensor<4x1x8xi1>) {
  // CHECK: onnx.And({{.*}} -> tensor<4x?x8xi1, #onnx.dims<"", "n", "">>
  %0 = onnx.And(%x, %y)
      : (tensor<?x8xi1, #onnx.dims<"n", "">>, tensor<4x1x8xi1>) -> !onnx.unknown
  // CHECK: onnx.Not({{.*}} -> tensor<?x8xi1, #onnx.dims<"n", "">>
  %1 = onnx.Not(%x) : (tensor<?x8xi1, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @bits(
func.func @bits(%x: tensor<?x8xui8, #onnx.dims<"n", "">>) {
  // CHECK: onnx.BitwiseNot({{.*}} -> tensor<?x8xui8, #onnx.dims<"n", "">>
  %0 = onnx.BitwiseNot(%x) : (tensor<?x8xui8, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.BitShift({{.*}} -> tensor<?x8xui8, #onnx.dims<"n", "">>
  %1 = onnx.BitShift(%x, %x) {direction = "LEFT"}
      : (tensor<?x8xui8, #onnx.dims<"n", "">>, tensor<?x8xui8, #onnx.dims<"n", "">>)
      -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @entries(
func.func @entries(%x: tensor<?x8xf32, #onnx.dims<"n", "">>) {
  %sizes = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  %ones = onnx.Constant dense<1> : tensor<2xi64>
  %first = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %both = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.And(%first, %both) : (tensor<2xi1>, tensor<i1>) -> !onnx.unknown
  %b = onnx.Where(%a, %sizes, %ones)
      : (!onnx.unknown, !onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x1xf32, #onnx.dims<"n", "">>
  %0 = onnx.ConstantOfShape(%b) : (!onnx.unknown) -> !onnx.unknown
  %c = onnx.Xor(%first, %both) : (tensor<2xi1>, tensor<i1>) -> !onnx.unknown
  %d = onnx.Where(%c, %sizes, %ones)
      : (!onnx.unknown, !onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<1x8xf32>
  %1 = onnx.ConstantOfShape(%d) : (!onnx.unknown) -> !onnx.unknown
  %e = onnx.Not(%c) : (!onnx.unknown) -> !onnx.unknown
  %f = onnx.Or(%e, %c) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %g = onnx.Where(%f, %sizes, %ones)
      : (!onnx.unknown, !onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %2 = onnx.ConstantOfShape(%g) : (!onnx.unknown) -> !onnx.unknown
  return
}

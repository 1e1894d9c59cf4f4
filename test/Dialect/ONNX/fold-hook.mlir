// RUN: invar-opt --canonicalize %s | FileCheck %s

// MLIR's own passes fold what is small, with the same values.
// CHECK-LABEL: @small(
// CHECK-DAG: dense<[5, 7, 9]> : tensor<3xi64>
// CHECK-NOT: onnx.Add
func.func @small() -> tensor<3xi64> {
  %a = onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
  %b = onnx.Constant dense<[4, 5, 6]> : tensor<3xi64>
  %0 = onnx.Add(%a, %b) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// CHECK-LABEL: @sparse(
// CHECK-DAG: dense<[0, -7, 0]> : tensor<3xi64>
// CHECK-NOT: onnx.Neg
func.func @sparse() -> tensor<3xi64> {
  %a = onnx.Constant {sparse_value = #onnx.sparse<dense<7> : tensor<1xi64>
      at dense<1> : tensor<1xi64> in tensor<3xi64>>} : tensor<3xi64>
  %0 = onnx.Neg(%a) : (tensor<3xi64>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// What is big is for those who look at the whole model.
// CHECK-LABEL: @big(
// CHECK: onnx.Expand(
func.func @big() -> tensor<2000xi64> {
  %a = onnx.Constant dense<7> : tensor<1xi64>
  %n = onnx.Constant dense<2000> : tensor<1xi64>
  %0 = onnx.Expand(%a, %n) : (tensor<1xi64>, tensor<1xi64>) -> tensor<2000xi64>
  return %0 : tensor<2000xi64>
}

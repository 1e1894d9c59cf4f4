// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @expand(
func.func @expand() -> (tensor<2x2x3xi8>, tensor<4x3xi8>, tensor<0x3xi8>) {
  %a = onnx.Constant dense<[[1], [2]]> : tensor<2x1xi8>
  // Where the shape says 1, the size stays.
  %shape = onnx.Constant dense<[2, 1, 3]> : tensor<3xi64>
  // CHECK-DAG: dense<{{\[\[\[}}1, 1, 1], [2, 2, 2]], {{\[\[}}1, 1, 1], [2, 2, 2]]]> : tensor<2x2x3xi8>
  %0 = onnx.Expand(%a, %shape) : (tensor<2x1xi8>, tensor<3xi64>) -> tensor<2x2x3xi8>
  %repeats = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: dense<{{\[\[}}1, 1, 1], [2, 2, 2], [1, 1, 1], [2, 2, 2]]> : tensor<4x3xi8>
  %1 = onnx.Tile(%a, %repeats) : (tensor<2x1xi8>, tensor<2xi64>) -> tensor<4x3xi8>
  %never = onnx.Constant dense<[0, 3]> : tensor<2xi64>
  // CHECK-DAG: dense<> : tensor<0x3xi8>
  %2 = onnx.Tile(%a, %never) : (tensor<2x1xi8>, tensor<2xi64>) -> tensor<0x3xi8>
  return %0, %1, %2 : tensor<2x2x3xi8>, tensor<4x3xi8>, tensor<0x3xi8>
}

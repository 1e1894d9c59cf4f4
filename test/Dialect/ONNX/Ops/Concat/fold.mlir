// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @concat(
func.func @concat() -> (tensor<2x3xi16>, tensor<5x0xf32>) {
  %a = onnx.Constant dense<[[1], [2]]> : tensor<2x1xi16>
  %b = onnx.Constant dense<[[3, 4], [5, 6]]> : tensor<2x2xi16>
  // What is empty may have any shape.
  %none = onnx.Constant dense<[]> : tensor<0xi16>
  // CHECK-DAG: dense<{{\[\[}}1, 3, 4], [2, 5, 6]]> : tensor<2x3xi16>
  %0 = onnx.Concat(%a, %none, %b) {axis = -1 : i64} : (tensor<2x1xi16>, tensor<0xi16>, tensor<2x2xi16>) -> tensor<2x3xi16>
  %c = onnx.Constant dense<> : tensor<2x0xf32>
  %d = onnx.Constant dense<> : tensor<3x0xf32>
  // CHECK-DAG: dense<> : tensor<5x0xf32>
  %1 = onnx.Concat(%c, %d) {axis = 0 : i64} : (tensor<2x0xf32>, tensor<3x0xf32>) -> tensor<5x0xf32>
  return %0, %1 : tensor<2x3xi16>, tensor<5x0xf32>
}

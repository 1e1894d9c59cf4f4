// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @reshape(
func.func @reshape() -> (tensor<3x2xi8>, tensor<1x6xi8>, tensor<2x1x3xi8>, tensor<2x3xi8>) {
  %a = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %shape = onnx.Constant dense<[3, -1]> : tensor<2xi64>
  // CHECK-DAG: dense<{{\[\[}}1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %0 = onnx.Reshape(%a, %shape) : (tensor<2x3xi8>, tensor<2xi64>) -> tensor<3x2xi8>
  // CHECK-DAG: dense<{{\[\[}}1, 2, 3, 4, 5, 6]]> : tensor<1x6xi8>
  %1 = onnx.Flatten(%a) {axis = 0 : i64} : (tensor<2x3xi8>) -> tensor<1x6xi8>
  %axes = onnx.Constant dense<-2> : tensor<1xi64>
  // CHECK-DAG: dense<{{\[\[\[}}1, 2, 3]], {{\[\[}}4, 5, 6]]]> : tensor<2x1x3xi8>
  %2 = onnx.Unsqueeze(%a, %axes) : (tensor<2x3xi8>, tensor<1xi64>) -> tensor<2x1x3xi8>
  // CHECK-DAG: dense<{{\[\[}}1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %3 = onnx.Squeeze(%2, %axes) : (tensor<2x1x3xi8>, tensor<1xi64>) -> tensor<2x3xi8>
  return %0, %1, %2, %3 : tensor<3x2xi8>, tensor<1x6xi8>, tensor<2x1x3xi8>, tensor<2x3xi8>
}

// -----

// CHECK-LABEL: @sizes(
func.func @sizes() -> (tensor<2xi64>, tensor<i64>, tensor<2x1x3x!elements.string>) {
  %a = onnx.Constant dense<"x"> : tensor<2x1x3x!elements.string>
  // CHECK-DAG: dense<[1, 3]> : tensor<2xi64>
  %0 = onnx.Shape(%a) {start = -2 : i64} : (tensor<2x1x3x!elements.string>) -> tensor<2xi64>
  // CHECK-DAG: dense<6> : tensor<i64>
  %1 = onnx.Size(%a) : (tensor<2x1x3x!elements.string>) -> tensor<i64>
  // CHECK-NOT: onnx.Identity
  %2 = onnx.Identity(%a) : (tensor<2x1x3x!elements.string>) -> tensor<2x1x3x!elements.string>
  return %0, %1, %2 : tensor<2xi64>, tensor<i64>, tensor<2x1x3x!elements.string>
}

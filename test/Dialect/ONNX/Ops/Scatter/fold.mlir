// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @scatter(
func.func @scatter() -> (tensor<2x3xi8>, tensor<3xf16>, tensor<2x2xi1>, tensor<3x!elements.string>) {
  %a = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %i = onnx.Constant dense<[[-1], [0]]> : tensor<2x1xi64>
  %u = onnx.Constant dense<[[7], [8]]> : tensor<2x1xi8>
  // CHECK-DAG: dense<{{\[\[}}1, 2, 7], [8, 5, 6]]> : tensor<2x3xi8>
  %0 = onnx.ScatterElements(%a, %i, %u) {axis = 1 : i64} : (tensor<2x3xi8>, tensor<2x1xi64>, tensor<2x1xi8>) -> tensor<2x3xi8>
  // One after the other, each sum is rounded.
  %b = onnx.Constant dense<[2048.0, 1.0, 2.0]> : tensor<3xf16>
  %twice = onnx.Constant dense<[0, 0, 1]> : tensor<3xi64>
  %ones = onnx.Constant dense<1.0> : tensor<3xf16>
  // CHECK-DAG: dense<[2.048000e+03, 2.000000e+00, 2.000000e+00]> : tensor<3xf16>
  %1 = onnx.ScatterElements(%b, %twice, %ones) {reduction = "add"} : (tensor<3xf16>, tensor<3xi64>, tensor<3xf16>) -> tensor<3xf16>
  %c = onnx.Constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %row = onnx.Constant dense<[[0], [-1]]> : tensor<2x1xi64>
  %rows = onnx.Constant dense<[[true, true], [false, true]]> : tensor<2x2xi1>
  // CHECK-DAG: dense<{{\[\[}}true, false], [false, true]]> : tensor<2x2xi1>
  %2 = onnx.ScatterND(%c, %row, %rows) {reduction = "mul"} : (tensor<2x2xi1>, tensor<2x1xi64>, tensor<2x2xi1>) -> tensor<2x2xi1>
  %s = onnx.Constant dense<["a", "b", "c"]> : tensor<3x!elements.string>
  %t = onnx.Constant dense<["y", "z"]> : tensor<2x!elements.string>
  // CHECK-DAG: dense<["ay", "b", "cz"]>
  %3 = onnx.ScatterND(%s, %row, %t) {reduction = "add"} : (tensor<3x!elements.string>, tensor<2x1xi64>, tensor<2x!elements.string>) -> tensor<3x!elements.string>
  return %0, %1, %2, %3 : tensor<2x3xi8>, tensor<3xf16>, tensor<2x2xi1>, tensor<3x!elements.string>
}

// -----

// CHECK-LABEL: @cache(
func.func @cache() -> (tensor<2x3xi8>, tensor<2x3xi8>) {
  %a = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %u = onnx.Constant dense<[[7, 8], [9, 0]]> : tensor<2x2xi8>
  %at = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  // CHECK-DAG: dense<{{\[\[}}8, 2, 7], [4, 9, 0]]>
  %0 = onnx.TensorScatter(%a, %u, %at) {axis = 1 : i64, mode = "circular"} : (tensor<2x3xi8>, tensor<2x2xi8>, tensor<2xi64>) -> tensor<2x3xi8>
  // What runs past the end is left to run time.
  // CHECK-DAG: onnx.TensorScatter({{.*}}) {axis = 1 : i64} :
  %1 = onnx.TensorScatter(%a, %u, %at) {axis = 1 : i64} : (tensor<2x3xi8>, tensor<2x2xi8>, tensor<2xi64>) -> tensor<2x3xi8>
  return %0, %1 : tensor<2x3xi8>, tensor<2x3xi8>
}

// -----

// CHECK-LABEL: @left(
func.func @left() -> (tensor<2xi8>, tensor<1x!elements.string>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi8>
  %past = onnx.Constant dense<2> : tensor<1xi64>
  %u = onnx.Constant dense<3> : tensor<1xi8>
  // CHECK-DAG: onnx.ScatterElements({{.*}}) : (tensor<2xi8>
  %0 = onnx.ScatterElements(%a, %past, %u) : (tensor<2xi8>, tensor<1xi64>, tensor<1xi8>) -> tensor<2xi8>
  %s = onnx.Constant dense<"a"> : tensor<1x!elements.string>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  // Texts have no product.
  // CHECK-DAG: onnx.ScatterElements({{.*}}) {reduction = "mul"}
  %1 = onnx.ScatterElements(%s, %zero, %s) {reduction = "mul"} : (tensor<1x!elements.string>, tensor<1xi64>, tensor<1x!elements.string>) -> tensor<1x!elements.string>
  return %0, %1 : tensor<2xi8>, tensor<1x!elements.string>
}

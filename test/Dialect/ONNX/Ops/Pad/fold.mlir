// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @modes(
func.func @modes() -> (tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>) {
  %a = onnx.Constant dense<[1, 2, 3]> : tensor<3xi8>
  %pads = onnx.Constant dense<[4, 1]> : tensor<2xi64>
  %value = onnx.Constant dense<9> : tensor<i8>
  // CHECK-DAG: dense<[9, 9, 9, 9, 1, 2, 3, 9]>
  %0 = onnx.Pad(%a, %pads, %value) : (tensor<3xi8>, tensor<2xi64>, tensor<i8>) -> tensor<8xi8>
  // The mirrors at both ends see each other.
  // CHECK-DAG: dense<[1, 2, 3, 2, 1, 2, 3, 2]>
  %1 = onnx.Pad(%a, %pads) {mode = "reflect"} : (tensor<3xi8>, tensor<2xi64>) -> tensor<8xi8>
  // CHECK-DAG: dense<[1, 1, 1, 1, 1, 2, 3, 3]>
  %2 = onnx.Pad(%a, %pads) {mode = "edge"} : (tensor<3xi8>, tensor<2xi64>) -> tensor<8xi8>
  // CHECK-DAG: dense<[3, 1, 2, 3, 1, 2, 3, 1]>
  %3 = onnx.Pad(%a, %pads) {mode = "wrap"} : (tensor<3xi8>, tensor<2xi64>) -> tensor<8xi8>
  return %0, %1, %2, %3 : tensor<8xi8>, tensor<8xi8>, tensor<8xi8>, tensor<8xi8>
}

// -----

// CHECK-LABEL: @crops(
func.func @crops() -> (tensor<3x2xi8>, tensor<4xi8>, tensor<2x!elements.string>) {
  %a = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %pads = onnx.Constant dense<[1, -1, 0, 0]> : tensor<4xi64>
  // CHECK-DAG: dense<{{\[\[}}0, 0], [2, 3], [5, 6]]>
  %0 = onnx.Pad(%a, %pads) : (tensor<2x3xi8>, tensor<4xi64>) -> tensor<3x2xi8>
  // What is cropped is not there to be repeated.
  %b = onnx.Constant dense<[1, 2, 3]> : tensor<3xi8>
  %both = onnx.Constant dense<[-1, 2]> : tensor<2xi64>
  // CHECK-DAG: dense<[2, 3, 2, 3]>
  %1 = onnx.Pad(%b, %both) {mode = "wrap"} : (tensor<3xi8>, tensor<2xi64>) -> tensor<4xi8>
  %s = onnx.Constant dense<"s"> : tensor<1x!elements.string>
  %before = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  // CHECK-DAG: dense<["", "s"]>
  %2 = onnx.Pad(%s, %before) : (tensor<1x!elements.string>, tensor<2xi64>) -> tensor<2x!elements.string>
  return %0, %1, %2 : tensor<3x2xi8>, tensor<4xi8>, tensor<2x!elements.string>
}

// -----

// CHECK-LABEL: @left(
func.func @left() -> (tensor<1xi8>, tensor<2xi8>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi8>
  %past = onnx.Constant dense<[-3, 2]> : tensor<2xi64>
  // It crops more than there is.
  // CHECK-DAG: onnx.Pad(%{{.*}}, %{{.*}}) :
  %0 = onnx.Pad(%a, %past) : (tensor<2xi8>, tensor<2xi64>) -> tensor<1xi8>
  %all = onnx.Constant dense<[-2, 2]> : tensor<2xi64>
  // Nothing is left to fill the border with.
  // CHECK-DAG: onnx.Pad(%{{.*}}, %{{.*}}) {mode = "edge"}
  %1 = onnx.Pad(%a, %all) {mode = "edge"} : (tensor<2xi8>, tensor<2xi64>) -> tensor<2xi8>
  return %0, %1 : tensor<1xi8>, tensor<2xi8>
}

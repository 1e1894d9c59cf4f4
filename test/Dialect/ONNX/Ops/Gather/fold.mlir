// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @gather(
func.func @gather() -> (tensor<2x2xi8>, tensor<3xi8>, tensor<2x1xi8>, tensor<2xi8>, tensor<20x!elements.string>) {
  %a = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %i = onnx.Constant dense<[-1, 0]> : tensor<2xi32>
  // CHECK-DAG: dense<{{\[\[}}3, 1], [6, 4]]> : tensor<2x2xi8>
  %0 = onnx.Gather(%a, %i) {axis = 1 : i64} : (tensor<2x3xi8>, tensor<2xi32>) -> tensor<2x2xi8>
  %one = onnx.Constant dense<1> : tensor<i64>
  // CHECK-DAG: dense<[4, 5, 6]> : tensor<3xi8>
  %1 = onnx.Gather(%a, %one) : (tensor<2x3xi8>, tensor<i64>) -> tensor<3xi8>
  %each = onnx.Constant dense<[[-1], [1]]> : tensor<2x1xi64>
  // CHECK-DAG: dense<{{\[\[}}3], [5]]> : tensor<2x1xi8>
  %2 = onnx.GatherElements(%a, %each) {axis = 1 : i64} : (tensor<2x3xi8>, tensor<2x1xi64>) -> tensor<2x1xi8>
  // CHECK-DAG: dense<[3, 5]> : tensor<2xi8>
  %3 = onnx.GatherND(%a, %each) {batch_dims = 1 : i64} : (tensor<2x3xi8>, tensor<2x1xi64>) -> tensor<2xi8>
  // Too many runs to be worth slices.
  %s = onnx.Constant dense<["a", "b", "c"]> : tensor<3x!elements.string>
  %many = onnx.Constant dense<[0, 1, 1, 0, 0, 2, 2, 0, 0, 1, 1, 0, 0, 2, 2, 0, 0, 1, 1, 0]> : tensor<20xi64>
  // CHECK-DAG: dense<["a", "b", "b", "a", "a", "c", "c", "a", "a", "b", "b", "a", "a", "c", "c", "a", "a", "b", "b", "a"]>
  %4 = onnx.Gather(%s, %many) : (tensor<3x!elements.string>, tensor<20xi64>) -> tensor<20x!elements.string>
  return %0, %1, %2, %3, %4 : tensor<2x2xi8>, tensor<3xi8>, tensor<2x1xi8>, tensor<2xi8>, tensor<20x!elements.string>
}

// -----

// CHECK-LABEL: @left(
func.func @left() -> (tensor<1xi8>, tensor<3x1xi8>, tensor<1xi8>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi8>
  %past = onnx.Constant dense<2> : tensor<1xi64>
  // An index that is not there is left to run time.
  // CHECK-DAG: onnx.Gather(
  %0 = onnx.Gather(%a, %past) : (tensor<2xi8>, tensor<1xi64>) -> tensor<1xi8>
  %b = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %rows = onnx.Constant dense<0> : tensor<3x1xi64>
  // So are more rows of indices than there are rows.
  // CHECK-DAG: onnx.GatherElements(
  %1 = onnx.GatherElements(%b, %rows) {axis = 1 : i64} : (tensor<2x2xi8>, tensor<3x1xi64>) -> tensor<3x1xi8>
  %pair = onnx.Constant dense<[[1, -3]]> : tensor<1x2xi64>
  // CHECK-DAG: onnx.GatherND(
  %2 = onnx.GatherND(%b, %pair) : (tensor<2x2xi8>, tensor<1x2xi64>) -> tensor<1xi8>
  return %0, %1, %2 : tensor<1xi8>, tensor<3x1xi8>, tensor<1xi8>
}

// -----

// CHECK-LABEL: @boxes(
func.func @boxes() -> (tensor<?x3xi64>, tensor<?x3xi64>) {
  // The second overlaps the first by half of their union, the third touches it.
  %boxes = onnx.Constant dense<[[[0.0, 0.0, 2.0, 3.0], [2.0, 1.0, 0.0, 4.0], [2.0, 0.0, 3.0, 3.0]]]> : tensor<1x3x4xf32>
  %scores = onnx.Constant dense<[[[0.9, 0.8, 0.9]]]> : tensor<1x1x3xf32>
  %most = onnx.Constant dense<3> : tensor<1xi64>
  %half = onnx.Constant dense<0.5> : tensor<1xf32>
  // Half is not more than half.
  // CHECK-DAG: dense<{{\[\[}}0, 0, 0], [0, 0, 2], [0, 0, 1]]> : tensor<3x3xi64>
  %0 = onnx.NonMaxSuppression(%boxes, %scores, %most, %half)
      : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<?x3xi64>
  %much = onnx.Constant dense<1.5> : tensor<1xf32>
  // More than all is refused at run time.
  // CHECK-DAG: onnx.NonMaxSuppression(
  %1 = onnx.NonMaxSuppression(%boxes, %scores, %most, %much)
      : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<?x3xi64>
  return %0, %1 : tensor<?x3xi64>, tensor<?x3xi64>
}

// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @transpose(
func.func @transpose() -> (tensor<3x2xi8>, tensor<2x1x2x!elements.string>) {
  %a = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  // CHECK-DAG: onnx.Constant {{.*}}dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
  %0 = onnx.Transpose(%a) : (tensor<2x3xi8>) -> tensor<3x2xi8>
  %s = onnx.Constant dense<[[["a", "b"], ["c", "d"]]]> : tensor<1x2x2x!elements.string>
  // CHECK-DAG: onnx.Constant {{.*}}dense<{{\[\[\[}}"a", "b"]], {{\[\[}}"c", "d"]]]>
  %1 = onnx.Transpose(%s) {perm = array<i64: 1, 0, 2>} : (tensor<1x2x2x!elements.string>) -> tensor<2x1x2x!elements.string>
  return %0, %1 : tensor<3x2xi8>, tensor<2x1x2x!elements.string>
}

// -----

// CHECK-LABEL: @blocks(
func.func @blocks() -> (tensor<1x1x2x2xi32>, tensor<1x1x2x4xi32>, tensor<1x4x1x1xi32>) {
  %a = onnx.Constant dense<[[[[1]], [[2]], [[3]], [[4]]]]> : tensor<1x4x1x1xi32>
  // CHECK-DAG: dense<{{\[\[\[\[}}1, 2], [3, 4]]]]>
  %0 = onnx.DepthToSpace(%a) {blocksize = 2 : i64} : (tensor<1x4x1x1xi32>) -> tensor<1x1x2x2xi32>
  %b = onnx.Constant dense<[[[[1, 2]], [[3, 4]], [[5, 6]], [[7, 8]]]]> : tensor<1x4x1x2xi32>
  // CHECK-DAG: dense<{{\[\[\[\[}}1, 3, 2, 4], [5, 7, 6, 8]]]]>
  %1 = onnx.DepthToSpace(%b) {blocksize = 2 : i64, mode = "CRD"} : (tensor<1x4x1x2xi32>) -> tensor<1x1x2x4xi32>
  // CHECK-DAG: dense<{{\[\[\[\[}}1]], {{\[\[}}2]], {{\[\[}}3]], {{\[\[}}4]]]]>
  %2 = onnx.SpaceToDepth(%0) {blocksize = 2 : i64} : (tensor<1x1x2x2xi32>) -> tensor<1x4x1x1xi32>
  return %0, %1, %2 : tensor<1x1x2x2xi32>, tensor<1x1x2x4xi32>, tensor<1x4x1x1xi32>
}

// -----

// CHECK-LABEL: @reverse(
func.func @reverse() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = onnx.Constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %n = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: dense<{{\[\[}}2.000000e+00, 1.000000e+00, 3.000000e+00], [6.000000e+00, 5.000000e+00, 4.000000e+00]]>
  %0 = onnx.ReverseSequence(%a, %n) {batch_axis = 0 : i64, time_axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %m = onnx.Constant dense<[4, 0]> : tensor<2xi64>
  // A length past the end is left to run time.
  // CHECK-DAG: onnx.ReverseSequence(
  %1 = onnx.ReverseSequence(%a, %m) {batch_axis = 0 : i64, time_axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @parts(
func.func @parts() -> (tensor<2x2xi8>, tensor<2x1xi8>, tensor<2x2xi8>, tensor<1x5xi8>) {
  %a = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %start = onnx.Constant dense<-1> : tensor<1xi64>
  %end = onnx.Constant dense<-100> : tensor<1xi64>
  %axis = onnx.Constant dense<1> : tensor<1xi64>
  %step = onnx.Constant dense<-2> : tensor<1xi64>
  // CHECK-DAG: dense<{{\[\[}}3, 1], [6, 4]]> : tensor<2x2xi8>
  %0 = onnx.Slice(%a, %start, %end, %axis, %step)
      : (tensor<2x3xi8>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xi8>
  %sizes = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  // CHECK-DAG: dense<{{\[\[}}1], [4]]> : tensor<2x1xi8>
  // CHECK-DAG: dense<{{\[\[}}2, 3], [5, 6]]> : tensor<2x2xi8>
  %1:2 = onnx.Split(%a, %sizes) {axis = 1 : i64} : (tensor<2x3xi8>, tensor<2xi64>) -> (tensor<2x1xi8>, tensor<2x2xi8>)
  %shape = onnx.Constant dense<[1, 5]> : tensor<2xi64>
  // CHECK-DAG: dense<{{\[\[}}0, 1, 2, 3, 0]]> : tensor<1x5xi8>
  %2 = onnx.CenterCropPad(%a, %shape) : (tensor<2x3xi8>, tensor<2xi64>) -> tensor<1x5xi8>
  return %0, %1#0, %1#1, %2 : tensor<2x2xi8>, tensor<2x1xi8>, tensor<2x2xi8>, tensor<1x5xi8>
}

// -----

// CHECK-LABEL: @triangles(
func.func @triangles() -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = onnx.Constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  // CHECK-DAG: dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [0.000000e+00, 5.000000e+00, 6.000000e+00]]>
  %0 = onnx.Trilu(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %below = onnx.Constant dense<-1> : tensor<i64>
  // CHECK-DAG: dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00], [4.000000e+00, 0.000000e+00, 0.000000e+00]]>
  %1 = onnx.Trilu(%a, %below) {upper = 0 : i64} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  %far = onnx.Constant dense<9223372036854775807> : tensor<i64>
  // CHECK-DAG: dense<0.000000e+00> : tensor<2x3xf32>
  %2 = onnx.Trilu(%a, %far) : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @content(
func.func @content() -> (tensor<?x2xi8>, tensor<?xi8>, tensor<2x?xi64>, tensor<1x?xi64>) {
  %a = onnx.Constant dense<[[1, 0], [3, 4], [0, 6]]> : tensor<3x2xi8>
  // A condition may be longer or shorter than what it chooses from.
  %long = onnx.Constant dense<[false, true, true, true]> : tensor<4xi1>
  // CHECK-DAG: dense<{{\[\[}}3, 4], [0, 6]]> : tensor<2x2xi8>
  %0 = onnx.Compress(%a, %long) {axis = 0 : i64} : (tensor<3x2xi8>, tensor<4xi1>) -> tensor<?x2xi8>
  %short = onnx.Constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK-DAG: dense<[1, 3]> : tensor<2xi8>
  %1 = onnx.Compress(%a, %short) : (tensor<3x2xi8>, tensor<3xi1>) -> tensor<?xi8>
  // CHECK-DAG: dense<{{\[\[}}0, 1, 1, 2], [0, 0, 1, 1]]> : tensor<2x4xi64>
  %2 = onnx.NonZero(%a) : (tensor<3x2xi8>) -> tensor<2x?xi64>
  %s = onnx.Constant dense<-0.5> : tensor<f16>
  // CHECK-DAG: dense<0> : tensor<1x1xi64>
  %3 = onnx.NonZero(%s) : (tensor<f16>) -> tensor<1x?xi64>
  return %0, %1, %2, %3 : tensor<?x2xi8>, tensor<?xi8>, tensor<2x?xi64>, tensor<1x?xi64>
}

// -----

// CHECK-LABEL: @unique(
func.func @unique() -> (tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?x!elements.string>, tensor<2x?xi8>) {
  // NaN is one value, and the last.
  %a = onnx.Constant dense<[2.0, 0x7FC00000, 1.0, 0x7FC00000, 2.0, 2.0]> : tensor<6xf32>
  // CHECK-DAG: dense<[1.000000e+00, 2.000000e+00, 0x7FC00000]> : tensor<3xf32>
  // CHECK-DAG: dense<[2, 0, 1]> : tensor<3xi64>
  // CHECK-DAG: dense<[1, 2, 0, 2, 1, 1]> : tensor<6xi64>
  // CHECK-DAG: dense<[1, 3, 2]> : tensor<3xi64>
  %0:4 = onnx.Unique(%a) : (tensor<6xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  %s = onnx.Constant dense<["b", "a", "b"]> : tensor<3x!elements.string>
  // CHECK-DAG: dense<["b", "a"]>
  %1 = onnx.Unique(%s) {sorted = 0 : i64} : (tensor<3x!elements.string>) -> tensor<?x!elements.string>
  %c = onnx.Constant dense<[[2, 1, 2], [5, 9, 5]]> : tensor<2x3xi8>
  // CHECK-DAG: dense<{{\[\[}}1, 2], [9, 5]]> : tensor<2x2xi8>
  %2 = onnx.Unique(%c) {axis = 1 : i64} : (tensor<2x3xi8>) -> tensor<2x?xi8>
  return %0#0, %0#1, %0#2, %0#3, %1, %2 : tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?x!elements.string>, tensor<2x?xi8>
}

// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @generate(
func.func @generate() -> (tensor<2x3xi8>, tensor<0xf32>, tensor<2x3xf64>) {
  %shape = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: dense<7> : tensor<2x3xi8>
  %0 = onnx.ConstantOfShape(%shape) {value = dense<7> : tensor<1xi8>} : (tensor<2xi64>) -> tensor<2x3xi8>
  %none = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK-DAG: dense<> : tensor<0xf32>
  %1 = onnx.ConstantOfShape(%none) : (tensor<1xi64>) -> tensor<0xf32>
  // CHECK-DAG: dense<{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<2x3xf64>
  %2 = onnx.EyeLike(%0) {dtype = 11 : i64, k = 1 : i64} : (tensor<2x3xi8>) -> tensor<2x3xf64>
  return %0, %1, %2 : tensor<2x3xi8>, tensor<0xf32>, tensor<2x3xf64>
}

// -----

// CHECK-LABEL: @onehot(
func.func @onehot() -> (tensor<4x3x!elements.string>, tensor<3x2xi8>) {
  // Indices that are not there have no hot place.
  %i = onnx.Constant dense<[-1, 0, 3, -4]> : tensor<4xi32>
  %depth = onnx.Constant dense<3.9> : tensor<f32>
  %words = onnx.Constant dense<["off", "on"]> : tensor<2x!elements.string>
  // CHECK-DAG: dense<{{\[\[}}"off", "off", "on"], ["on", "off", "off"], ["off", "off", "off"], ["off", "off", "off"]]>
  %0 = onnx.OneHot(%i, %depth, %words) : (tensor<4xi32>, tensor<f32>, tensor<2x!elements.string>) -> tensor<4x3x!elements.string>
  // Nor does one between two places.
  %between = onnx.Constant dense<[1.0, 1.5]> : tensor<2xf32>
  %numbers = onnx.Constant dense<[2, 5]> : tensor<2xi8>
  // CHECK-DAG: dense<{{\[\[}}2, 2], [5, 2], [2, 2]]> : tensor<3x2xi8>
  %1 = onnx.OneHot(%between, %depth, %numbers) {axis = 0 : i64} : (tensor<2xf32>, tensor<f32>, tensor<2xi8>) -> tensor<3x2xi8>
  return %0, %1 : tensor<4x3x!elements.string>, tensor<3x2xi8>
}

// -----

// CHECK-LABEL: @range(
func.func @range() -> (tensor<3xi16>, tensor<4xf16>, tensor<2xi64>) {
  %a = onnx.Constant dense<10> : tensor<i16>
  %b = onnx.Constant dense<4> : tensor<i16>
  %c = onnx.Constant dense<-2> : tensor<i16>
  // CHECK-DAG: dense<[10, 8, 6]> : tensor<3xi16>
  %0 = onnx.Range(%a, %b, %c) : (tensor<i16>, tensor<i16>, tensor<i16>) -> tensor<3xi16>
  // Each entry is rounded once; 2048 + 1 is no half, but 2048 + 1 + 1 is.
  %d = onnx.Constant dense<2048.0> : tensor<f16>
  %e = onnx.Constant dense<2052.0> : tensor<f16>
  %f = onnx.Constant dense<1.0> : tensor<f16>
  // CHECK-DAG: dense<[2.048000e+03, 2.048000e+03, 2.050000e+03, 2.052000e+03]> : tensor<4xf16>
  %1 = onnx.Range(%d, %e, %f) : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<4xf16>
  // Numbers past a block are counted by blocks.
  %g = onnx.Constant dense<5> : tensor<i64>
  %h = onnx.Constant dense<20000005> : tensor<i64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %2 = onnx.Range(%g, %h, %i) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<20000000xi64>
  %two = onnx.Constant dense<[4096, 19999999]> : tensor<2xi64>
  // CHECK-DAG: dense<[4101, 20000004]> : tensor<2xi64>
  %3 = onnx.Gather(%2, %two) : (tensor<20000000xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %0, %1, %3 : tensor<3xi16>, tensor<4xf16>, tensor<2xi64>
}

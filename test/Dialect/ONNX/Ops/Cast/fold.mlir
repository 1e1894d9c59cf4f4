// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @numbers(
func.func @numbers() -> (tensor<3xi8>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<1xf8E8M0FNU>, tensor<2xi4>) {
  %a = onnx.Constant dense<[1.9, -1.9, 257.0]> : tensor<3xf32>
  // CHECK-DAG: dense<[1, -1, 1]> : tensor<3xi8>
  %0 = onnx.Cast(%a) {to = 3 : i64} : (tensor<3xf32>) -> tensor<3xi8>
  %b = onnx.Constant dense<[1000.0, 0.3]> : tensor<2xf32>
  // CHECK-DAG: dense<[4.480000e+02, 3.125000e-01]> : tensor<2xf8E4M3FN>
  %1 = onnx.Cast(%b) {to = 17 : i64} : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  // CHECK-DAG: dense<[0x7F, 3.125000e-01]> : tensor<2xf8E4M3FN>
  %2 = onnx.Cast(%b) {saturate = 0 : i64, to = 17 : i64} : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  %c = onnx.Constant dense<5.0> : tensor<1xf32>
  // CHECK-DAG: dense<4.000000e+00> : tensor<1xf8E8M0FNU>
  %3 = onnx.Cast(%c) {round_mode = "down", to = 24 : i64} : (tensor<1xf32>) -> tensor<1xf8E8M0FNU>
  %like = onnx.Constant dense<0> : tensor<1xi4>
  %d = onnx.Constant dense<[9, -8]> : tensor<2xi32>
  // CHECK-DAG: dense<[-7, -8]> : tensor<2xi4>
  %4 = onnx.CastLike(%d, %like) : (tensor<2xi32>, tensor<1xi4>) -> tensor<2xi4>
  return %0, %1, %2, %3, %4 : tensor<3xi8>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<1xf8E8M0FNU>, tensor<2xi4>
}

// -----

// CHECK-LABEL: @strings(
func.func @strings() -> (tensor<4x!elements.string>, tensor<2x!elements.string>, tensor<4xf32>, tensor<2xui64>, tensor<1xi8>, tensor<1xf32>, tensor<1xi32>) {
  %a = onnx.Constant dense<[0.1, -0.0, 0xFF800000, 1.0e8]> : tensor<4xf32>
  // CHECK-DAG: dense<["0.1", "-0", "-INF", "1e+08"]>
  %0 = onnx.Cast(%a) {to = 8 : i64} : (tensor<4xf32>) -> tensor<4x!elements.string>
  %b = onnx.Constant dense<[true, false]> : tensor<2xi1>
  // CHECK-DAG: dense<["1", "0"]>
  %1 = onnx.Cast(%b) {to = 8 : i64} : (tensor<2xi1>) -> tensor<2x!elements.string>
  %c = onnx.Constant dense<["1.5", " -2e3 ", "+INF", "nan"]> : tensor<4x!elements.string>
  // CHECK-DAG: dense<[1.500000e+00, -2.000000e+03, 0x7F800000, 0x7FC00000]>
  %2 = onnx.Cast(%c) {to = 1 : i64} : (tensor<4x!elements.string>) -> tensor<4xf32>
  %d = onnx.Constant dense<["18446744073709551615", "+7"]> : tensor<2x!elements.string>
  // CHECK-DAG: dense<[18446744073709551615, 7]> : tensor<2xui64>
  %3 = onnx.Cast(%d) {to = 13 : i64} : (tensor<2x!elements.string>) -> tensor<2xui64>
  // Runtimes differ in numbers that a type cannot hold, and in texts that are none.
  // CHECK-DAG: onnx.Cast({{.*}}) {to = 3 : i64}
  %e = onnx.Constant dense<"128"> : tensor<1x!elements.string>
  %4 = onnx.Cast(%e) {to = 3 : i64} : (tensor<1x!elements.string>) -> tensor<1xi8>
  // CHECK-DAG: onnx.Cast({{.*}}) {to = 1 : i64}
  %f = onnx.Constant dense<"1 apple"> : tensor<1x!elements.string>
  %5 = onnx.Cast(%f) {to = 1 : i64} : (tensor<1x!elements.string>) -> tensor<1xf32>
  // CHECK-DAG: onnx.Cast({{.*}}) {to = 6 : i64}
  %g = onnx.Constant dense<"1.5"> : tensor<1x!elements.string>
  %6 = onnx.Cast(%g) {to = 6 : i64} : (tensor<1x!elements.string>) -> tensor<1xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x!elements.string>, tensor<2x!elements.string>, tensor<4xf32>, tensor<2xui64>, tensor<1xi8>, tensor<1xf32>, tensor<1xi32>
}

// -----

// CHECK-LABEL: @bits(
func.func @bits() -> (tensor<2xi32>, tensor<3xi4>, tensor<2xi1>) {
  %a = onnx.Constant dense<[1.0, -0.0]> : tensor<2xf32>
  // CHECK-DAG: dense<[1065353216, -2147483648]> : tensor<2xi32>
  %0 = onnx.BitCast(%a) {to = 6 : i64} : (tensor<2xf32>) -> tensor<2xi32>
  %b = onnx.Constant dense<[7, 8, 15]> : tensor<3xui4>
  // CHECK-DAG: dense<[7, -8, -1]> : tensor<3xi4>
  %1 = onnx.BitCast(%b) {to = 22 : i64} : (tensor<3xui4>) -> tensor<3xi4>
  %c = onnx.Constant dense<[0, 2]> : tensor<2xui8>
  // CHECK-DAG: dense<[false, true]> : tensor<2xi1>
  %2 = onnx.BitCast(%c) {to = 9 : i64} : (tensor<2xui8>) -> tensor<2xi1>
  return %0, %1, %2 : tensor<2xi32>, tensor<3xi4>, tensor<2xi1>
}

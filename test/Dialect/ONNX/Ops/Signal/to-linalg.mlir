// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @fourier(
// CHECK: rt.call "DFT"(%arg0, %{{.*}}, %arg1) {inverse = 1 : i64} : (tensor<1x8x2xf32>, !rt.none, tensor<i64>) -> tensor<1x8x2xf32>
func.func @fourier(%x: tensor<1x8x2xf32>, %axis: tensor<i64>) -> tensor<*xf32> {
  %0 = onnx.DFT(%x, _, %axis) {inverse = 1 : i64} : (tensor<1x8x2xf32>, tensor<i64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Half floats are computed as single ones.
// CHECK-LABEL: @atanh(
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: math.atanh {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @atanh(%x: tensor<?x3xf16>) -> tensor<*xf16> {
  %0 = onnx.Atanh(%x) : (tensor<?x3xf16>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

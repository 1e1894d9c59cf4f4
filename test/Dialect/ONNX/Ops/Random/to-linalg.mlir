// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// Two draws are two calls, and one that nobody looks at is made, too.
// CHECK-LABEL: @draw(
// CHECK-COUNT-2: rt.call impure "RandomUniform"(%{{.*}}) {high = 2.000000e+00 : f64, low = 0.000000e+00 : f64}
func.func @draw(%x: tensor<?xf32>) -> tensor<*xf32> {
  %0 = onnx.RandomUniformLike(%x) {high = 2.0 : f32} : (tensor<?xf32>) -> tensor<*xf32>
  %1 = onnx.RandomUniformLike(%x) {high = 2.0 : f32} : (tensor<?xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

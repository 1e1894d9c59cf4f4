// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: @join(
// CHECK: rt.call "StringConcat"(%{{.*}}, %{{.*}}) {} : {{.*}} -> tensor<2x!elements.string>
func.func @join(%x: tensor<2x!elements.string>, %y: tensor<1x!elements.string>) -> tensor<*x!elements.string> {
  %0 = onnx.StringConcat(%x, %y) : (tensor<2x!elements.string>, tensor<1x!elements.string>) -> tensor<*x!elements.string>
  return %0 : tensor<*x!elements.string>
}

// -----

func.func @image(%x: tensor<9xui8>) -> tensor<*xui8> {
  // expected-error @+1 {{'ImageDecoder' cannot be compiled: the runtime has no decoders of images}}
  %0 = onnx.ImageDecoder(%x) : (tensor<9xui8>) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @random(
func.func @random(%x: tensor<?x8xf16, #onnx.dims<"n", "">>, %any: !onnx.unknown) {
  // CHECK: onnx.Bernoulli({{.*}} -> tensor<?x8xf16, #onnx.dims<"n", "">>
  %0 = onnx.Bernoulli(%x) : (tensor<?x8xf16, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.RandomNormalLike({{.*}} -> tensor<?x8xf64, #onnx.dims<"n", "">>
  %1 = onnx.RandomNormalLike(%x) {dtype = 11 : i64}
      : (tensor<?x8xf16, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.RandomUniformLike({{.*}} -> tensor<?x8xf16, #onnx.dims<"n", "">>
  %2 = onnx.RandomUniformLike(%x) : (tensor<?x8xf16, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.RandomNormal({{.*}} -> tensor<2x3xf32>
  %3 = onnx.RandomNormal() {shape = array<i64: 2, 3>} : () -> !onnx.unknown
  // CHECK: onnx.RandomUniform({{.*}} -> tensor<f64>
  %4 = onnx.RandomUniform() {dtype = 11 : i64, shape = array<i64>} : () -> !onnx.unknown
  // CHECK: onnx.Multinomial({{.*}} -> tensor<?x5xi32, #onnx.dims<"n", "">>
  %5 = onnx.Multinomial(%x) {sample_size = 5 : i64}
      : (tensor<?x8xf16, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Multinomial({{.*}} -> tensor<?x1xi64, #onnx.dims<"y.0", "">>
  %6 = onnx.Multinomial(%any) {dtype = 7 : i64, onnx.outputs = ["y"]}
      : (!onnx.unknown) -> !onnx.unknown
  return
}

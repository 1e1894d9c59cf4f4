// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// Element by element: the shape and the element type stay.
// CHECK-LABEL: @activations(
func.func @activations(%x: tensor<?x3xf16, #onnx.dims<"n", "">>, %any: tensor<*xf32>) {
  // CHECK: onnx.Relu({{.*}} -> tensor<?x3xf16, #onnx.dims<"n", "">>
  %0 = onnx.Relu(%x) : (tensor<?x3xf16, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Gelu({{.*}} -> tensor<?x3xf16, #onnx.dims<"n", "">>
  %1 = onnx.Gelu(%0) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.Sigmoid({{.*}} -> tensor<*xf32>
  %2 = onnx.Sigmoid(%any) : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @with_two_operands(
func.func @with_two_operands(%x: tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, %slope: tensor<3x1xf32>) {
  // CHECK: onnx.PRelu({{.*}} -> tensor<?x3x4xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.PRelu(%x, %slope) : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, tensor<3x1xf32>) -> !onnx.unknown
  // CHECK: onnx.SwiGLU({{.*}} -> tensor<?x3x4xf32, #onnx.dims<"n", "", "">>
  %1 = onnx.SwiGLU(%x, %x)
      : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  return
}

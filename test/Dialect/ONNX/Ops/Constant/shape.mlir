// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @constant(
func.func @constant() {
  // CHECK: %[[SPARSE:.*]] = onnx.Constant {sparse_value = {{.*}}} : tensor<4xi64>
  %0 = onnx.Constant {sparse_value = #onnx.sparse<dense<7> : tensor<1xi64>
                      at dense<2> : tensor<1xi64> in tensor<4xi64>>} : !onnx.unknown
  // CHECK: onnx.Neg(%[[SPARSE]]) : (tensor<4xi64>) -> tensor<4xi64>
  %1 = onnx.Neg(%0) : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.Constant dense<0.5> : tensor<2x3xf32>
  // CHECK: onnx.Neg({{.*}} -> tensor<2x3xf32>
  %3 = onnx.Neg(%2) : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @sparse_target(
func.func @sparse_target(%x: tensor<?x2x3xf32, #onnx.dims<"n", "", "">>) {
  %0 = onnx.Constant {sparse_value = #onnx.sparse<dense<6> : tensor<1xi64>
                      at dense<1> : tensor<1xi64> in tensor<2xi64>>} : tensor<2xi64>
  // CHECK: onnx.Reshape{{.*}} -> tensor<?x6xf32, #onnx.dims<"n", "">>
  %1 = onnx.Reshape(%x, %0) : (tensor<?x2x3xf32, #onnx.dims<"n", "", "">>, tensor<2xi64>) -> tensor<*xf32>
  return
}

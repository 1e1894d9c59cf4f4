// RUN: invar-opt --invar-infer-shapes %s | FileCheck %s
// RUN: invar-opt --invar-infer-shapes --mlir-print-op-generic %s | invar-opt --invar-infer-shapes | FileCheck %s
// RUN: invar-opt --pass-pipeline='builtin.module(invar-infer-shapes{dim=n=8 shape=w=8x?})' %s | FileCheck %s --check-prefix=FACTS
// RUN: not invar-opt --pass-pipeline='builtin.module(invar-infer-shapes{dim=k=8})' %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: expected a dimension of the inputs, but got 'k'; there are 'n'

// The example in the pass's description.
// CHECK-LABEL: @main(
// CHECK-SAME: -> tensor<4xi64>
// FACTS-LABEL: @main(%arg0: tensor<8x8xf32>
// FACTS-SAME: tensor<8x?xf32, #onnx.dims<"", "w.1">>
func.func @main(%x: tensor<?x8xf32, #onnx.dims<"n", "">>, %w: tensor<?x?xf32> {onnx.name = "w"}) -> tensor<*xi64> {
  // CHECK: onnx.Shape{{.*}} -> tensor<2xi64>
  %1 = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> tensor<*xi64>
  // CHECK: onnx.Concat{{.*}} -> tensor<4xi64>
  %2 = onnx.Concat(%1, %1) {axis = 0 : i64} : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
  return %2 : tensor<*xi64>
}

// What one function learns of a name is not known to another: here n must be 3, there not.
// CHECK-LABEL: @learns(%arg0: tensor<3x3xf32>
func.func @learns(%x: tensor<3x?xf32, #onnx.dims<"", "n">>, %y: tensor<3x4xf32>) {
  // CHECK: onnx.MatMul{{.*}} -> tensor<3x4xf32>
  %0 = onnx.MatMul(%x, %y) : (tensor<3x?xf32, #onnx.dims<"", "n">>, tensor<3x4xf32>) -> tensor<*xf32>
  return
}

// CHECK-LABEL: @knows_not(%arg0: tensor<?xf32, #onnx.dims<"n">>
func.func @knows_not(%x: tensor<?xf32, #onnx.dims<"n">>) {
  // CHECK: onnx.Relu{{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %0 = onnx.Relu(%x) : (tensor<?xf32, #onnx.dims<"n">>) -> tensor<*xf32>
  return
}

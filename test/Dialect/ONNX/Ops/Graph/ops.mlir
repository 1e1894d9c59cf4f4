// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @custom(
func.func @custom(%x: tensor<4xf32>) {
  // CHECK: onnx.Custom "com.example" "Fancy"(%arg0)
  // CHECK-SAME: node_attributes = {alpha = 1.000000e+00 : f32}
  // CHECK-SAME: : (tensor<4xf32>) -> !onnx.unknown
  %0 = onnx.Custom "com.example" "Fancy"(%x)
      {given = array<i1: false, true>, node_attributes = {alpha = 1.0 : f32}}
      : (tensor<4xf32>) -> !onnx.unknown
  // CHECK: onnx.Custom "com.example" "Branch"(%arg0)
  // CHECK-SAME: graph_names = ["body"]
  // CHECK: onnx.Yield(%arg0) : tensor<4xf32>
  %1 = onnx.Custom "com.example" "Branch"(%x) {graph_names = ["body"]}
      : (tensor<4xf32>) -> tensor<4xf32> {
    onnx.Yield(%x) : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: onnx.Function @double
// CHECK-SAME: domain = "com.example"
onnx.Function @double attributes {defaults = {}, domain = "com.example", name = "Double",
    opset_imports = {}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %sum = onnx.Add(%x, %x) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  onnx.Yield(%sum) : !onnx.unknown
}

// CHECK-LABEL: @call(
func.func @call(%x: tensor<4xf32>) {
  // CHECK: onnx.Call @double(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = onnx.Call @double(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

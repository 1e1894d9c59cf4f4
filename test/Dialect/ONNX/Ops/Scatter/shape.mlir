// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @scatter(
func.func @scatter(%x: tensor<?x8xf32, #onnx.dims<"n", "">>, %i: tensor<2x3xi64>,
                   %u: tensor<2x3xf32>, %t: tensor<2x1xi64>, %r: tensor<2x8xf32>) {
  // CHECK: onnx.Scatter({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %0 = onnx.Scatter(%x, %i, %u)
      : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<2x3xi64>, tensor<2x3xf32>) -> !onnx.unknown
  // CHECK: onnx.ScatterElements({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %1 = onnx.ScatterElements(%x, %i, %u)
      : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<2x3xi64>, tensor<2x3xf32>) -> !onnx.unknown
  // CHECK: onnx.ScatterND({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %2 = onnx.ScatterND(%x, %t, %r)
      : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<2x1xi64>, tensor<2x8xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @tensorscatter(
func.func @tensorscatter(%x: tensor<?x8x16x4xf32, #onnx.dims<"n", "", "", "">>,
                         %u: tensor<?x8x1x4xf32, #onnx.dims<"n", "", "", "">>) {
  // CHECK: onnx.TensorScatter({{.*}} -> tensor<?x8x16x4xf32, #onnx.dims<"n", "", "", "">>
  %0 = onnx.TensorScatter(%x, %u)
      : (tensor<?x8x16x4xf32, #onnx.dims<"n", "", "", "">>,
         tensor<?x8x1x4xf32, #onnx.dims<"n", "", "", "">>)
      -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @scatter_entries(
func.func @scatter_entries(%x: tensor<?x8x?xf32, #onnx.dims<"n", "", "m">>,
                           %where: tensor<1xi64>) {
  %sizes = onnx.Shape(%x) : (tensor<?x8x?xf32, #onnx.dims<"n", "", "m">>) -> !onnx.unknown
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.ScatterElements(%sizes, %last, %two)
      : (!onnx.unknown, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8x2xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.ConstantOfShape(%a) : (!onnx.unknown) -> !onnx.unknown
  %b = onnx.ScatterElements(%sizes, %last, %two) {reduction = "mul"}
      : (!onnx.unknown, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8x?xf32, #onnx.dims<"n", "", "2*m">>
  %1 = onnx.ConstantOfShape(%b) : (!onnx.unknown) -> !onnx.unknown
  %tuple = onnx.Constant dense<[[1], [0]]> : tensor<2x1xi64>
  %values = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  %c = onnx.ScatterND(%sizes, %tuple, %values) {reduction = "add"}
      : (!onnx.unknown, tensor<2x1xi64>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x11x?xf32, #onnx.dims<"n + 4", "", "m">>
  %2 = onnx.ConstantOfShape(%c) : (!onnx.unknown) -> !onnx.unknown
  // Any of them may have been replaced.
  %d = onnx.ScatterElements(%sizes, %where, %two)
      : (!onnx.unknown, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"y.0", "y.1", "y.2">>
  %3 = onnx.ConstantOfShape(%d) {onnx.outputs = ["y"]} : (!onnx.unknown) -> !onnx.unknown
  return
}

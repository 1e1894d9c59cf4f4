// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @pad(
func.func @pad(%x: tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, %some: tensor<6xi64>,
               %axis: tensor<1xi64>) {
  %pads = onnx.Constant dense<[1, 0, 2, 0, 3, -4]> : tensor<6xi64>
  // CHECK: onnx.Pad({{.*}} -> tensor<3x?x2xf32, #onnx.dims<"", "n + 3", "">>
  %0 = onnx.Pad(%x, %pads)
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<6xi64>) -> !onnx.unknown
  %row = onnx.Constant dense<[[1, 0, 2, 0, 3, -4]]> : tensor<1x6xi64>
  // CHECK: onnx.Pad({{.*}} -> tensor<3x?x2xf32, #onnx.dims<"", "n + 3", "">>
  %1 = onnx.Pad(%x, %row)
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1x6xi64>) -> !onnx.unknown
  %pair = onnx.Constant dense<[1, -3]> : tensor<2xi64>
  %axes = onnx.Constant dense<-2> : tensor<1xi64>
  // CHECK: onnx.Pad({{.*}} -> tensor<2x?x4xf32, #onnx.dims<"", "n - 2", "">>
  %2 = onnx.Pad(%x, %pair, _, %axes)
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<2xi64>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.Pad({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"y.0", "y.1", "y.2">>
  %3 = onnx.Pad(%x, %some) {onnx.outputs = ["y"]}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<6xi64>) -> !onnx.unknown
  // CHECK: onnx.Pad({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"z.0", "z.1", "z.2">>
  %4 = onnx.Pad(%x, %pair, _, %axis) {onnx.outputs = ["z"]}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<2xi64>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @pad_entries(
func.func @pad_entries(%x: tensor<2x?x4xf32, #onnx.dims<"", "n", "">>) {
  %sizes = onnx.Shape(%x) : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>) -> !onnx.unknown
  %one = onnx.Constant dense<1> : tensor<i64>
  %pads = onnx.Constant dense<[-1, 2]> : tensor<2xi64>
  %a = onnx.Pad(%sizes, %pads, %one)
      : (!onnx.unknown, tensor<2xi64>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x4x1x1xf32, #onnx.dims<"n", "", "", "">>
  %0 = onnx.ConstantOfShape(%a) : (!onnx.unknown) -> !onnx.unknown
  return
}

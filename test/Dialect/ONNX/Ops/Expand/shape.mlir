// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @expand(
func.func @expand(%x: tensor<3x1xf32>, %y: tensor<?x1xf32, #onnx.dims<"n", "">>,
                  %shape: tensor<2xi64>, %any: tensor<?xi64>) {
  %sizes = onnx.Constant dense<[2, 1, 6]> : tensor<3xi64>
  // CHECK: onnx.Expand({{.*}} -> tensor<2x3x6xf32>
  %0 = onnx.Expand(%x, %sizes) : (tensor<3x1xf32>, tensor<3xi64>) -> !onnx.unknown
  // CHECK: onnx.Expand({{.*}} -> tensor<2x?x6xf32, #onnx.dims<"", "n", "">>
  %1 = onnx.Expand(%y, %sizes)
      : (tensor<?x1xf32, #onnx.dims<"n", "">>, tensor<3xi64>) -> !onnx.unknown
  // Beside a 3 there can be only a 3 or a 1.
  // CHECK: onnx.Expand({{.*}} -> tensor<3x?xf32, #onnx.dims<"", "y.1">>
  %2 = onnx.Expand(%x, %shape) {onnx.outputs = ["y"]}
      : (tensor<3x1xf32>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Expand({{.*}} -> tensor<*xf32>
  %3 = onnx.Expand(%x, %any) : (tensor<3x1xf32>, tensor<?xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @expand_to_a_shape(
func.func @expand_to_a_shape(%x: tensor<1x1xf32>, %y: tensor<?x?xf32, #onnx.dims<"n", "m">>) {
  %sizes = onnx.Shape(%y) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> !onnx.unknown
  // CHECK: onnx.Expand({{.*}} -> tensor<?x?xf32, #onnx.dims<"n", "m">>
  %0 = onnx.Expand(%x, %sizes) : (tensor<1x1xf32>, !onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.Expand({{.*}} -> tensor<?x?xf32, #onnx.dims<"n", "m">>
  %1 = onnx.Expand(%y, %sizes)
      : (tensor<?x?xf32, #onnx.dims<"n", "m">>, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @tile(
func.func @tile(%x: tensor<2x?xf32, #onnx.dims<"", "n">>, %times: tensor<2xi64>) {
  %repeats = onnx.Constant dense<[3, 2]> : tensor<2xi64>
  // CHECK: onnx.Tile({{.*}} -> tensor<6x?xf32, #onnx.dims<"", "2*n">>
  %0 = onnx.Tile(%x, %repeats)
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<2xi64>) -> !onnx.unknown
  %sizes = onnx.Shape(%x) : (tensor<2x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.Tile({{.*}} -> tensor<4x?xf32, #onnx.dims<"", "n*n">>
  %1 = onnx.Tile(%x, %sizes)
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, !onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.Tile({{.*}} -> tensor<?x?xf32, #onnx.dims<"y.0", "y.1">>
  %2 = onnx.Tile(%x, %times) {onnx.outputs = ["y"]}
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @entries(
func.func @entries(%x: tensor<?x8xf32, #onnx.dims<"n", "">>) {
  %n = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Expand(%n, %two) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x?xf32, #onnx.dims<"n", "n">>
  %0 = onnx.ConstantOfShape(%a) : (!onnx.unknown) -> !onnx.unknown
  %sizes = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  %b = onnx.Tile(%sizes, %two) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8x?x8xf32, #onnx.dims<"n", "", "n", "">>
  %1 = onnx.ConstantOfShape(%b) : (!onnx.unknown) -> !onnx.unknown
  return
}

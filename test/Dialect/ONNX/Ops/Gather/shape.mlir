// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @gather(
func.func @gather(%x: tensor<?x8x5xf32, #onnx.dims<"n", "", "">>,
                  %i: tensor<2x?xi64, #onnx.dims<"", "m">>, %one: tensor<i64>,
                  %any: !onnx.unknown) {
  // CHECK: onnx.Gather({{.*}} -> tensor<?x2x?x5xf32, #onnx.dims<"n", "", "m", "">>
  %0 = onnx.Gather(%x, %i) {axis = 1 : i64}
      : (tensor<?x8x5xf32, #onnx.dims<"n", "", "">>, tensor<2x?xi64, #onnx.dims<"", "m">>)
      -> !onnx.unknown
  // A scalar takes the axis away.
  // CHECK: onnx.Gather({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %1 = onnx.Gather(%x, %one) {axis = -1 : i64}
      : (tensor<?x8x5xf32, #onnx.dims<"n", "", "">>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.Gather({{.*}} -> tensor<*xf32>
  %2 = onnx.Gather(%x, %any)
      : (tensor<?x8x5xf32, #onnx.dims<"n", "", "">>, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @gather_entries(
func.func @gather_entries(%x: tensor<?x8x?xf32, #onnx.dims<"n", "", "m">>) {
  %sizes = onnx.Shape(%x) : (tensor<?x8x?xf32, #onnx.dims<"n", "", "m">>) -> !onnx.unknown
  %i = onnx.Constant dense<[-1, 0]> : tensor<2xi64>
  %pair = onnx.Gather(%sizes, %i) : (!onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x?xf32, #onnx.dims<"m", "n">>
  %0 = onnx.ConstantOfShape(%pair) : (!onnx.unknown) -> !onnx.unknown
  %tuples = onnx.Constant dense<[[2], [1]]> : tensor<2x1xi64>
  %other = onnx.GatherND(%sizes, %tuples) : (!onnx.unknown, tensor<2x1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"m", "">>
  %1 = onnx.ConstantOfShape(%other) : (!onnx.unknown) -> !onnx.unknown
  %third = onnx.GatherElements(%sizes, %i) : (!onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x?xf32, #onnx.dims<"m", "n">>
  %2 = onnx.ConstantOfShape(%third) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @gather_elements(
func.func @gather_elements(%x: tensor<?x8xf32, #onnx.dims<"n", "">>,
                           %i: tensor<?x3xi64, #onnx.dims<"m", "">>, %any: !onnx.unknown) {
  // CHECK: onnx.GatherElements({{.*}} -> tensor<?x3xf32, #onnx.dims<"m", "">>
  %0 = onnx.GatherElements(%x, %i) {axis = 1 : i64}
      : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<?x3xi64, #onnx.dims<"m", "">>)
      -> !onnx.unknown
  // CHECK: onnx.GatherElements({{.*}} -> tensor<?x?xf32, #onnx.dims<"y.0", "y.1">>
  %1 = onnx.GatherElements(%x, %any) {onnx.outputs = ["y"]}
      : (tensor<?x8xf32, #onnx.dims<"n", "">>, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @gather_nd(
func.func @gather_nd(%x: tensor<?x8x5x4xf32, #onnx.dims<"n", "", "", "">>,
                     %i: tensor<?x3x2xi64, #onnx.dims<"m", "", "">>, %long: tensor<3x?xi64>) {
  // CHECK: onnx.GatherND({{.*}} -> tensor<?x3x5x4xf32, #onnx.dims<"m", "", "", "">>
  %0 = onnx.GatherND(%x, %i)
      : (tensor<?x8x5x4xf32, #onnx.dims<"n", "", "", "">>,
         tensor<?x3x2xi64, #onnx.dims<"m", "", "">>)
      -> !onnx.unknown
  // How many axes go depends on the tuples.
  // CHECK: onnx.GatherND({{.*}} -> tensor<*xf32>
  %1 = onnx.GatherND(%x, %long)
      : (tensor<?x8x5x4xf32, #onnx.dims<"n", "", "", "">>, tensor<3x?xi64>) -> !onnx.unknown
  return
}

// -----

// The axes of a batch are the same in both.
// CHECK-LABEL: @gather_nd_batch(
func.func @gather_nd_batch(%x: tensor<?x8x5xf32, #onnx.dims<"n", "", "">>,
                           %i: tensor<3x2x1xi64>) {
  // CHECK: onnx.GatherND({{.*}} -> tensor<3x2x5xf32>
  %0 = onnx.GatherND(%x, %i) {batch_dims = 1 : i64}
      : (tensor<?x8x5xf32, #onnx.dims<"n", "", "">>, tensor<3x2x1xi64>) -> !onnx.unknown
  // CHECK: onnx.Identity({{.*}} -> tensor<3x8x5xf32>
  %1 = onnx.Identity(%x) : (tensor<?x8x5xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @nonmaxsuppression(
func.func @nonmaxsuppression(%boxes: tensor<1x6x4xf32>, %scores: tensor<1x2x6xf32>) {
  // CHECK: onnx.NonMaxSuppression({{.*}} -> tensor<?x3xi64, #onnx.dims<"chosen.0", "">>
  %0 = onnx.NonMaxSuppression(%boxes, %scores) {onnx.outputs = ["chosen"]}
      : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> !onnx.unknown
  return
}

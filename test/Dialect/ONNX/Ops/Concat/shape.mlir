// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @concat(
func.func @concat(%a: tensor<2x?xf32, #onnx.dims<"", "n">>, %b: tensor<2x3xf32>) {
  // CHECK: onnx.Concat({{.*}} -> tensor<2x6xf32>
  %0 = onnx.Concat(%b, %b) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Concat({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "2*n + 3">>
  %1 = onnx.Concat(%a, %b, %a) {axis = -1 : i64}
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<2x3xf32>, tensor<2x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  return
}

// -----

// The other axes are one size, whoever knows it.
// CHECK-LABEL: @concat_other_axes(
// CHECK-SAME: tensor<2x?xf32, #onnx.dims<"", "k">>, %arg1: tensor<2x3xf32>
func.func @concat_other_axes(%a: tensor<?x?xf32, #onnx.dims<"m", "k">>, %b: tensor<2x3xf32>) {
  // CHECK: onnx.Concat({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "k + 3">>
  %0 = onnx.Concat(%a, %b) {axis = 1 : i64}
      : (tensor<?x?xf32, #onnx.dims<"m", "k">>, tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @concat_unknown(
func.func @concat_unknown(%a: tensor<2x3xf32>, %any: tensor<*xf32>) {
  // CHECK: onnx.Concat({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "c.1">>
  %0 = onnx.Concat(%any, %a) {axis = 1 : i64, onnx.outputs = ["c"]} : (tensor<*xf32>, tensor<2x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Concat({{.*}} -> tensor<*xf32>
  %1 = onnx.Concat(%any, %any) {axis = 1 : i64} : (tensor<*xf32>, tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// Runtimes skip what is empty, whatever its shape.
// CHECK-LABEL: @concat_empty(
func.func @concat_empty(%a: tensor<2x3xf32>, %empty: tensor<0xf32>) {
  // CHECK: onnx.Concat({{.*}} -> tensor<2x3xf32>
  %0 = onnx.Concat(%empty, %a) {axis = 1 : i64} : (tensor<0xf32>, tensor<2x3xf32>) -> !onnx.unknown
  // CHECK: onnx.Concat({{.*}} -> tensor<0xf32>
  %1 = onnx.Concat(%empty, %empty) {axis = 0 : i64} : (tensor<0xf32>, tensor<0xf32>) -> !onnx.unknown
  return
}

// -----

// Entries of shapes are joined as well.
// CHECK-LABEL: @concat_entries(
func.func @concat_entries(%x: tensor<?x?xf32, #onnx.dims<"m", "n">>) {
  %shape = onnx.Shape(%x) : (tensor<?x?xf32, #onnx.dims<"m", "n">>) -> !onnx.unknown
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %target = onnx.Concat(%one, %shape) {axis = 0 : i64} : (tensor<1xi64>, !onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.Reshape({{.*}} -> tensor<1x?x?xf32, #onnx.dims<"", "m", "n">>
  %0 = onnx.Reshape(%x, %target) : (tensor<?x?xf32, #onnx.dims<"m", "n">>, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

// An operand without elements is left out if it adds nothing: its size along the axis is 0, or it has another rank.
// CHECK-LABEL: @concat_counted(
func.func @concat_counted(%a: tensor<2x0xf32>, %b: tensor<1x0xf32>, %c: tensor<0x7xf32>, %d: tensor<3x0x1xf32>) {
  // CHECK: onnx.Concat({{.*}} -> tensor<5x0xf32>
  %0 = onnx.Concat(%a, %c, %a, %d, %b) {axis = 0 : i64}
      : (tensor<2x0xf32>, tensor<0x7xf32>, tensor<2x0xf32>, tensor<3x0x1xf32>, tensor<1x0xf32>) -> !onnx.unknown
  return
}

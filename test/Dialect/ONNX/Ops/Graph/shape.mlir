// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// Each call has its own types; the function's attributes are the call's, or the defaults.

onnx.Function @stack attributes {defaults = {axis = 0 : i64}, domain = "com.example", name = "Stack",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = ["axis"]} {
^bb0(%x: !onnx.unknown):
  %both = onnx.Custom "" "Concat"(%x, %x) {node_attributes = {axis = #onnx.parameter<"axis", 2>},
      reason = "its attributes are parameters of the function"}
      : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  onnx.Yield(%both) : !onnx.unknown
}

// A function that calls itself has no types, and does no harm.
onnx.Function @endless attributes {defaults = {}, domain = "com.example", name = "Endless",
    opset_imports = {}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %y = onnx.Call @endless(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%y) : !onnx.unknown
}

// CHECK-LABEL: @calls(
func.func @calls(%x: tensor<?x4xf32, #onnx.dims<"n", "">>) {
  // CHECK: onnx.Call @stack{{.*}} -> tensor<?x4xf32, #onnx.dims<"2*n", "">>
  %0 = onnx.Call @stack(%x) : (tensor<?x4xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Call @stack{{.*}} -> tensor<?x8xf32, #onnx.dims<"2*n", "">>
  %1 = onnx.Call @stack(%0) {node_attributes = {axis = 1 : i64}} : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.Call @endless{{.*}} -> !onnx.unknown
  %2 = onnx.Call @endless(%x) : (tensor<?x4xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}

// -----

// A size that depends on data is another one in each call.

onnx.Function @find attributes {defaults = {}, domain = "com.example", name = "Find",
    opset_imports = {}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %found = onnx.NonZero(%x) {onnx.outputs = ["found"]} : (!onnx.unknown) -> tensor<*xi64>
  onnx.Yield(%found) : tensor<*xi64>
}

// CHECK-LABEL: @calls_that_find(
func.func @calls_that_find(%x: tensor<4xf32>) {
  // CHECK: onnx.Call @find{{.*}} -> tensor<1x?xi64, #onnx.dims<"", "a.1">>
  %0 = onnx.Call @find(%x) {onnx.outputs = ["a"]} : (tensor<4xf32>) -> !onnx.unknown
  // CHECK: onnx.Call @find{{.*}} -> tensor<1x?xi64, #onnx.dims<"", "b.1">>
  %1 = onnx.Call @find(%x) {onnx.outputs = ["b"]} : (tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

// A node of an older form, which needs a rank, is adapted when the rank is known; one of an
// operator that nobody knows stays as it is.

module attributes {onnx.model = {opset_imports = {ai.onnx = 5 : i64, com.example = 1 : i64}}} {
  // CHECK-LABEL: @late(
  func.func @late(%x: tensor<?x4xf32, #onnx.dims<"n", "">>) {
    %tiles = onnx.Constant dense<3.0> : tensor<1xf32>
    %axis = onnx.Constant dense<1.0> : tensor<1xf32>
    %flat = onnx.Transpose(%x) : (tensor<?x4xf32, #onnx.dims<"n", "">>) -> tensor<*xf32>
    // CHECK: onnx.Tile{{.*}} -> tensor<4x?xf32, #onnx.dims<"", "3*n">>
    %0 = onnx.Custom "" "Tile"(%flat, %tiles, %axis) {reason = "the rank is not known"}
        : (tensor<*xf32>, tensor<1xf32>, tensor<1xf32>) -> !onnx.unknown
    // CHECK: onnx.Custom "com.example" "Fancy"{{.*}} -> !onnx.unknown
    %1 = onnx.Custom "com.example" "Fancy"(%0) : (!onnx.unknown) -> !onnx.unknown
    return
  }
}

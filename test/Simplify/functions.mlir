// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// Rules are for bodies of functions too, whose inputs may be anything. A parameter stays
// one, and a constant is a node.
// CHECK-LABEL: onnx.Function @used
// CHECK: ^bb0(%[[X:.*]]: !onnx.unknown):
// CHECK-NEXT: %[[C:.*]] = onnx.Constant dense<3.000000e+00>
// CHECK-NOT: onnx.initializer
// CHECK-NEXT: %[[N:.*]] = onnx.Custom "" "LeakyRelu"(%[[X]]) {{.*}}#onnx.parameter
// CHECK-NEXT: %[[Y:.*]] = onnx.Mul(%[[N]], %[[C]])
// CHECK-NEXT: onnx.Yield(%[[Y]])
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.Call @used(%x) {node_attributes = {a = 0.5 : f32}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

onnx.Function @used attributes {defaults = {}, domain = "com.example", name = "Used",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = ["a"]} {
^bb0(%x: !onnx.unknown):
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %two = onnx.Constant dense<2.0> : tensor<f32>
  %0 = onnx.Add(%one, %two) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = onnx.Identity(%x) : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.Custom "" "LeakyRelu"(%1) {node_attributes = {alpha = #onnx.parameter<"a", 1>}, reason = "its attribute 'alpha' is a parameter"}
      : (!onnx.unknown) -> !onnx.unknown
  %3 = onnx.Exp(%x) : (!onnx.unknown) -> !onnx.unknown
  %4 = onnx.Mul(%2, %0) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
  onnx.Yield(%4) : !onnx.unknown
}

// -----

// Called by nobody, or by such a one only.
// CHECK-LABEL: @calls_nothing(
// CHECK-NOT: onnx.Function
func.func @calls_nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
onnx.Function @unused attributes {defaults = {}, domain = "com.example", name = "Unused",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Call @inner(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}
onnx.Function @inner attributes {defaults = {}, domain = "com.example", name = "Inner",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Neg(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// -----

// Called from a function that is called from a graph inside of another.
// CHECK-LABEL: @calls_functions(
// CHECK: onnx.Function @outer
// CHECK: onnx.Function @inner
func.func @calls_functions(%x: tensor<2xf32>, %c: tensor<i1>) -> !onnx.unknown {
  %0 = onnx.If(%c) : (tensor<i1>) -> !onnx.unknown {
    %1 = onnx.Call @outer(%x) : (tensor<2xf32>) -> !onnx.unknown
    onnx.Yield(%1) : !onnx.unknown
  } {
    %1 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield(%1) : tensor<2xf32>
  }
  return %0 : !onnx.unknown
}
onnx.Function @outer attributes {defaults = {}, domain = "com.example", name = "Unused",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Call @inner(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}
onnx.Function @inner attributes {defaults = {}, domain = "com.example", name = "Inner",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Neg(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// -----

// CHECK-LABEL: @drop_call(
// CHECK-NOT: onnx.Call
// CHECK-NOT: onnx.Function
func.func @drop_call(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.Call @pure(%x) : (tensor<2xf32>) -> !onnx.unknown
  return %x : tensor<2xf32>
}
onnx.Function @pure attributes {defaults = {}, domain = "com.example", name = "Pure",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Neg(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// -----

// What the node in it does is not known.
// CHECK-LABEL: @drop_call_refused(
// CHECK: onnx.Call
func.func @drop_call_refused(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = onnx.Call @fancy(%x) : (tensor<2xf32>) -> !onnx.unknown
  return %x : tensor<2xf32>
}
onnx.Function @fancy attributes {defaults = {}, domain = "com.example", name = "Fancy",
    opset_imports = {ai.onnx = 18 : i64, "com.fancy" = 1 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Custom "com.fancy" "Fancy"(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @custom_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{(C1) expected 'given' to have 1 true entries, but got 2}}
  %0 = onnx.Custom "com.example" "Fancy"(%x) {given = array<i1: true, true>}
      : (tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

func.func @custom_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{(C2) expected a graph name for each of the 0 regions, but got 1}}
  %0 = onnx.Custom "com.example" "Fancy"(%x) {graph_names = ["body"]}
      : (tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

onnx.Function @double attributes {defaults = {}, domain = "com.example", name = "Double",
    opset_imports = {}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  onnx.Yield(%x) : !onnx.unknown
}

func.func @call_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{(C1) expected 'given' to have 1 true entries, but got 0}}
  %0 = onnx.Call @double(%x) {given = array<i1: false>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @call_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{(C2) expected a function, but there is no 'missing'}}
  %0 = onnx.Call @missing(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the function is here}}
onnx.Function @double attributes {defaults = {}, domain = "com.example", name = "Double",
    opset_imports = {}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  onnx.Yield(%x) : !onnx.unknown
}

func.func @call_c2_b(%x: tensor<4xf32>) {
  // expected-error @+1 {{(C2) expected at most 1 inputs, but got 2}}
  %0 = onnx.Call @double(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// RUN: invar-opt --invar-simplify="enable=inline-functions" --split-input-file %s | FileCheck %s

// The attribute is the call's in the one, the function's own in the other; a function that
// nobody calls any more is gone.
// CHECK-LABEL: @inline_functions(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3xf32>
// CHECK: %[[A:.*]] = onnx.Concat(%[[X]], %[[X]]) {axis = 1 : i64
// CHECK: onnx.Concat(%[[A]], %[[A]]) {axis = 0 : i64
// CHECK-NOT: onnx.Function
func.func @inline_functions(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = onnx.Call @stack(%x) {node_attributes = {axis = 1 : i64}} : (tensor<2x3xf32>) -> !onnx.unknown
  %1 = onnx.Call @stack(%0) : (!onnx.unknown) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

onnx.Function @stack attributes {defaults = {axis = 0 : i64}, domain = "com.example", name = "Stack",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Custom "" "Concat"(%x, %x) {node_attributes = {axis = #onnx.parameter<"axis", 2>}, reason = "its attribute 'axis' is a parameter"}
      : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// -----

// A call inside of a function, whose attribute is a parameter of that function, in a branch.
// CHECK-LABEL: @inline_functions_nested(
// CHECK: onnx.If(
// CHECK: onnx.Concat(%{{.*}}, %{{.*}}) {axis = 1 : i64
// CHECK: onnx.Neg(
// CHECK-NOT: onnx.Function
func.func @inline_functions_nested(%x: tensor<2x3xf32>, %c: tensor<i1>) -> tensor<*xf32> {
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<*xf32> {
    %1 = onnx.Call @outer(%x) {node_attributes = {a = 1 : i64}} : (tensor<2x3xf32>) -> tensor<*xf32>
    onnx.Yield(%1) : tensor<*xf32>
  } {
    %1 = onnx.Abs(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    onnx.Yield(%1) : tensor<2x3xf32>
  }
  return %0 : tensor<*xf32>
}

onnx.Function @outer attributes {defaults = {}, domain = "com.example", name = "Outer",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = ["a"]} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Call @stack(%x) {node_attributes = {axis = #onnx.parameter<"a", 2>}} : (!onnx.unknown) -> !onnx.unknown
  %1 = onnx.Neg(%0) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%1) : !onnx.unknown
}

onnx.Function @stack attributes {defaults = {}, domain = "com.example", name = "Stack",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = ["axis"]} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Custom "" "Concat"(%x, %x) {node_attributes = {axis = #onnx.parameter<"axis", 2>}, reason = "its attribute 'axis' is a parameter"}
      : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// -----

// An input that is left out is left out of the nodes, too.
// CHECK-LABEL: @inline_functions_with_gaps(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2xf32>, %[[MAX:[^:]*]]: tensor<f32>
// CHECK: onnx.Clip(%[[X]], _, %[[MAX]])
func.func @inline_functions_with_gaps(%x: tensor<2xf32>, %max: tensor<f32>) -> tensor<2xf32> {
  %0 = onnx.Call @clip(%x, %max) {given = array<i1: true, false, true>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

onnx.Function @clip attributes {defaults = {}, domain = "com.example", name = "Clip",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown, %min: !onnx.unknown, %max: !onnx.unknown):
  %0 = onnx.Clip(%x, %min, %max) : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// -----

// Names stay apart: those of a body begin with the call's, and a result has the call's own.
// CHECK-LABEL: @inline_functions_names(
// CHECK: onnx.Neg({{.*}}) {onnx.name = "one/neg", onnx.outputs = ["one/t"]}
// CHECK: onnx.Exp({{.*}}) {onnx.outputs = ["y"]}
// CHECK: onnx.Neg({{.*}}) {onnx.name = "two/neg", onnx.outputs = ["two/t"]}
// CHECK: onnx.Exp({{.*}}) {onnx.outputs = ["z"]}
func.func @inline_functions_names(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = onnx.Call @f(%x) {onnx.name = "one", onnx.outputs = ["y"]} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Call @f(%0) {onnx.name = "two", onnx.outputs = ["z"]} : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

onnx.Function @f attributes {defaults = {}, domain = "com.example", name = "F",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Neg(%x) {onnx.name = "neg", onnx.outputs = ["t"]} : (!onnx.unknown) -> !onnx.unknown
  %1 = onnx.Exp(%0) {onnx.outputs = ["u"]} : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%1) : !onnx.unknown
}

// -----

// A function that calls itself has no body without a call.
// CHECK-LABEL: @inline_functions_refused(
// CHECK: onnx.Call @endless(
// CHECK: onnx.Function @endless
func.func @inline_functions_refused(%x: tensor<2xf32>) -> !onnx.unknown {
  %0 = onnx.Call @endless(%x) : (tensor<2xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

onnx.Function @endless attributes {defaults = {}, domain = "com.example", name = "Endless",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Call @other(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

onnx.Function @other attributes {defaults = {}, domain = "com.example", name = "Other",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Call @endless(%x) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// -----

// An input that a node needs is not given.
// CHECK-LABEL: @inline_functions_of_gaps_refused(
// CHECK: onnx.Call @add(
func.func @inline_functions_of_gaps_refused(%x: tensor<2xf32>) -> !onnx.unknown {
  %0 = onnx.Call @add(%x) : (tensor<2xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

onnx.Function @add attributes {defaults = {}, domain = "com.example", name = "Add",
    opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown, %y: !onnx.unknown):
  %0 = onnx.Add(%x, %y) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  onnx.Yield(%0) : !onnx.unknown
}

// -----

// An operator that is not known means something else in another version of its domain.
// CHECK-LABEL: @inline_functions_of_versions_refused(
// CHECK: onnx.Call @fancy(
module attributes {onnx.model = {opset_imports = {ai.onnx = 18 : i64, "com.fancy" = 2 : i64}}} {
  func.func @inline_functions_of_versions_refused(%x: tensor<2xf32>) -> !onnx.unknown {
    %0 = onnx.Call @fancy(%x) : (tensor<2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  onnx.Function @fancy attributes {defaults = {}, domain = "com.example", name = "Fancy",
      opset_imports = {ai.onnx = 18 : i64, "com.fancy" = 1 : i64}, overload = "", parameters = []} {
  ^bb0(%x: !onnx.unknown):
    %0 = onnx.Custom "com.fancy" "Fancy"(%x) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%0) : !onnx.unknown
  }
}

// -----

// One that the model does not import comes with its domain. A standard one of an older
// version is what it is in the newer one.
// CHECK: onnx.model = {opset_imports = {ai.onnx = 18 : i64, com.fancy = 1 : i64}}
// CHECK-LABEL: @inline_functions_of_domains(
// CHECK: onnx.Custom "com.fancy" "Fancy"(
// CHECK: onnx.Neg(
module attributes {onnx.model = {opset_imports = {ai.onnx = 18 : i64}}} {
  func.func @inline_functions_of_domains(%x: tensor<2xf32>) -> !onnx.unknown {
    %0 = onnx.Call @fancy(%x) : (tensor<2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  onnx.Function @fancy attributes {defaults = {}, domain = "com.example", name = "Fancy",
      opset_imports = {ai.onnx = 9 : i64, "com.fancy" = 1 : i64}, overload = "", parameters = []} {
  ^bb0(%x: !onnx.unknown):
    %0 = onnx.Custom "com.fancy" "Fancy"(%x) : (!onnx.unknown) -> !onnx.unknown
    %1 = onnx.Neg(%0) : (!onnx.unknown) -> !onnx.unknown
    onnx.Yield(%1) : !onnx.unknown
  }
}

// -----

// Each function calls the one before 64 times: a million operators of a few lines.
// CHECK-LABEL: @inline_functions_of_trees_refused(
// CHECK: onnx.Call @f3(
func.func @inline_functions_of_trees_refused(%x: tensor<f32>) -> !onnx.unknown {
  %0 = onnx.Call @f3(%x) : (tensor<f32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
onnx.Function @f0 attributes {defaults = {}, domain = "e", name = "F0", opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Sin(%x) : (!onnx.unknown) -> !onnx.unknown
  %1 = onnx.Sin(%0) : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.Sin(%1) : (!onnx.unknown) -> !onnx.unknown
  %3 = onnx.Sin(%2) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%3) : !onnx.unknown
}
onnx.Function @f1 attributes {defaults = {}, domain = "e", name = "F1", opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Call @f0(%x) : (!onnx.unknown) -> !onnx.unknown
  %1 = onnx.Call @f0(%0) : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.Call @f0(%1) : (!onnx.unknown) -> !onnx.unknown
  %3 = onnx.Call @f0(%2) : (!onnx.unknown) -> !onnx.unknown
  %4 = onnx.Call @f0(%3) : (!onnx.unknown) -> !onnx.unknown
  %5 = onnx.Call @f0(%4) : (!onnx.unknown) -> !onnx.unknown
  %6 = onnx.Call @f0(%5) : (!onnx.unknown) -> !onnx.unknown
  %7 = onnx.Call @f0(%6) : (!onnx.unknown) -> !onnx.unknown
  %8 = onnx.Call @f0(%7) : (!onnx.unknown) -> !onnx.unknown
  %9 = onnx.Call @f0(%8) : (!onnx.unknown) -> !onnx.unknown
  %10 = onnx.Call @f0(%9) : (!onnx.unknown) -> !onnx.unknown
  %11 = onnx.Call @f0(%10) : (!onnx.unknown) -> !onnx.unknown
  %12 = onnx.Call @f0(%11) : (!onnx.unknown) -> !onnx.unknown
  %13 = onnx.Call @f0(%12) : (!onnx.unknown) -> !onnx.unknown
  %14 = onnx.Call @f0(%13) : (!onnx.unknown) -> !onnx.unknown
  %15 = onnx.Call @f0(%14) : (!onnx.unknown) -> !onnx.unknown
  %16 = onnx.Call @f0(%15) : (!onnx.unknown) -> !onnx.unknown
  %17 = onnx.Call @f0(%16) : (!onnx.unknown) -> !onnx.unknown
  %18 = onnx.Call @f0(%17) : (!onnx.unknown) -> !onnx.unknown
  %19 = onnx.Call @f0(%18) : (!onnx.unknown) -> !onnx.unknown
  %20 = onnx.Call @f0(%19) : (!onnx.unknown) -> !onnx.unknown
  %21 = onnx.Call @f0(%20) : (!onnx.unknown) -> !onnx.unknown
  %22 = onnx.Call @f0(%21) : (!onnx.unknown) -> !onnx.unknown
  %23 = onnx.Call @f0(%22) : (!onnx.unknown) -> !onnx.unknown
  %24 = onnx.Call @f0(%23) : (!onnx.unknown) -> !onnx.unknown
  %25 = onnx.Call @f0(%24) : (!onnx.unknown) -> !onnx.unknown
  %26 = onnx.Call @f0(%25) : (!onnx.unknown) -> !onnx.unknown
  %27 = onnx.Call @f0(%26) : (!onnx.unknown) -> !onnx.unknown
  %28 = onnx.Call @f0(%27) : (!onnx.unknown) -> !onnx.unknown
  %29 = onnx.Call @f0(%28) : (!onnx.unknown) -> !onnx.unknown
  %30 = onnx.Call @f0(%29) : (!onnx.unknown) -> !onnx.unknown
  %31 = onnx.Call @f0(%30) : (!onnx.unknown) -> !onnx.unknown
  %32 = onnx.Call @f0(%31) : (!onnx.unknown) -> !onnx.unknown
  %33 = onnx.Call @f0(%32) : (!onnx.unknown) -> !onnx.unknown
  %34 = onnx.Call @f0(%33) : (!onnx.unknown) -> !onnx.unknown
  %35 = onnx.Call @f0(%34) : (!onnx.unknown) -> !onnx.unknown
  %36 = onnx.Call @f0(%35) : (!onnx.unknown) -> !onnx.unknown
  %37 = onnx.Call @f0(%36) : (!onnx.unknown) -> !onnx.unknown
  %38 = onnx.Call @f0(%37) : (!onnx.unknown) -> !onnx.unknown
  %39 = onnx.Call @f0(%38) : (!onnx.unknown) -> !onnx.unknown
  %40 = onnx.Call @f0(%39) : (!onnx.unknown) -> !onnx.unknown
  %41 = onnx.Call @f0(%40) : (!onnx.unknown) -> !onnx.unknown
  %42 = onnx.Call @f0(%41) : (!onnx.unknown) -> !onnx.unknown
  %43 = onnx.Call @f0(%42) : (!onnx.unknown) -> !onnx.unknown
  %44 = onnx.Call @f0(%43) : (!onnx.unknown) -> !onnx.unknown
  %45 = onnx.Call @f0(%44) : (!onnx.unknown) -> !onnx.unknown
  %46 = onnx.Call @f0(%45) : (!onnx.unknown) -> !onnx.unknown
  %47 = onnx.Call @f0(%46) : (!onnx.unknown) -> !onnx.unknown
  %48 = onnx.Call @f0(%47) : (!onnx.unknown) -> !onnx.unknown
  %49 = onnx.Call @f0(%48) : (!onnx.unknown) -> !onnx.unknown
  %50 = onnx.Call @f0(%49) : (!onnx.unknown) -> !onnx.unknown
  %51 = onnx.Call @f0(%50) : (!onnx.unknown) -> !onnx.unknown
  %52 = onnx.Call @f0(%51) : (!onnx.unknown) -> !onnx.unknown
  %53 = onnx.Call @f0(%52) : (!onnx.unknown) -> !onnx.unknown
  %54 = onnx.Call @f0(%53) : (!onnx.unknown) -> !onnx.unknown
  %55 = onnx.Call @f0(%54) : (!onnx.unknown) -> !onnx.unknown
  %56 = onnx.Call @f0(%55) : (!onnx.unknown) -> !onnx.unknown
  %57 = onnx.Call @f0(%56) : (!onnx.unknown) -> !onnx.unknown
  %58 = onnx.Call @f0(%57) : (!onnx.unknown) -> !onnx.unknown
  %59 = onnx.Call @f0(%58) : (!onnx.unknown) -> !onnx.unknown
  %60 = onnx.Call @f0(%59) : (!onnx.unknown) -> !onnx.unknown
  %61 = onnx.Call @f0(%60) : (!onnx.unknown) -> !onnx.unknown
  %62 = onnx.Call @f0(%61) : (!onnx.unknown) -> !onnx.unknown
  %63 = onnx.Call @f0(%62) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%63) : !onnx.unknown
}
onnx.Function @f2 attributes {defaults = {}, domain = "e", name = "F2", opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Call @f1(%x) : (!onnx.unknown) -> !onnx.unknown
  %1 = onnx.Call @f1(%0) : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.Call @f1(%1) : (!onnx.unknown) -> !onnx.unknown
  %3 = onnx.Call @f1(%2) : (!onnx.unknown) -> !onnx.unknown
  %4 = onnx.Call @f1(%3) : (!onnx.unknown) -> !onnx.unknown
  %5 = onnx.Call @f1(%4) : (!onnx.unknown) -> !onnx.unknown
  %6 = onnx.Call @f1(%5) : (!onnx.unknown) -> !onnx.unknown
  %7 = onnx.Call @f1(%6) : (!onnx.unknown) -> !onnx.unknown
  %8 = onnx.Call @f1(%7) : (!onnx.unknown) -> !onnx.unknown
  %9 = onnx.Call @f1(%8) : (!onnx.unknown) -> !onnx.unknown
  %10 = onnx.Call @f1(%9) : (!onnx.unknown) -> !onnx.unknown
  %11 = onnx.Call @f1(%10) : (!onnx.unknown) -> !onnx.unknown
  %12 = onnx.Call @f1(%11) : (!onnx.unknown) -> !onnx.unknown
  %13 = onnx.Call @f1(%12) : (!onnx.unknown) -> !onnx.unknown
  %14 = onnx.Call @f1(%13) : (!onnx.unknown) -> !onnx.unknown
  %15 = onnx.Call @f1(%14) : (!onnx.unknown) -> !onnx.unknown
  %16 = onnx.Call @f1(%15) : (!onnx.unknown) -> !onnx.unknown
  %17 = onnx.Call @f1(%16) : (!onnx.unknown) -> !onnx.unknown
  %18 = onnx.Call @f1(%17) : (!onnx.unknown) -> !onnx.unknown
  %19 = onnx.Call @f1(%18) : (!onnx.unknown) -> !onnx.unknown
  %20 = onnx.Call @f1(%19) : (!onnx.unknown) -> !onnx.unknown
  %21 = onnx.Call @f1(%20) : (!onnx.unknown) -> !onnx.unknown
  %22 = onnx.Call @f1(%21) : (!onnx.unknown) -> !onnx.unknown
  %23 = onnx.Call @f1(%22) : (!onnx.unknown) -> !onnx.unknown
  %24 = onnx.Call @f1(%23) : (!onnx.unknown) -> !onnx.unknown
  %25 = onnx.Call @f1(%24) : (!onnx.unknown) -> !onnx.unknown
  %26 = onnx.Call @f1(%25) : (!onnx.unknown) -> !onnx.unknown
  %27 = onnx.Call @f1(%26) : (!onnx.unknown) -> !onnx.unknown
  %28 = onnx.Call @f1(%27) : (!onnx.unknown) -> !onnx.unknown
  %29 = onnx.Call @f1(%28) : (!onnx.unknown) -> !onnx.unknown
  %30 = onnx.Call @f1(%29) : (!onnx.unknown) -> !onnx.unknown
  %31 = onnx.Call @f1(%30) : (!onnx.unknown) -> !onnx.unknown
  %32 = onnx.Call @f1(%31) : (!onnx.unknown) -> !onnx.unknown
  %33 = onnx.Call @f1(%32) : (!onnx.unknown) -> !onnx.unknown
  %34 = onnx.Call @f1(%33) : (!onnx.unknown) -> !onnx.unknown
  %35 = onnx.Call @f1(%34) : (!onnx.unknown) -> !onnx.unknown
  %36 = onnx.Call @f1(%35) : (!onnx.unknown) -> !onnx.unknown
  %37 = onnx.Call @f1(%36) : (!onnx.unknown) -> !onnx.unknown
  %38 = onnx.Call @f1(%37) : (!onnx.unknown) -> !onnx.unknown
  %39 = onnx.Call @f1(%38) : (!onnx.unknown) -> !onnx.unknown
  %40 = onnx.Call @f1(%39) : (!onnx.unknown) -> !onnx.unknown
  %41 = onnx.Call @f1(%40) : (!onnx.unknown) -> !onnx.unknown
  %42 = onnx.Call @f1(%41) : (!onnx.unknown) -> !onnx.unknown
  %43 = onnx.Call @f1(%42) : (!onnx.unknown) -> !onnx.unknown
  %44 = onnx.Call @f1(%43) : (!onnx.unknown) -> !onnx.unknown
  %45 = onnx.Call @f1(%44) : (!onnx.unknown) -> !onnx.unknown
  %46 = onnx.Call @f1(%45) : (!onnx.unknown) -> !onnx.unknown
  %47 = onnx.Call @f1(%46) : (!onnx.unknown) -> !onnx.unknown
  %48 = onnx.Call @f1(%47) : (!onnx.unknown) -> !onnx.unknown
  %49 = onnx.Call @f1(%48) : (!onnx.unknown) -> !onnx.unknown
  %50 = onnx.Call @f1(%49) : (!onnx.unknown) -> !onnx.unknown
  %51 = onnx.Call @f1(%50) : (!onnx.unknown) -> !onnx.unknown
  %52 = onnx.Call @f1(%51) : (!onnx.unknown) -> !onnx.unknown
  %53 = onnx.Call @f1(%52) : (!onnx.unknown) -> !onnx.unknown
  %54 = onnx.Call @f1(%53) : (!onnx.unknown) -> !onnx.unknown
  %55 = onnx.Call @f1(%54) : (!onnx.unknown) -> !onnx.unknown
  %56 = onnx.Call @f1(%55) : (!onnx.unknown) -> !onnx.unknown
  %57 = onnx.Call @f1(%56) : (!onnx.unknown) -> !onnx.unknown
  %58 = onnx.Call @f1(%57) : (!onnx.unknown) -> !onnx.unknown
  %59 = onnx.Call @f1(%58) : (!onnx.unknown) -> !onnx.unknown
  %60 = onnx.Call @f1(%59) : (!onnx.unknown) -> !onnx.unknown
  %61 = onnx.Call @f1(%60) : (!onnx.unknown) -> !onnx.unknown
  %62 = onnx.Call @f1(%61) : (!onnx.unknown) -> !onnx.unknown
  %63 = onnx.Call @f1(%62) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%63) : !onnx.unknown
}
onnx.Function @f3 attributes {defaults = {}, domain = "e", name = "F3", opset_imports = {ai.onnx = 18 : i64}, overload = "", parameters = []} {
^bb0(%x: !onnx.unknown):
  %0 = onnx.Call @f2(%x) : (!onnx.unknown) -> !onnx.unknown
  %1 = onnx.Call @f2(%0) : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.Call @f2(%1) : (!onnx.unknown) -> !onnx.unknown
  %3 = onnx.Call @f2(%2) : (!onnx.unknown) -> !onnx.unknown
  %4 = onnx.Call @f2(%3) : (!onnx.unknown) -> !onnx.unknown
  %5 = onnx.Call @f2(%4) : (!onnx.unknown) -> !onnx.unknown
  %6 = onnx.Call @f2(%5) : (!onnx.unknown) -> !onnx.unknown
  %7 = onnx.Call @f2(%6) : (!onnx.unknown) -> !onnx.unknown
  %8 = onnx.Call @f2(%7) : (!onnx.unknown) -> !onnx.unknown
  %9 = onnx.Call @f2(%8) : (!onnx.unknown) -> !onnx.unknown
  %10 = onnx.Call @f2(%9) : (!onnx.unknown) -> !onnx.unknown
  %11 = onnx.Call @f2(%10) : (!onnx.unknown) -> !onnx.unknown
  %12 = onnx.Call @f2(%11) : (!onnx.unknown) -> !onnx.unknown
  %13 = onnx.Call @f2(%12) : (!onnx.unknown) -> !onnx.unknown
  %14 = onnx.Call @f2(%13) : (!onnx.unknown) -> !onnx.unknown
  %15 = onnx.Call @f2(%14) : (!onnx.unknown) -> !onnx.unknown
  %16 = onnx.Call @f2(%15) : (!onnx.unknown) -> !onnx.unknown
  %17 = onnx.Call @f2(%16) : (!onnx.unknown) -> !onnx.unknown
  %18 = onnx.Call @f2(%17) : (!onnx.unknown) -> !onnx.unknown
  %19 = onnx.Call @f2(%18) : (!onnx.unknown) -> !onnx.unknown
  %20 = onnx.Call @f2(%19) : (!onnx.unknown) -> !onnx.unknown
  %21 = onnx.Call @f2(%20) : (!onnx.unknown) -> !onnx.unknown
  %22 = onnx.Call @f2(%21) : (!onnx.unknown) -> !onnx.unknown
  %23 = onnx.Call @f2(%22) : (!onnx.unknown) -> !onnx.unknown
  %24 = onnx.Call @f2(%23) : (!onnx.unknown) -> !onnx.unknown
  %25 = onnx.Call @f2(%24) : (!onnx.unknown) -> !onnx.unknown
  %26 = onnx.Call @f2(%25) : (!onnx.unknown) -> !onnx.unknown
  %27 = onnx.Call @f2(%26) : (!onnx.unknown) -> !onnx.unknown
  %28 = onnx.Call @f2(%27) : (!onnx.unknown) -> !onnx.unknown
  %29 = onnx.Call @f2(%28) : (!onnx.unknown) -> !onnx.unknown
  %30 = onnx.Call @f2(%29) : (!onnx.unknown) -> !onnx.unknown
  %31 = onnx.Call @f2(%30) : (!onnx.unknown) -> !onnx.unknown
  %32 = onnx.Call @f2(%31) : (!onnx.unknown) -> !onnx.unknown
  %33 = onnx.Call @f2(%32) : (!onnx.unknown) -> !onnx.unknown
  %34 = onnx.Call @f2(%33) : (!onnx.unknown) -> !onnx.unknown
  %35 = onnx.Call @f2(%34) : (!onnx.unknown) -> !onnx.unknown
  %36 = onnx.Call @f2(%35) : (!onnx.unknown) -> !onnx.unknown
  %37 = onnx.Call @f2(%36) : (!onnx.unknown) -> !onnx.unknown
  %38 = onnx.Call @f2(%37) : (!onnx.unknown) -> !onnx.unknown
  %39 = onnx.Call @f2(%38) : (!onnx.unknown) -> !onnx.unknown
  %40 = onnx.Call @f2(%39) : (!onnx.unknown) -> !onnx.unknown
  %41 = onnx.Call @f2(%40) : (!onnx.unknown) -> !onnx.unknown
  %42 = onnx.Call @f2(%41) : (!onnx.unknown) -> !onnx.unknown
  %43 = onnx.Call @f2(%42) : (!onnx.unknown) -> !onnx.unknown
  %44 = onnx.Call @f2(%43) : (!onnx.unknown) -> !onnx.unknown
  %45 = onnx.Call @f2(%44) : (!onnx.unknown) -> !onnx.unknown
  %46 = onnx.Call @f2(%45) : (!onnx.unknown) -> !onnx.unknown
  %47 = onnx.Call @f2(%46) : (!onnx.unknown) -> !onnx.unknown
  %48 = onnx.Call @f2(%47) : (!onnx.unknown) -> !onnx.unknown
  %49 = onnx.Call @f2(%48) : (!onnx.unknown) -> !onnx.unknown
  %50 = onnx.Call @f2(%49) : (!onnx.unknown) -> !onnx.unknown
  %51 = onnx.Call @f2(%50) : (!onnx.unknown) -> !onnx.unknown
  %52 = onnx.Call @f2(%51) : (!onnx.unknown) -> !onnx.unknown
  %53 = onnx.Call @f2(%52) : (!onnx.unknown) -> !onnx.unknown
  %54 = onnx.Call @f2(%53) : (!onnx.unknown) -> !onnx.unknown
  %55 = onnx.Call @f2(%54) : (!onnx.unknown) -> !onnx.unknown
  %56 = onnx.Call @f2(%55) : (!onnx.unknown) -> !onnx.unknown
  %57 = onnx.Call @f2(%56) : (!onnx.unknown) -> !onnx.unknown
  %58 = onnx.Call @f2(%57) : (!onnx.unknown) -> !onnx.unknown
  %59 = onnx.Call @f2(%58) : (!onnx.unknown) -> !onnx.unknown
  %60 = onnx.Call @f2(%59) : (!onnx.unknown) -> !onnx.unknown
  %61 = onnx.Call @f2(%60) : (!onnx.unknown) -> !onnx.unknown
  %62 = onnx.Call @f2(%61) : (!onnx.unknown) -> !onnx.unknown
  %63 = onnx.Call @f2(%62) : (!onnx.unknown) -> !onnx.unknown
  onnx.Yield(%63) : !onnx.unknown
}

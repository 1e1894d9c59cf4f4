// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @unary(
func.func @unary(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %least: tensor<f32>, %any: tensor<*xf32>) {
  // CHECK: onnx.Exp({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %0 = onnx.Exp(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Clip({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %1 = onnx.Clip(%0, %least) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
  // CHECK: onnx.Sqrt({{.*}} -> tensor<*xf32>
  %2 = onnx.Sqrt(%any) : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @broadcast(
func.func @broadcast(%x: tensor<?x1x4xf32, #onnx.dims<"n", "", "">>, %y: tensor<3x1xf32>, %z: tensor<f32>,
                     %any: tensor<*xf32>) {
  // CHECK: onnx.Add({{.*}} -> tensor<?x3x4xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.Add(%x, %y) : (tensor<?x1x4xf32, #onnx.dims<"n", "", "">>, tensor<3x1xf32>) -> !onnx.unknown
  // CHECK: onnx.Max({{.*}} -> tensor<?x3x4xf32, #onnx.dims<"n", "", "">>
  %1 = onnx.Max(%z, %y, %x) : (tensor<f32>, tensor<3x1xf32>, tensor<?x1x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Pow({{.*}} -> tensor<3x1xf32>
  %2 = onnx.Pow(%y, %z) : (tensor<3x1xf32>, tensor<f32>) -> !onnx.unknown
  // CHECK: onnx.Mul({{.*}} -> tensor<*xf32>
  %3 = onnx.Mul(%x, %any) : (tensor<?x1x4xf32, #onnx.dims<"n", "", "">>, tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// Beside 8 the other is 8 or 1; of two names either may be 1.
// CHECK-LABEL: @broadcast_names(
func.func @broadcast_names(%x: tensor<?xf32, #onnx.dims<"m">>, %y: tensor<?xf32, #onnx.dims<"n">>, %z: tensor<8xf32>) {
  // CHECK: onnx.Sub({{.*}} -> tensor<8xf32>
  %0 = onnx.Sub(%x, %z) : (tensor<?xf32, #onnx.dims<"m">>, tensor<8xf32>) -> !onnx.unknown
  // CHECK: onnx.Sub({{.*}} -> tensor<?xf32, #onnx.dims<"select({{.*}}, n, m)">>
  %1 = onnx.Sub(%x, %y) : (tensor<?xf32, #onnx.dims<"m">>, tensor<?xf32, #onnx.dims<"n">>) -> !onnx.unknown
  // CHECK: onnx.Sub({{.*}} -> tensor<?xf32, #onnx.dims<"m">>
  %2 = onnx.Sub(%x, %x) : (tensor<?xf32, #onnx.dims<"m">>, tensor<?xf32, #onnx.dims<"m">>) -> !onnx.unknown
  return
}

// -----

// What is calculated with sizes: each window is as long as the result says.
// CHECK-LABEL: @entries(
func.func @entries(%x: tensor<?x?xf32, #onnx.dims<"m", "n">>) {
  %m = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x?xf32, #onnx.dims<"m", "n">>) -> !onnx.unknown
  %n = onnx.Shape(%x) {start = 1 : i64} : (tensor<?x?xf32, #onnx.dims<"m", "n">>) -> !onnx.unknown
  %two = onnx.Constant dense<2> : tensor<i64>
  %sum = onnx.Add(%m, %n) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"m + n">>
  %0 = onnx.HannWindow(%sum) : (!onnx.unknown) -> !onnx.unknown
  %twice = onnx.Mul(%sum, %two) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"2*m + 2*n">>
  %1 = onnx.HannWindow(%twice) : (!onnx.unknown) -> !onnx.unknown
  %half = onnx.Div(%twice, %two) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  %rest = onnx.Sub(%half, %n) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"m">>
  %2 = onnx.HannWindow(%rest) : (!onnx.unknown) -> !onnx.unknown
  %odd = onnx.Mod(%m, %two) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"m - 2*(m floordiv 2)">>
  %3 = onnx.HannWindow(%odd) : (!onnx.unknown) -> !onnx.unknown
  %most = onnx.Max(%m, %m, %two) : (!onnx.unknown, !onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"max({{m, 2|2, m}})">>
  %4 = onnx.HannWindow(%most) : (!onnx.unknown) -> !onnx.unknown
  %least = onnx.Min(%m, %two) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"min({{m, 2|2, m}})">>
  %5 = onnx.HannWindow(%least) : (!onnx.unknown) -> !onnx.unknown
  %minus = onnx.Neg(%m) : (!onnx.unknown) -> !onnx.unknown
  %plus = onnx.Abs(%minus) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"m">>
  %6 = onnx.HannWindow(%plus) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// Integers are divided towards zero, and Mod has the divisor's sign unless it is C's.
// CHECK-LABEL: @division_of_numbers(
func.func @division_of_numbers() {
  %seven = onnx.Constant dense<-7> : tensor<i64>
  %two = onnx.Constant dense<2> : tensor<i64>
  %ten = onnx.Constant dense<10> : tensor<i64>
  %quotient = onnx.Div(%seven, %two) : (tensor<i64>, tensor<i64>) -> !onnx.unknown
  %a = onnx.Add(%quotient, %ten) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<7xf32>
  %0 = onnx.HannWindow(%a) : (!onnx.unknown) -> !onnx.unknown
  %mod = onnx.Mod(%seven, %two) : (tensor<i64>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<1xf32>
  %1 = onnx.HannWindow(%mod) : (!onnx.unknown) -> !onnx.unknown
  %fmod = onnx.Mod(%seven, %two) {fmod = 1 : i64} : (tensor<i64>, tensor<i64>) -> !onnx.unknown
  %b = onnx.Add(%fmod, %ten) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<9xf32>
  %2 = onnx.HannWindow(%b) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// A division by zero, or a number that does not fit, is no size.
// CHECK-LABEL: @no_number(
func.func @no_number(%x: tensor<?xf32, #onnx.dims<"n">>) {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %n = onnx.Shape(%x) : (tensor<?xf32, #onnx.dims<"n">>) -> !onnx.unknown
  %quotient = onnx.Div(%n, %zero) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"a.0">>
  %0 = onnx.HannWindow(%quotient) {onnx.outputs = ["a"]} : (!onnx.unknown) -> !onnx.unknown
  %large = onnx.Constant dense<9223372036854775807> : tensor<i64>
  %larger = onnx.Add(%large, %large) : (tensor<i64>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"b.0">>
  %1 = onnx.HannWindow(%larger) {onnx.outputs = ["b"]} : (!onnx.unknown) -> !onnx.unknown
  return
}

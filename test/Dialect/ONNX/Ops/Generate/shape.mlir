// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @constantofshape(
func.func @constantofshape(%shape: tensor<2xi64>, %x: tensor<?x8xf32, #onnx.dims<"n", "">>,
                           %any: tensor<?xi64>) {
  %sizes = onnx.Constant dense<[4, 0]> : tensor<2xi64>
  %none = onnx.Constant dense<> : tensor<0xi64>
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<4x0xf32>
  %0 = onnx.ConstantOfShape(%sizes) : (tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<i32>
  %1 = onnx.ConstantOfShape(%none) {value = dense<1> : tensor<1xi32>}
      : (tensor<0xi64>) -> !onnx.unknown
  %of = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %2 = onnx.ConstantOfShape(%of) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x?xf32, #onnx.dims<"y.0", "y.1">>
  %3 = onnx.ConstantOfShape(%shape) {onnx.outputs = ["y"]} : (tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<*xf32>
  %4 = onnx.ConstantOfShape(%any) : (tensor<?xi64>) -> !onnx.unknown
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %entries = onnx.ConstantOfShape(%two) {value = dense<7> : tensor<1xi64>}
      : (tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<7x7xf32>
  %5 = onnx.ConstantOfShape(%entries) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @eyelike(
func.func @eyelike(%x: tensor<?x4xi32, #onnx.dims<"n", "">>) {
  // CHECK: onnx.EyeLike({{.*}} -> tensor<?x4xi32, #onnx.dims<"n", "">>
  %0 = onnx.EyeLike(%x) : (tensor<?x4xi32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.EyeLike({{.*}} -> tensor<?x4xf64, #onnx.dims<"n", "">>
  %1 = onnx.EyeLike(%x) {dtype = 11 : i64}
      : (tensor<?x4xi32, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @onehot(
func.func @onehot(%i: tensor<?x3xi64, #onnx.dims<"n", "">>, %values: tensor<2xf32>,
                  %some: tensor<f32>) {
  %depth = onnx.Constant dense<10> : tensor<i64>
  %real = onnx.Constant dense<2.7> : tensor<1xf32>
  // CHECK: onnx.OneHot({{.*}} -> tensor<?x3x10xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.OneHot(%i, %depth, %values)
      : (tensor<?x3xi64, #onnx.dims<"n", "">>, tensor<i64>, tensor<2xf32>) -> !onnx.unknown
  // CHECK: onnx.OneHot({{.*}} -> tensor<2x?x3xf32, #onnx.dims<"", "n", "">>
  %1 = onnx.OneHot(%i, %real, %values) {axis = 0 : i64}
      : (tensor<?x3xi64, #onnx.dims<"n", "">>, tensor<1xf32>, tensor<2xf32>) -> !onnx.unknown
  %n = onnx.Shape(%i) {end = 1 : i64} : (tensor<?x3xi64, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.OneHot({{.*}} -> tensor<?x?x3xf32, #onnx.dims<"n", "n", "">>
  %2 = onnx.OneHot(%i, %n, %values) {axis = -2 : i64}
      : (tensor<?x3xi64, #onnx.dims<"n", "">>, !onnx.unknown, tensor<2xf32>) -> !onnx.unknown
  // CHECK: onnx.OneHot({{.*}} -> tensor<?x3x?xf32, #onnx.dims<"n", "", "y.2">>
  %3 = onnx.OneHot(%i, %some, %values) {onnx.outputs = ["y"]}
      : (tensor<?x3xi64, #onnx.dims<"n", "">>, tensor<f32>, tensor<2xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @range(
func.func @range(%x: tensor<?x8xf32, #onnx.dims<"n", "">>, %some: tensor<i64>,
                 %real: tensor<f32>) {
  %zero = onnx.Constant dense<0> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %ten = onnx.Constant dense<10> : tensor<i64>
  %three = onnx.Constant dense<3> : tensor<i64>
  %minus = onnx.Constant dense<-3> : tensor<i64>
  // CHECK: onnx.Range({{.*}} -> tensor<4xi64>
  %0 = onnx.Range(%zero, %ten, %three)
      : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  // 10, 7, 4, 1
  // CHECK: onnx.Range({{.*}} -> tensor<4xi64>
  %1 = onnx.Range(%ten, %zero, %minus)
      : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.Range({{.*}} -> tensor<0xi64>
  %2 = onnx.Range(%ten, %zero, %three)
      : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  %index = onnx.Constant dense<0> : tensor<i64>
  %sizes = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  %n = onnx.Gather(%sizes, %index) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.Range({{.*}} -> tensor<?xi64, #onnx.dims<"n">>
  %3 = onnx.Range(%zero, %n, %one) : (tensor<i64>, !onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.Range({{.*}} -> tensor<?xi64, #onnx.dims<"(n + 1) floordiv 3">>
  %4 = onnx.Range(%one, %n, %three)
      : (tensor<i64>, !onnx.unknown, tensor<i64>) -> !onnx.unknown
  %double = onnx.Add(%n, %n) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.Range({{.*}} -> tensor<?xi64, #onnx.dims<"n">>
  %5 = onnx.Range(%n, %double, %one)
      : (!onnx.unknown, !onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.Range({{.*}} -> tensor<?xi64, #onnx.dims<"y.0">>
  %6 = onnx.Range(%zero, %some, %one) {onnx.outputs = ["y"]}
      : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  %a = onnx.Constant dense<1.0> : tensor<f32>
  %b = onnx.Constant dense<5.5> : tensor<f32>
  %c = onnx.Constant dense<1.5> : tensor<f32>
  // 1, 2.5, 4
  // CHECK: onnx.Range({{.*}} -> tensor<3xf32>
  %7 = onnx.Range(%a, %b, %c) : (tensor<f32>, tensor<f32>, tensor<f32>) -> !onnx.unknown
  // CHECK: onnx.Range({{.*}} -> tensor<?xf32, #onnx.dims<"z.0">>
  %8 = onnx.Range(%a, %real, %c) {onnx.outputs = ["z"]}
      : (tensor<f32>, tensor<f32>, tensor<f32>) -> !onnx.unknown
  // Sizes are cast to count in floats.
  %reals = onnx.Cast(%n) {to = 1 : i64} : (!onnx.unknown) -> !onnx.unknown
  %nothing = onnx.Constant dense<0.0> : tensor<f32>
  // CHECK: onnx.Range({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %10 = onnx.Range(%nothing, %reals, %a)
      : (tensor<f32>, !onnx.unknown, tensor<f32>) -> !onnx.unknown
  %entries = onnx.Range(%one, %ten, %three)
      : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<1x4x7xf32>
  %9 = onnx.ConstantOfShape(%entries) : (!onnx.unknown) -> !onnx.unknown
  return
}

// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @reduce(
func.func @reduce(%x: tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, %axes: tensor<?xi64>,
                  %axis: tensor<1xi64>, %scalar: tensor<f32>) {
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  %two = onnx.Constant dense<[0, -3]> : tensor<2xi64>
  %none = onnx.Constant dense<> : tensor<0xi64>
  // CHECK: onnx.ReduceL1({{.*}} -> tensor<2x?x1xf32, #onnx.dims<"", "n", "">>
  %0 = onnx.ReduceL1(%x, %last)
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceL2({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "n">>
  %1 = onnx.ReduceL2(%x, %last) {keepdims = 0 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceLogSum({{.*}} -> tensor<2x?x1xf32, #onnx.dims<"", "n", "">>
  %2 = onnx.ReduceLogSum(%x, %last)
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceLogSumExp({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "n">>
  %3 = onnx.ReduceLogSumExp(%x, %last) {keepdims = 0 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceMax({{.*}} -> tensor<2x?x1xf32, #onnx.dims<"", "n", "">>
  %4 = onnx.ReduceMax(%x, %last)
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceMean({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "n">>
  %5 = onnx.ReduceMean(%x, %last) {keepdims = 0 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceMin({{.*}} -> tensor<2x?x1xf32, #onnx.dims<"", "n", "">>
  %6 = onnx.ReduceMin(%x, %last)
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceProd({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "n">>
  %7 = onnx.ReduceProd(%x, %last) {keepdims = 0 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<2x?x1xf32, #onnx.dims<"", "n", "">>
  %8 = onnx.ReduceSum(%x, %last)
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceSumSquare({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "n">>
  %9 = onnx.ReduceSumSquare(%x, %last) {keepdims = 0 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<1x1x1xf32>
  %10 = onnx.ReduceSum(%x) : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>) -> !onnx.unknown
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<f32>
  %11 = onnx.ReduceSum(%x, %none) {keepdims = 0 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<0xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<2x?x4xf32, #onnx.dims<"", "n", "">>
  %12 = onnx.ReduceSum(%x, %none) {keepdims = 0 : i64, noop_with_empty_axes = 1 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<0xi64>) -> !onnx.unknown
  // An axis may be listed twice.
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<?x4xf32, #onnx.dims<"n", "">>
  %13 = onnx.ReduceSum(%x, %two) {keepdims = 0 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<2xi64>) -> !onnx.unknown
  // A scalar stays one.
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<f32>
  %14 = onnx.ReduceSum(%scalar, %last) : (tensor<f32>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"a.0", "a.1", "a.2">>
  %15 = onnx.ReduceSum(%x, %axes) {onnx.outputs = ["a"]}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<?xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<*xf32>
  %16 = onnx.ReduceSum(%x, %axes) {keepdims = 0 : i64}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<?xi64>) -> !onnx.unknown
  // CHECK: onnx.ReduceSum({{.*}} -> tensor<?x?xf32, #onnx.dims<"b.0", "b.1">>
  %17 = onnx.ReduceSum(%x, %axis) {keepdims = 0 : i64, onnx.outputs = ["b"]}
      : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @arg(
func.func @arg(%x: tensor<2x?xf32, #onnx.dims<"", "n">>, %scalar: tensor<f32>) {
  // CHECK: onnx.ArgMax({{.*}} -> tensor<1x?xi64, #onnx.dims<"", "n">>
  %0 = onnx.ArgMax(%x) : (tensor<2x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.ArgMin({{.*}} -> tensor<?xi64, #onnx.dims<"n">>
  %1 = onnx.ArgMin(%x) {axis = 0 : i64, keepdims = 0 : i64}
      : (tensor<2x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.ArgMax({{.*}} -> tensor<i64>
  %2 = onnx.ArgMax(%scalar) : (tensor<f32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @cumulative(
func.func @cumulative(%x: tensor<2x?xf32, #onnx.dims<"", "n">>, %axis: tensor<i32>) {
  // CHECK: onnx.CumSum({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "n">>
  %0 = onnx.CumSum(%x, %axis)
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<i32>) -> !onnx.unknown
  // CHECK: onnx.CumProd({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "n">>
  %1 = onnx.CumProd(%x, %axis)
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<i32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @topk(
func.func @topk(%x: tensor<2x?xf32, #onnx.dims<"", "n">>, %some: tensor<1xi64>) {
  %k = onnx.Constant dense<3> : tensor<1xi64>
  // CHECK: onnx.TopK({{.*}} -> (tensor<2x3xf32>, tensor<2x3xi64>)
  %0:2 = onnx.TopK(%x, %k)
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
  %n = onnx.Shape(%x) {start = 1 : i64}
      : (tensor<2x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.TopK({{.*}} -> (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<2x?xi64, #onnx.dims<"", "n">>)
  %1:2 = onnx.TopK(%x, %n) {axis = 1 : i64}
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.TopK({{.*}} -> (tensor<2x?xf32, #onnx.dims<"", "v.1">>, tensor<2x?xi64, #onnx.dims<"", "i.1">>)
  %2:2 = onnx.TopK(%x, %some) {onnx.outputs = ["v", "i"]}
      : (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// CHECK-LABEL: @reduce_entries(
func.func @reduce_entries(%x: tensor<2x?x4xf32, #onnx.dims<"", "n", "">>) {
  %sizes = onnx.Shape(%x) : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>) -> !onnx.unknown
  %a = onnx.ReduceProd(%sizes) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?xf32, #onnx.dims<"8*n">>
  %0 = onnx.ConstantOfShape(%a) : (!onnx.unknown) -> !onnx.unknown
  %b = onnx.ReduceSum(%sizes) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?xf32, #onnx.dims<"n + 6">>
  %1 = onnx.ConstantOfShape(%b) : (!onnx.unknown) -> !onnx.unknown
  %c = onnx.ReduceMax(%sizes) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?xf32, #onnx.dims<"max(4, n)">>
  %2 = onnx.ConstantOfShape(%c) : (!onnx.unknown) -> !onnx.unknown
  %d = onnx.ReduceMin(%sizes) : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?xf32, #onnx.dims<"min(n, 2)">>
  %3 = onnx.ConstantOfShape(%d) : (!onnx.unknown) -> !onnx.unknown
  // Of no entries the product is one.
  %none = onnx.Constant dense<> : tensor<0xi64>
  %e = onnx.ReduceProd(%none) : (tensor<0xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<1xf32>
  %4 = onnx.ConstantOfShape(%e) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @cumulative_entries(
func.func @cumulative_entries(%x: tensor<2x?x4xf32, #onnx.dims<"", "n", "">>) {
  %axis = onnx.Constant dense<0> : tensor<i64>
  %sizes = onnx.Shape(%x) : (tensor<2x?x4xf32, #onnx.dims<"", "n", "">>) -> !onnx.unknown
  %a = onnx.CumSum(%sizes, %axis) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<2x?x?xf32, #onnx.dims<"", "n + 2", "n + 6">>
  %0 = onnx.ConstantOfShape(%a) : (!onnx.unknown) -> !onnx.unknown
  %b = onnx.CumProd(%sizes, %axis) {exclusive = 1 : i64, reverse = 1 : i64}
      : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x4x1xf32, #onnx.dims<"4*n", "", "">>
  %1 = onnx.ConstantOfShape(%b) : (!onnx.unknown) -> !onnx.unknown
  return
}

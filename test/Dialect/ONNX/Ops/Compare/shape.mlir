// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @compare(
func.func @compare(%x: tensor<?x8xf32, #onnx.dims<"n", "">>, %y: tensor<4x1x8xf32>) {
  // CHECK: onnx.Equal({{.*}} -> tensor<4x?x8xi1, #onnx.dims<"", "n", "">>
  %0 = onnx.Equal(%x, %y)
      : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<4x1x8xf32>) -> !onnx.unknown
  // CHECK: onnx.Where({{.*}} -> tensor<4x?x8xf32, #onnx.dims<"", "n", "">>
  %1 = onnx.Where(%0, %x, %y)
      : (!onnx.unknown, tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<4x1x8xf32>) -> !onnx.unknown
  // CHECK: onnx.IsNaN({{.*}} -> tensor<?x8xi1, #onnx.dims<"n", "">>
  %2 = onnx.IsNaN(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.IsInf({{.*}} -> tensor<?x8xi1, #onnx.dims<"n", "">>
  %3 = onnx.IsInf(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  return
}

// -----

// How exporters write a shape in which -1 keeps what there is.
// CHECK-LABEL: @entries(
func.func @entries(%x: tensor<?x8xf32, #onnx.dims<"n", "">>) {
  %sizes = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  %target = onnx.Constant dense<[-1, 3]> : tensor<2xi64>
  %minus = onnx.Constant dense<-1> : tensor<i64>
  %keeps = onnx.Equal(%target, %minus) : (tensor<2xi64>, tensor<i64>) -> !onnx.unknown
  %a = onnx.Where(%keeps, %sizes, %target)
      : (!onnx.unknown, !onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %0 = onnx.ConstantOfShape(%a) : (!onnx.unknown) -> !onnx.unknown
  // A size is never less than zero.
  %zero = onnx.Constant dense<0> : tensor<i64>
  %less = onnx.Less(%sizes, %zero) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  %b = onnx.Where(%less, %target, %sizes)
      : (!onnx.unknown, tensor<2xi64>, !onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %1 = onnx.ConstantOfShape(%b) : (!onnx.unknown) -> !onnx.unknown
  %least = onnx.GreaterOrEqual(%sizes, %zero) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  %c = onnx.Where(%least, %sizes, %target)
      : (!onnx.unknown, !onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"n", "">>
  %2 = onnx.ConstantOfShape(%c) : (!onnx.unknown) -> !onnx.unknown
  // Which of the two it is shows at run time.
  %five = onnx.Constant dense<5> : tensor<2xi64>
  %more = onnx.Greater(%sizes, %five) : (!onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  %d = onnx.Where(%more, %sizes, %five)
      : (!onnx.unknown, !onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"select(isatleastzero(n - 6), n, 5)", "">>
  %3 = onnx.ConstantOfShape(%d) : (!onnx.unknown) -> !onnx.unknown
  %most = onnx.LessOrEqual(%five, %sizes) : (tensor<2xi64>, !onnx.unknown) -> !onnx.unknown
  %e = onnx.Where(%most, %sizes, %five)
      : (!onnx.unknown, !onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8xf32, #onnx.dims<"select(isatleastzero(n - 5), n, 5)", "">>
  %4 = onnx.ConstantOfShape(%e) : (!onnx.unknown) -> !onnx.unknown
  return
}

// RUN: invar-opt --invar-simplify="enable=assume-squeezed" --split-input-file %s | FileCheck %s

// The first branch is the else. As exporters write a squeeze of what may be of size 1: what follows was traced with one rank.
// CHECK-LABEL: @assume_squeezed(
// CHECK-NOT: onnx.If
// CHECK: onnx.Squeeze(%{{.*}}, %{{.*}}) {{.*}} -> tensor<?x3xf32
func.func @assume_squeezed(%x: tensor<?x3x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<*xf32> {
  %two = onnx.Constant dense<2> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %s = onnx.Shape(%x) : (tensor<?x3x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<3xi64>
  %m = onnx.Gather(%s, %two) : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %c = onnx.Equal(%m, %one) : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<*xf32> {
    onnx.Yield(%x) : tensor<?x3x?xf32, #onnx.dims<"n", "", "m">>
  } {
    %a = onnx.Constant dense<[-1]> : tensor<1xi64>
    %1 = onnx.Squeeze(%x, %a) : (tensor<?x3x?xf32, #onnx.dims<"n", "", "m">>, tensor<1xi64>) -> tensor<*xf32>
    onnx.Yield(%1) : tensor<*xf32>
  }
  return %0 : tensor<*xf32>
}

// -----

// The size of another axis is asked for.
// CHECK-LABEL: @assume_squeezed_refused(
// CHECK: onnx.If(
func.func @assume_squeezed_refused(%x: tensor<?x3x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<*xf32> {
  %zero = onnx.Constant dense<0> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %s = onnx.Shape(%x) : (tensor<?x3x?xf32, #onnx.dims<"n", "", "m">>) -> tensor<3xi64>
  %n = onnx.Gather(%s, %zero) : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %c = onnx.Equal(%n, %one) : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %0 = onnx.If(%c) : (tensor<i1>) -> tensor<*xf32> {
    onnx.Yield(%x) : tensor<?x3x?xf32, #onnx.dims<"n", "", "m">>
  } {
    %a = onnx.Constant dense<[2]> : tensor<1xi64>
    %1 = onnx.Squeeze(%x, %a) : (tensor<?x3x?xf32, #onnx.dims<"n", "", "m">>, tensor<1xi64>) -> tensor<*xf32>
    onnx.Yield(%1) : tensor<*xf32>
  }
  return %0 : tensor<*xf32>
}

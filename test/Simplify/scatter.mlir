// RUN: invar-opt --invar-simplify --split-input-file %s | FileCheck %s

// x[:, :] = y, as it is exported.
// CHECK-LABEL: @assign_all(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32, {{[^>]*}}>>, %[[Y:[^:]*]]: tensor<
func.func @assign_all(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>, %y: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32> {
  // CHECK-NEXT: %[[Z:.*]] = onnx.Relu(%[[Y]])
  // CHECK-NEXT: return %[[Z]]
  %z = onnx.Relu(%y) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32>
  %shape = onnx.Shape(%x) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<2xi64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %n = onnx.Gather(%shape, %zero) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %m = onnx.Gather(%shape, %one) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %rows = onnx.Range(%zero, %n, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  %columns = onnx.Range(%zero, %m, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  %upright = onnx.Constant dense<[-1, 1]> : tensor<2xi64>
  %0 = onnx.Reshape(%rows, %upright) : (tensor<*xi64>, tensor<2xi64>) -> tensor<*xi64>
  %1 = onnx.Expand(%0, %shape) : (tensor<*xi64>, tensor<2xi64>) -> tensor<*xi64>
  %2 = onnx.Expand(%columns, %shape) : (tensor<*xi64>, tensor<2xi64>) -> tensor<*xi64>
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  %3 = onnx.Unsqueeze(%1, %last) : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %4 = onnx.Unsqueeze(%2, %last) : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %places = onnx.Concat(%3, %4) {axis = -1 : i64} : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
  %5 = onnx.ScatterND(%x, %places, %z) : (tensor<?x?xf32, #onnx.dims<"n", "m">>, tensor<*xi64>, tensor<*xf32>) -> tensor<*xf32>
  return %5 : tensor<*xf32>
}

// -----

// The columns count from 1.
// CHECK-LABEL: @assign_all_refused(
func.func @assign_all_refused(%x: tensor<?x?xf32, #onnx.dims<"n", "m">>, %z: tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32> {
  // CHECK: onnx.ScatterND(
  %shape = onnx.Shape(%x) : (tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<2xi64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %n = onnx.Gather(%shape, %zero) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %m = onnx.Gather(%shape, %one) : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %end = onnx.Add(%m, %one) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %rows = onnx.Range(%zero, %n, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  %columns = onnx.Range(%one, %end, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  %upright = onnx.Constant dense<[-1, 1]> : tensor<2xi64>
  %0 = onnx.Reshape(%rows, %upright) : (tensor<*xi64>, tensor<2xi64>) -> tensor<*xi64>
  %1 = onnx.Expand(%0, %shape) : (tensor<*xi64>, tensor<2xi64>) -> tensor<*xi64>
  %2 = onnx.Expand(%columns, %shape) : (tensor<*xi64>, tensor<2xi64>) -> tensor<*xi64>
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  %3 = onnx.Unsqueeze(%1, %last) : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %4 = onnx.Unsqueeze(%2, %last) : (tensor<*xi64>, tensor<1xi64>) -> tensor<*xi64>
  %places = onnx.Concat(%3, %4) {axis = -1 : i64} : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
  %5 = onnx.ScatterND(%x, %places, %z) : (tensor<?x?xf32, #onnx.dims<"n", "m">>, tensor<*xi64>, tensor<?x?xf32, #onnx.dims<"n", "m">>) -> tensor<*xf32>
  return %5 : tensor<*xf32>
}

// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @flatten(
func.func @flatten(%x: tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, %any: tensor<*xf32>) {
  // CHECK: onnx.Flatten({{.*}} -> tensor<?x12xf32, #onnx.dims<"n", "">>
  %0 = onnx.Flatten(%x) : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Flatten({{.*}} -> tensor<?x4xf32, #onnx.dims<"3*n", "">>
  %1 = onnx.Flatten(%x) {axis = -1 : i64} : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // Cut before the first axis, and after the last.
  // CHECK: onnx.Flatten({{.*}} -> tensor<1x?xf32, #onnx.dims<"", "12*n">>
  %2 = onnx.Flatten(%x) {axis = 0 : i64} : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Flatten({{.*}} -> tensor<?x1xf32, #onnx.dims<"12*n", "">>
  %3 = onnx.Flatten(%x) {axis = 3 : i64} : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Flatten({{.*}} -> tensor<*xf32>
  %4 = onnx.Flatten(%any) : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @identity(
func.func @identity(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %s: !onnx.seq<tensor<2xf32>>,
                    %o: !onnx.opt<tensor<2xf32>>) {
  // CHECK: onnx.Identity({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %0 = onnx.Identity(%x) : (tensor<?x3xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Identity({{.*}} -> !onnx.seq<tensor<2xf32>>
  %1 = onnx.Identity(%s) : (!onnx.seq<tensor<2xf32>>) -> !onnx.unknown
  // CHECK: onnx.Identity({{.*}} -> !onnx.opt<tensor<2xf32>>
  %2 = onnx.Identity(%o) : (!onnx.opt<tensor<2xf32>>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @reshape(
func.func @reshape(%x: tensor<?x6x4xf32, #onnx.dims<"n", "", "">>, %known: tensor<2x6xf32>) {
  %shape = onnx.Constant dense<[0, 2, -1]> : tensor<3xi64>
  // CHECK: onnx.Reshape({{.*}} -> tensor<?x2x12xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.Reshape(%x, %shape) : (tensor<?x6x4xf32, #onnx.dims<"n", "", "">>, tensor<3xi64>) -> !onnx.unknown
  // CHECK: onnx.Reshape({{.*}} -> tensor<2x2x3xf32>
  %1 = onnx.Reshape(%known, %shape) : (tensor<2x6xf32>, tensor<3xi64>) -> !onnx.unknown
  %rows = onnx.Constant dense<[-1, 8]> : tensor<2xi64>
  // CHECK: onnx.Reshape({{.*}} -> tensor<?x8xf32, #onnx.dims<"3*n", "">>
  %2 = onnx.Reshape(%x, %rows) : (tensor<?x6x4xf32, #onnx.dims<"n", "", "">>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @reshape_zero(
func.func @reshape_zero(%x: tensor<0x6xf32>) {
  %shape = onnx.Constant dense<[3, 0]> : tensor<2xi64>
  // CHECK: onnx.Reshape({{.*}} -> tensor<3x0xf32>
  %0 = onnx.Reshape(%x, %shape) {allowzero = 1 : i64} : (tensor<0x6xf32>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @reshape_of_unknown(
func.func @reshape_of_unknown(%x: tensor<*xf32>, %y: tensor<2x6xf32>, %shape: tensor<3xi64>, %any: tensor<?xi64>) {
  %known = onnx.Constant dense<[4, -1]> : tensor<2xi64>
  // CHECK: onnx.Reshape({{.*}} -> tensor<4x?xf32, #onnx.dims<"", "a.1">>
  %0 = onnx.Reshape(%x, %known) {onnx.outputs = ["a"]} : (tensor<*xf32>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Reshape({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"b.0", "b.1", "b.2">>
  %1 = onnx.Reshape(%y, %shape) {onnx.outputs = ["b"]} : (tensor<2x6xf32>, tensor<3xi64>) -> !onnx.unknown
  // CHECK: onnx.Reshape({{.*}} -> tensor<*xf32>
  %2 = onnx.Reshape(%y, %any) : (tensor<2x6xf32>, tensor<?xi64>) -> !onnx.unknown
  return
}

// -----

// A target calculated from shapes: heads split off, as in attention.
// CHECK-LABEL: @reshape_to_what_was_calculated(
func.func @reshape_to_what_was_calculated(%x: tensor<?x?x768xf32, #onnx.dims<"batch", "seq", "">>) {
  %batch = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x?x768xf32, #onnx.dims<"batch", "seq", "">>) -> !onnx.unknown
  %seq = onnx.Shape(%x) {start = 1 : i64, end = 2 : i64}
      : (tensor<?x?x768xf32, #onnx.dims<"batch", "seq", "">>) -> !onnx.unknown
  %heads = onnx.Constant dense<[12, 64]> : tensor<2xi64>
  %target = onnx.Concat(%batch, %seq, %heads) {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Reshape({{.*}} -> tensor<?x?x12x64xf32, #onnx.dims<"batch", "seq", "", "">>
  %0 = onnx.Reshape(%x, %target) : (tensor<?x?x768xf32, #onnx.dims<"batch", "seq", "">>, !onnx.unknown) -> !onnx.unknown
  %both = onnx.Mul(%batch, %seq) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %width = onnx.Constant dense<-1> : tensor<1xi64>
  %flat = onnx.Concat(%both, %width) {axis = 0 : i64} : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.Reshape({{.*}} -> tensor<?x768xf32, #onnx.dims<"batch*seq", "">>
  %1 = onnx.Reshape(%0, %flat) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @shape_and_size(
func.func @shape_and_size(%x: tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, %any: tensor<*xf32>) {
  // CHECK: onnx.Shape({{.*}} -> tensor<3xi64>
  %0 = onnx.Shape(%x) : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Shape({{.*}} -> tensor<1xi64>
  %1 = onnx.Shape(%x) {start = -2 : i64, end = -1 : i64} : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // Ends that cross, and ends beyond the rank.
  // CHECK: onnx.Shape({{.*}} -> tensor<0xi64>
  %2 = onnx.Shape(%x) {start = 2 : i64, end = 1 : i64} : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Shape({{.*}} -> tensor<3xi64>
  %3 = onnx.Shape(%x) {start = -9223372036854775808 : i64, end = 9223372036854775807 : i64}
      : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Shape({{.*}} -> tensor<?xi64, #onnx.dims<"s.0">>
  %4 = onnx.Shape(%any) {onnx.outputs = ["s"]} : (tensor<*xf32>) -> !onnx.unknown
  // CHECK: onnx.Size({{.*}} -> tensor<i64>
  %5 = onnx.Size(%x) : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %target = onnx.Unsqueeze(%5, %axes) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.Reshape({{.*}} -> tensor<?xf32, #onnx.dims<"12*n">>
  %6 = onnx.Reshape(%x, %target) : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, !onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @squeeze(
func.func @squeeze(%x: tensor<1x?x1x4xf32, #onnx.dims<"", "n", "", "">>, %known: tensor<1x2x1xf32>,
                   %axes: tensor<1xi64>, %any: tensor<*xf32>) {
  %first = onnx.Constant dense<0> : tensor<1xi64>
  %ends = onnx.Constant dense<[0, -2]> : tensor<2xi64>
  // CHECK: onnx.Squeeze({{.*}} -> tensor<?x1x4xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.Squeeze(%x, %first) : (tensor<1x?x1x4xf32, #onnx.dims<"", "n", "", "">>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.Squeeze({{.*}} -> tensor<?x4xf32, #onnx.dims<"n", "">>
  %1 = onnx.Squeeze(%x, %ends) : (tensor<1x?x1x4xf32, #onnx.dims<"", "n", "", "">>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Squeeze({{.*}} -> tensor<2xf32>
  %2 = onnx.Squeeze(%known) : (tensor<1x2x1xf32>) -> !onnx.unknown
  // n may be one.
  // CHECK: onnx.Squeeze({{.*}} -> tensor<*xf32>
  %3 = onnx.Squeeze(%x) : (tensor<1x?x1x4xf32, #onnx.dims<"", "n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Squeeze({{.*}} -> tensor<?x?xf32, #onnx.dims<"q.0", "q.1">>
  %4 = onnx.Squeeze(%known, %axes) {onnx.outputs = ["q"]} : (tensor<1x2x1xf32>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.Squeeze({{.*}} -> tensor<*xf32>
  %5 = onnx.Squeeze(%any, %first) : (tensor<*xf32>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// An axis that is squeezed has size one, wherever its name occurs.
// CHECK-LABEL: @squeeze_a_name(
// CHECK-SAME: tensor<1x4xf32>
func.func @squeeze_a_name(%x: tensor<?x4xf32, #onnx.dims<"n", "">>) {
  %first = onnx.Constant dense<0> : tensor<1xi64>
  // CHECK: onnx.Squeeze({{.*}} -> tensor<4xf32>
  %0 = onnx.Squeeze(%x, %first) : (tensor<?x4xf32, #onnx.dims<"n", "">>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @unsqueeze(
func.func @unsqueeze(%x: tensor<?x4xf32, #onnx.dims<"n", "">>, %axes: tensor<2xi64>, %any: tensor<?xi64>) {
  %ends = onnx.Constant dense<[-1, 0]> : tensor<2xi64>
  // CHECK: onnx.Unsqueeze({{.*}} -> tensor<1x?x4x1xf32, #onnx.dims<"", "n", "", "">>
  %0 = onnx.Unsqueeze(%x, %ends) : (tensor<?x4xf32, #onnx.dims<"n", "">>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Unsqueeze({{.*}} -> tensor<?x?x?x?xf32, #onnx.dims<"u.0", "u.1", "u.2", "u.3">>
  %1 = onnx.Unsqueeze(%x, %axes) {onnx.outputs = ["u"]} : (tensor<?x4xf32, #onnx.dims<"n", "">>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Unsqueeze({{.*}} -> tensor<*xf32>
  %2 = onnx.Unsqueeze(%x, %any) : (tensor<?x4xf32, #onnx.dims<"n", "">>, tensor<?xi64>) -> !onnx.unknown
  return
}

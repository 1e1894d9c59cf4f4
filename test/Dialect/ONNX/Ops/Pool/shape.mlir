// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @pools(
func.func @pools(%X: tensor<1x3x7x8xf32>) {
  // CHECK: onnx.AveragePool({{.*}} -> tensor<1x3x3x3xf32>
  %0 = onnx.AveragePool(%X) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>}
      : (tensor<1x3x7x8xf32>) -> !onnx.unknown
  // CHECK: onnx.LpPool({{.*}} -> tensor<1x3x3x4xf32>
  %1 = onnx.LpPool(%X)
      {ceil_mode = 1 : i64, kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>}
      : (tensor<1x3x7x8xf32>) -> !onnx.unknown
  // CHECK: onnx.MaxPool({{.*}} -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xi64>)
  %2:2 = onnx.MaxPool(%X)
      {auto_pad = "SAME_LOWER", kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>}
      : (tensor<1x3x7x8xf32>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.MaxPool({{.*}} -> tensor<1x3x3x3xf32>
  %3 = onnx.MaxPool(%X)
      {auto_pad = "VALID", kernel_shape = array<i64: 2, 2>, dilations = array<i64: 2, 3>,
       strides = array<i64: 2, 2>}
      : (tensor<1x3x7x8xf32>) -> !onnx.unknown
  return
}

// -----

// With ceil_mode no window begins after the image.
// CHECK-LABEL: @ceil_mode(
func.func @ceil_mode(%X: tensor<1x1x5xf32>) {
  // CHECK: onnx.MaxPool({{.*}} -> tensor<1x1x3xf32>
  %0 = onnx.MaxPool(%X)
      {ceil_mode = 1 : i64, kernel_shape = array<i64: 2>, pads = array<i64: 1, 1>,
       strides = array<i64: 2>}
      : (tensor<1x1x5xf32>) -> !onnx.unknown
  // CHECK: onnx.MaxPool({{.*}} -> tensor<1x1x2xf32>
  %1 = onnx.MaxPool(%X)
      {ceil_mode = 1 : i64, kernel_shape = array<i64: 2>, pads = array<i64: 0, 1>,
       strides = array<i64: 4>}
      : (tensor<1x1x5xf32>) -> !onnx.unknown
  return
}

// -----

// Pools let a window stand once that overhangs by less than a stride.
// CHECK-LABEL: @overhang(
func.func @overhang(%X: tensor<1x1x3xf32>) {
  // CHECK: onnx.MaxPool({{.*}} -> tensor<1x1x1xf32>
  %0 = onnx.MaxPool(%X) {kernel_shape = array<i64: 4>, strides = array<i64: 2>}
      : (tensor<1x1x3xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @names(
func.func @names(%X: tensor<?x3x?xf32, #onnx.dims<"n", "", "h">>, %unknown: tensor<*xf32>) {
  // CHECK: onnx.MaxPool({{.*}} -> tensor<?x3x?xf32, #onnx.dims<"n", "", "h floordiv 2">>
  %0 = onnx.MaxPool(%X) {kernel_shape = array<i64: 2>, strides = array<i64: 2>}
      : (tensor<?x3x?xf32, #onnx.dims<"n", "", "h">>) -> !onnx.unknown
  // CHECK: onnx.MaxPool({{.*}} -> tensor<?x3x?xf32, #onnx.dims<"n", "", "(h + 1) floordiv 2">>
  %1 = onnx.MaxPool(%X)
      {ceil_mode = 1 : i64, kernel_shape = array<i64: 1>, strides = array<i64: 2>}
      : (tensor<?x3x?xf32, #onnx.dims<"n", "", "h">>) -> !onnx.unknown
  // CHECK: onnx.MaxPool({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"a.0", "a.1", "a.2">>
  %2 = onnx.MaxPool(%unknown) {kernel_shape = array<i64: 2>, onnx.outputs = ["a"]}
      : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @global_pools(
func.func @global_pools(%X: tensor<?x3x?x8xf32, #onnx.dims<"n", "", "h", "">>,
                        %unknown: tensor<*xf32>) {
  // CHECK: onnx.GlobalAveragePool({{.*}} -> tensor<?x3x1x1xf32, #onnx.dims<"n", "", "", "">>
  %0 = onnx.GlobalAveragePool(%X)
      : (tensor<?x3x?x8xf32, #onnx.dims<"n", "", "h", "">>) -> !onnx.unknown
  // CHECK: onnx.GlobalLpPool({{.*}} -> tensor<?x3x1x1xf32, #onnx.dims<"n", "", "", "">>
  %1 = onnx.GlobalLpPool(%X)
      : (tensor<?x3x?x8xf32, #onnx.dims<"n", "", "h", "">>) -> !onnx.unknown
  // CHECK: onnx.GlobalMaxPool({{.*}} -> tensor<?x3x1x1xf32, #onnx.dims<"n", "", "", "">>
  %2 = onnx.GlobalMaxPool(%X)
      : (tensor<?x3x?x8xf32, #onnx.dims<"n", "", "h", "">>) -> !onnx.unknown
  // CHECK: onnx.GlobalMaxPool({{.*}} -> tensor<*xf32>
  %3 = onnx.GlobalMaxPool(%unknown) : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @maxunpool(
func.func @maxunpool(%X: tensor<?x1x2x?xf32, #onnx.dims<"n", "", "", "w">>,
                     %I: tensor<?x1x2x?xi64, #onnx.dims<"n", "", "", "w">>) {
  // CHECK: onnx.MaxUnpool({{.*}} -> tensor<?x1x4x?xf32, #onnx.dims<"n", "", "", "2*w">>
  %0 = onnx.MaxUnpool(%X, %I) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<?x1x2x?xf32, #onnx.dims<"n", "", "", "w">>,
         tensor<?x1x2x?xi64, #onnx.dims<"n", "", "", "w">>) -> !onnx.unknown
  return
}

// -----

// What is given counts; batch and channels are those of `X` too.
// CHECK-LABEL: @maxunpool_given(
func.func @maxunpool_given(%X: tensor<?x1x2x2xf32, #onnx.dims<"n", "", "", "">>,
                           %I: tensor<?x1x2x2xi64, #onnx.dims<"n", "", "", "">>,
                           %sizes: tensor<4xi64>) {
  // CHECK: onnx.Relu({{.*}} -> tensor<1x1x2x2xf32>
  %0 = onnx.Relu(%X) : (tensor<?x1x2x2xf32, #onnx.dims<"n", "", "", "">>) -> !onnx.unknown
  %shape = onnx.Constant dense<[1, 1, 5, 6]> : tensor<4xi64>
  // CHECK: onnx.MaxUnpool({{.*}} -> tensor<1x1x5x6xf32>
  %1 = onnx.MaxUnpool(%X, %I, %shape) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<?x1x2x2xf32, #onnx.dims<"n", "", "", "">>,
         tensor<?x1x2x2xi64, #onnx.dims<"n", "", "", "">>, tensor<4xi64>) -> !onnx.unknown
  // CHECK: onnx.MaxUnpool({{.*}} -> tensor<1x1x?x?xf32, #onnx.dims<"", "", "a.2", "a.3">>
  %2 = onnx.MaxUnpool(%X, %I, %sizes) {kernel_shape = array<i64: 2, 2>, onnx.outputs = ["a"]}
      : (tensor<?x1x2x2xf32, #onnx.dims<"n", "", "", "">>,
         tensor<?x1x2x2xi64, #onnx.dims<"n", "", "", "">>, tensor<4xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @boxes(
func.func @boxes(%X: tensor<1x3x8x8xf32>, %rois: tensor<?x5xf32, #onnx.dims<"k", "">>,
                 %corners: tensor<*xf32>, %indices: tensor<?xi64, #onnx.dims<"m">>) {
  // CHECK: onnx.MaxRoiPool({{.*}} -> tensor<?x3x2x4xf32, #onnx.dims<"k", "", "", "">>
  %0 = onnx.MaxRoiPool(%X, %rois) {pooled_shape = array<i64: 2, 4>}
      : (tensor<1x3x8x8xf32>, tensor<?x5xf32, #onnx.dims<"k", "">>) -> !onnx.unknown
  // CHECK: onnx.RoiAlign({{.*}} -> tensor<?x3x5x1xf32, #onnx.dims<"m", "", "", "">>
  %1 = onnx.RoiAlign(%X, %corners, %indices) {output_height = 5 : i64}
      : (tensor<1x3x8x8xf32>, tensor<*xf32>, tensor<?xi64, #onnx.dims<"m">>) -> !onnx.unknown
  return
}

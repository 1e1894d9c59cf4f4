// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @affinegrid(
func.func @affinegrid(%theta: tensor<2x2x3xf32>, %volumes: tensor<?x3x4xf32, #onnx.dims<"n", "", "">>,
                      %size: tensor<4xi64>, %any: tensor<?xi64>) {
  %known = onnx.Constant dense<[2, 3, 5, 6]> : tensor<4xi64>
  // CHECK: onnx.AffineGrid({{.*}} -> tensor<2x5x6x2xf32>
  %0 = onnx.AffineGrid(%theta, %known) : (tensor<2x2x3xf32>, tensor<4xi64>) -> !onnx.unknown
  // The batch is that of the matrices.
  // CHECK: onnx.AffineGrid({{.*}} -> tensor<2x?x?x2xf32, #onnx.dims<"", "a.1", "a.2", "">>
  %1 = onnx.AffineGrid(%theta, %size) {onnx.outputs = ["a"]}
      : (tensor<2x2x3xf32>, tensor<4xi64>) -> !onnx.unknown
  // As many spatial axes as the matrices have rows.
  // CHECK: onnx.AffineGrid({{.*}} -> tensor<?x?x?x?x3xf32
  %2 = onnx.AffineGrid(%volumes, %any)
      : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, tensor<?xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @gridsample(
func.func @gridsample(%x: tensor<?x3x4x4xf32, #onnx.dims<"n", "", "", "">>,
                      %grid: tensor<?x?x7x2xf32, #onnx.dims<"n", "h", "", "">>, %any: tensor<*xf32>) {
  // CHECK: onnx.GridSample({{.*}} -> tensor<?x3x?x7xf32, #onnx.dims<"n", "", "h", "">>
  %0 = onnx.GridSample(%x, %grid)
      : (tensor<?x3x4x4xf32, #onnx.dims<"n", "", "", "">>,
         tensor<?x?x7x2xf32, #onnx.dims<"n", "h", "", "">>) -> !onnx.unknown
  // CHECK: onnx.GridSample({{.*}} -> tensor<?x?x?x7xf32, #onnx.dims<"n", "a.1", "h", "">>
  %1 = onnx.GridSample(%any, %grid) {onnx.outputs = ["a"]}
      : (tensor<*xf32>, tensor<?x?x7x2xf32, #onnx.dims<"n", "h", "", "">>) -> !onnx.unknown
  // CHECK: onnx.GridSample({{.*}} -> tensor<?x3x?x?xf32, #onnx.dims<"n", "", "b.2", "b.3">>
  %2 = onnx.GridSample(%x, %any) {onnx.outputs = ["b"]}
      : (tensor<?x3x4x4xf32, #onnx.dims<"n", "", "", "">>, tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// Batches must be the same one.
// CHECK-LABEL: @gridsample_batch(
func.func @gridsample_batch(%x: tensor<?x3x4x4xf32, #onnx.dims<"n", "", "", "">>, %grid: tensor<8x6x7x2xf32>) {
  // CHECK: onnx.GridSample({{.*}} -> tensor<8x3x6x7xf32>
  %0 = onnx.GridSample(%x, %grid)
      : (tensor<?x3x4x4xf32, #onnx.dims<"n", "", "", "">>, tensor<8x6x7x2xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @resize_scales(
func.func @resize_scales(%x: tensor<1x3x?x5xf32, #onnx.dims<"", "", "h", "">>, %unknown: tensor<4xf32>) {
  %scales = onnx.Constant dense<[1.0, 1.0, 2.0, 0.7]> : tensor<4xf32>
  // CHECK: onnx.Resize({{.*}} -> tensor<1x3x?x3xf32, #onnx.dims<"", "", "2*h", "">>
  %0 = onnx.Resize(%x, _, %scales)
      : (tensor<1x3x?x5xf32, #onnx.dims<"", "", "h", "">>, tensor<4xf32>) -> !onnx.unknown
  %half = onnx.Constant dense<[0.5, 1.5]> : tensor<2xf32>
  // Axes in the order in which they are listed, here the last first.
  // CHECK: onnx.Resize({{.*}} -> tensor<1x3x?x2xf32, #onnx.dims<"", "", "h + h floordiv 2", "">>
  %1 = onnx.Resize(%x, _, %half) {axes = array<i64: 3, -2>}
      : (tensor<1x3x?x5xf32, #onnx.dims<"", "", "h", "">>, tensor<2xf32>) -> !onnx.unknown
  // CHECK: onnx.Resize({{.*}} -> tensor<?x?x?x?xf32, #onnx.dims<"r.0", "r.1", "r.2", "r.3">>
  %2 = onnx.Resize(%x, _, %unknown) {onnx.outputs = ["r"]}
      : (tensor<1x3x?x5xf32, #onnx.dims<"", "", "h", "">>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

// Runtimes crop what is read, not what is made.
// CHECK-LABEL: @resize_roi(
func.func @resize_roi(%x: tensor<1x1x4x6xf32>) {
  %roi = onnx.Constant dense<[0.0, 0.0, 0.25, 0.25, 1.0, 1.0, 0.75, 0.75]> : tensor<8xf32>
  %scales = onnx.Constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  // CHECK: onnx.Resize({{.*}} -> tensor<1x1x8x12xf32>
  %0 = onnx.Resize(%x, %roi, %scales) {coordinate_transformation_mode = "tf_crop_and_resize"}
      : (tensor<1x1x4x6xf32>, tensor<8xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @resize_sizes(
func.func @resize_sizes(%x: tensor<?x3x2x4xf32, #onnx.dims<"n", "", "", "">>, %like: tensor<?x?xf32, #onnx.dims<"h", "w">>) {
  %empty = onnx.Constant dense<> : tensor<0xf32>
  %sizes = onnx.Shape(%like) : (tensor<?x?xf32, #onnx.dims<"h", "w">>) -> !onnx.unknown
  // Of an older form, with an empty list for what is not given.
  // CHECK: onnx.Resize({{.*}} -> tensor<?x3x?x?xf32, #onnx.dims<"n", "", "h", "w">>
  %0 = onnx.Resize(%x, %empty, %empty, %sizes) {axes = array<i64: 2, 3>}
      : (tensor<?x3x2x4xf32, #onnx.dims<"n", "", "", "">>, tensor<0xf32>, tensor<0xf32>, !onnx.unknown)
      -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @resize_policy(
func.func @resize_policy(%x: tensor<1x1x2x4xf32>, %square: tensor<1x1x?x?xf32, #onnx.dims<"", "", "h", "h">>) {
  %sizes = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  // CHECK: onnx.Resize({{.*}} -> tensor<1x1x1x2xf32>
  %0 = onnx.Resize(%x, _, _, %sizes) {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_larger"}
      : (tensor<1x1x2x4xf32>, tensor<2xi64>) -> !onnx.unknown
  // A half is rounded up.
  // CHECK: onnx.Resize({{.*}} -> tensor<1x1x2x3xf32>
  %1 = onnx.Resize(%x, _, _, %sizes) {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_smaller"}
      : (tensor<1x1x2x4xf32>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.Resize({{.*}} -> tensor<1x1x1x1xf32>
  %2 = onnx.Resize(%square, _, _, %sizes) {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_larger"}
      : (tensor<1x1x?x?xf32, #onnx.dims<"", "", "h", "h">>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @resize_of_unknown(
func.func @resize_of_unknown(%x: tensor<*xf32>, %scales: tensor<4xf32>) {
  // CHECK: onnx.Resize({{.*}} -> tensor<*xf32>
  %0 = onnx.Resize(%x, _, %scales) : (tensor<*xf32>, tensor<4xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @upsample(
func.func @upsample(%x: tensor<?x1x2x2xf32, #onnx.dims<"n", "", "", "">>) {
  %scales = onnx.Constant dense<[1.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  // CHECK: onnx.Upsample({{.*}} -> tensor<?x1x4x6xf32, #onnx.dims<"n", "", "", "">>
  %0 = onnx.Upsample(%x, %scales)
      : (tensor<?x1x2x2xf32, #onnx.dims<"n", "", "", "">>, tensor<4xf32>) -> !onnx.unknown
  return
}

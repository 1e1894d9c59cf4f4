// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @transpose(
func.func @transpose(%x: tensor<?x3x4xf32, #onnx.dims<"n", "", "">>, %any: tensor<*xf32>) {
  // CHECK: onnx.Transpose({{.*}} -> tensor<3x?x4xf32, #onnx.dims<"", "n", "">>
  %0 = onnx.Transpose(%x) {perm = array<i64: 1, 0, 2>} : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Transpose({{.*}} -> tensor<4x3x?xf32, #onnx.dims<"", "", "n">>
  %1 = onnx.Transpose(%x) : (tensor<?x3x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.Transpose({{.*}} -> tensor<?x?xf32, #onnx.dims<"t.0", "t.1">>
  %2 = onnx.Transpose(%any) {perm = array<i64: 1, 0>, onnx.outputs = ["t"]} : (tensor<*xf32>) -> !onnx.unknown
  // CHECK: onnx.Transpose({{.*}} -> tensor<*xf32>
  %3 = onnx.Transpose(%any) : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @blocks(
func.func @blocks(%depth: tensor<1x8x?x3xf32, #onnx.dims<"", "", "h", "">>,
                  %space: tensor<?x2x4x6xf32, #onnx.dims<"n", "", "", "">>, %any: tensor<*xf32>) {
  // CHECK: onnx.DepthToSpace({{.*}} -> tensor<1x2x?x6xf32, #onnx.dims<"", "", "2*h", "">>
  %0 = onnx.DepthToSpace(%depth) {blocksize = 2 : i64}
      : (tensor<1x8x?x3xf32, #onnx.dims<"", "", "h", "">>) -> !onnx.unknown
  // CHECK: onnx.SpaceToDepth({{.*}} -> tensor<?x8x2x3xf32, #onnx.dims<"n", "", "", "">>
  %1 = onnx.SpaceToDepth(%space) {blocksize = 2 : i64}
      : (tensor<?x2x4x6xf32, #onnx.dims<"n", "", "", "">>) -> !onnx.unknown
  // There and back again.
  // CHECK: onnx.SpaceToDepth({{.*}} -> tensor<1x8x?x3xf32, #onnx.dims<"", "", "h", "">>
  %2 = onnx.SpaceToDepth(%0) {blocksize = 2 : i64} : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.DepthToSpace({{.*}} -> tensor<*xf32>
  %3 = onnx.DepthToSpace(%any) {blocksize = 2 : i64} : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @reversesequence(
func.func @reversesequence(%x: tensor<?x3xf32, #onnx.dims<"n", "">>, %lengths: tensor<3xi64>) {
  // CHECK: onnx.ReverseSequence({{.*}} -> tensor<?x3xf32, #onnx.dims<"n", "">>
  %0 = onnx.ReverseSequence(%x, %lengths)
      : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<3xi64>) -> !onnx.unknown
  return
}

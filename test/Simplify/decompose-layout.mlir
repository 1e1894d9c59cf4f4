// RUN: invar-opt --invar-decompose --split-input-file %s | FileCheck %s

// CHECK-LABEL: @decompose_depth_to_space(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_depth_to_space(%x: tensor<2x8x3x4xf32>) -> tensor<2x2x6x8xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[0, 2, 2, 2, 3, 4]>
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[X]], %[[SIZES]])
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[RESHAPE]]) {perm = array<i64: 0, 3, 4, 1, 5, 2>}
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[0, 2, 6, 8]>
  // CHECK: %[[RESHAPE2:.*]] = onnx.Reshape(%[[TRANSPOSE]], %[[SIZES2]])
  // CHECK: return %[[RESHAPE2]]
  %0 = onnx.DepthToSpace(%x) {blocksize = 2 : i64} : (tensor<2x8x3x4xf32>) -> tensor<2x2x6x8xf32>
  return %0 : tensor<2x2x6x8xf32>
}

// -----

// A size that is computed may be 0, which must not copy another.
// CHECK-LABEL: @decompose_depth_to_space_of_unknown_sizes(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_depth_to_space_of_unknown_sizes(%x: tensor<?x8x?x4xf32>) -> tensor<?x2x?x8xf32> {
  // CHECK: %[[SHAPE:.*]] = onnx.Shape(%[[X]]) {end = 3 : i64, start = 2 : i64}
  // CHECK: %[[SHAPE2:.*]] = onnx.Shape(%[[X]]) {end = 1 : i64, start = 0 : i64}
  // CHECK: %[[CONCAT:.*]] = onnx.Concat(%[[SHAPE2]], %{{.*}}, %[[SHAPE]], %{{.*}}) {axis = 0 : i64}
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[X]], %[[CONCAT]]) {allowzero = 1 : i64}
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[RESHAPE]]) {perm = array<i64: 0, 1, 4, 2, 5, 3>}
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[SHAPE]], %{{.*}})
  // CHECK: %[[SHAPE3:.*]] = onnx.Shape(%[[TRANSPOSE]]) {end = 1 : i64, start = 0 : i64}
  // CHECK: %[[CONCAT2:.*]] = onnx.Concat(%[[SHAPE3]], %{{.*}}, %[[MUL]], %{{.*}}) {axis = 0 : i64}
  // CHECK: %[[RESHAPE2:.*]] = onnx.Reshape(%[[TRANSPOSE]], %[[CONCAT2]]) {allowzero = 1 : i64}
  // CHECK: return %[[RESHAPE2]]
  %0 = onnx.DepthToSpace(%x) {blocksize = 2 : i64, mode = "CRD"} : (tensor<?x8x?x4xf32>) -> tensor<?x2x?x8xf32>
  return %0 : tensor<?x2x?x8xf32>
}

// -----

// CHECK-LABEL: @decompose_depth_to_space_refused(
func.func @decompose_depth_to_space_refused(%x: tensor<*xf32>) -> tensor<?x?x?x?xf32> {
  // CHECK: onnx.DepthToSpace(
  %0 = onnx.DepthToSpace(%x) {blocksize = 2 : i64} : (tensor<*xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: @decompose_space_to_depth(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_space_to_depth(%x: tensor<2x2x6x8xf32>) -> tensor<2x8x3x4xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[0, 2, 3, 2, 4, 2]>
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[X]], %[[SIZES]])
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[RESHAPE]]) {perm = array<i64: 0, 3, 5, 1, 2, 4>}
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[0, 8, 3, 4]>
  // CHECK: %[[RESHAPE2:.*]] = onnx.Reshape(%[[TRANSPOSE]], %[[SIZES2]])
  // CHECK: return %[[RESHAPE2]]
  %0 = onnx.SpaceToDepth(%x) {blocksize = 2 : i64} : (tensor<2x2x6x8xf32>) -> tensor<2x8x3x4xf32>
  return %0 : tensor<2x8x3x4xf32>
}

// -----

// CHECK-LABEL: @decompose_space_to_depth_refused(
func.func @decompose_space_to_depth_refused(%x: tensor<*xf32>) -> tensor<?x?x?x?xf32> {
  // CHECK: onnx.SpaceToDepth(
  %0 = onnx.SpaceToDepth(%x) {blocksize = 2 : i64} : (tensor<*xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: @decompose_center_crop_pad(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SHAPE:[^:]*]]:
func.func @decompose_center_crop_pad(%x: tensor<5x6xf32>, %shape: tensor<1xi64>) -> tensor<5x?xf32> {
  // CHECK: %[[MAX:.*]] = onnx.Max(%{{.*}}, %[[SHAPE]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[MAX]], %{{.*}})
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SUB]], %{{.*}})
  // CHECK: %[[SUB2:.*]] = onnx.Sub(%[[SUB]], %[[DIV]])
  // CHECK: %[[CONCAT:.*]] = onnx.Concat(%[[DIV]], %[[SUB2]]) {axis = 0 : i64}
  // CHECK: %[[PAD:.*]] = onnx.Pad(%[[X]], %[[CONCAT]], _, %{{.*}})
  // CHECK: %[[SUB3:.*]] = onnx.Sub(%[[MAX]], %[[SHAPE]])
  // CHECK: %[[DIV2:.*]] = onnx.Div(%[[SUB3]], %{{.*}})
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[DIV2]], %[[SHAPE]])
  // CHECK: %[[SLICE:.*]] = onnx.Slice(%[[PAD]], %[[DIV2]], %[[ADD]], %{{.*}})
  // CHECK: return %[[SLICE]]
  %0 = onnx.CenterCropPad(%x, %shape) {axes = array<i64: -1>} : (tensor<5x6xf32>, tensor<1xi64>) -> tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}

// -----

// CHECK-LABEL: @decompose_center_crop_pad_refused(
func.func @decompose_center_crop_pad_refused(%x: tensor<*xf32>, %shape: tensor<1xi64>) -> tensor<*xf32> {
  // CHECK: onnx.CenterCropPad(
  %0 = onnx.CenterCropPad(%x, %shape) {axes = array<i64: -1>} : (tensor<*xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @decompose_blackman_window(
// CHECK-SAME: %[[N:[^:]*]]:
func.func @decompose_blackman_window(%n: tensor<i64>) -> tensor<?xf32> {
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[N]]) {to = 1 : i64}
  // CHECK: %[[RANGE:.*]] = onnx.Range(%{{.*}}, %[[N]], %{{.*}})
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[RANGE]]) {to = 1 : i64}
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<6.28318548>
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[NUMBER]], %[[CAST]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[CAST2]], %[[DIV]])
  // CHECK: %[[COS:.*]] = onnx.Cos(%[[MUL]])
  // CHECK: %[[HALF:.*]] = onnx.Constant {{.*}}dense<5.000000e-01>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[HALF]], %[[COS]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<4.200000e-01>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[NUMBER2]], %[[MUL2]])
  // CHECK: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[MUL3:.*]] = onnx.Mul(%[[MUL]], %[[TWO]])
  // CHECK: %[[COS2:.*]] = onnx.Cos(%[[MUL3]])
  // CHECK: %[[NUMBER3:.*]] = onnx.Constant {{.*}}dense<8.000000e-02>
  // CHECK: %[[MUL4:.*]] = onnx.Mul(%[[NUMBER3]], %[[COS2]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[SUB]], %[[MUL4]])
  // CHECK: return %[[ADD]]
  %0 = onnx.BlackmanWindow(%n) : (tensor<i64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @decompose_blackman_window_refused(
func.func @decompose_blackman_window_refused(%n: tensor<*xi64>) -> tensor<?xf32> {
  // CHECK: onnx.BlackmanWindow(
  %0 = onnx.BlackmanWindow(%n) : (tensor<*xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @decompose_hamming_window(
// CHECK-SAME: %[[N:[^:]*]]:
func.func @decompose_hamming_window(%n: tensor<i64>) -> tensor<?xf32> {
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[N]]) {to = 1 : i64}
  // CHECK: %[[RANGE:.*]] = onnx.Range(%{{.*}}, %[[N]], %{{.*}})
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[RANGE]]) {to = 1 : i64}
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<6.28318548>
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[NUMBER]], %[[CAST]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[CAST2]], %[[DIV]])
  // CHECK: %[[COS:.*]] = onnx.Cos(%[[MUL]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<0.456521749>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[NUMBER2]], %[[COS]])
  // CHECK: %[[NUMBER3:.*]] = onnx.Constant {{.*}}dense<0.543478251>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[NUMBER3]], %[[MUL2]])
  // CHECK: return %[[SUB]]
  %0 = onnx.HammingWindow(%n) : (tensor<i64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @decompose_hamming_window_refused(
func.func @decompose_hamming_window_refused(%n: tensor<*xi64>) -> tensor<?xf32> {
  // CHECK: onnx.HammingWindow(
  %0 = onnx.HammingWindow(%n) : (tensor<*xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @decompose_hann_window(
// CHECK-SAME: %[[N:[^:]*]]:
func.func @decompose_hann_window(%n: tensor<i64>) -> tensor<?xf32> {
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[N]]) {to = 1 : i64}
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[CAST]], %[[ONE]])
  // CHECK: %[[RANGE:.*]] = onnx.Range(%{{.*}}, %[[N]], %{{.*}})
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[RANGE]]) {to = 1 : i64}
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<6.28318548>
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[NUMBER]], %[[SUB]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[CAST2]], %[[DIV]])
  // CHECK: %[[COS:.*]] = onnx.Cos(%[[MUL]])
  // CHECK: %[[HALF:.*]] = onnx.Constant {{.*}}dense<5.000000e-01>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[HALF]], %[[COS]])
  // CHECK: %[[HALF2:.*]] = onnx.Constant {{.*}}dense<5.000000e-01>
  // CHECK: %[[SUB2:.*]] = onnx.Sub(%[[HALF2]], %[[MUL2]])
  // CHECK: return %[[SUB2]]
  %0 = onnx.HannWindow(%n) {periodic = 0 : i64} : (tensor<i64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @decompose_hann_window_refused(
func.func @decompose_hann_window_refused(%n: tensor<*xi64>) -> tensor<?xf32> {
  // CHECK: onnx.HannWindow(
  %0 = onnx.HannWindow(%n) : (tensor<*xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @decompose_affine_grid(
// CHECK-SAME: %[[THETA:[^:]*]]:{{.*}} %[[SIZE:[^:]*]]:
func.func @decompose_affine_grid(%theta: tensor<?x2x3xf32>, %size: tensor<4xi64>) -> tensor<?x?x?x2xf32> {
  // CHECK: %[[SLICE:.*]] = onnx.Slice(%[[SIZE]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[SQUEEZE:.*]] = onnx.Squeeze(%[[SLICE]], %{{.*}})
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[SQUEEZE]]) {to = 1 : i64}
  // CHECK: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[TWO]], %[[CAST]])
  // CHECK: %[[TWO2:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[DIV2:.*]] = onnx.Div(%[[DIV]], %[[TWO2]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[DIV2]], %[[ONE]])
  // CHECK: %[[RANGE:.*]] = onnx.Range(%{{.*}}, %[[SQUEEZE]], %{{.*}})
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[RANGE]]) {to = 1 : i64}
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[CAST2]], %[[DIV]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[SUB]], %[[MUL]])
  // CHECK: %[[GATHER:.*]] = onnx.Gather(%[[THETA]], %{{.*}}) {axis = 2 : i64}
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[GATHER]]) {perm = array<i64: 0, 2, 1>}
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[TRANSPOSE]], %{{.*}})
  // CHECK: %[[UNSQUEEZE2:.*]] = onnx.Unsqueeze(%[[ADD]], %{{.*}})
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[UNSQUEEZE]], %[[UNSQUEEZE2]])
  // CHECK: %[[SLICE2:.*]] = onnx.Slice(%[[SIZE]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[SQUEEZE2:.*]] = onnx.Squeeze(%[[SLICE2]], %{{.*}})
  // CHECK: %[[CAST3:.*]] = onnx.Cast(%[[SQUEEZE2]]) {to = 1 : i64}
  // CHECK: %[[TWO3:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[DIV3:.*]] = onnx.Div(%[[TWO3]], %[[CAST3]])
  // CHECK: %[[TWO4:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[DIV4:.*]] = onnx.Div(%[[DIV3]], %[[TWO4]])
  // CHECK: %[[ONE2:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[SUB2:.*]] = onnx.Sub(%[[DIV4]], %[[ONE2]])
  // CHECK: %[[RANGE2:.*]] = onnx.Range(%{{.*}}, %[[SQUEEZE2]], %{{.*}})
  // CHECK: %[[CAST4:.*]] = onnx.Cast(%[[RANGE2]]) {to = 1 : i64}
  // CHECK: %[[MUL3:.*]] = onnx.Mul(%[[CAST4]], %[[DIV3]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[SUB2]], %[[MUL3]])
  // CHECK: %[[GATHER2:.*]] = onnx.Gather(%[[THETA]], %{{.*}}) {axis = 2 : i64}
  // CHECK: %[[TRANSPOSE2:.*]] = onnx.Transpose(%[[GATHER2]]) {perm = array<i64: 0, 2, 1>}
  // CHECK: %[[UNSQUEEZE3:.*]] = onnx.Unsqueeze(%[[TRANSPOSE2]], %{{.*}})
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE4:.*]] = onnx.Unsqueeze(%[[ADD2]], %[[SIZES]])
  // CHECK: %[[MUL4:.*]] = onnx.Mul(%[[UNSQUEEZE3]], %[[UNSQUEEZE4]])
  // CHECK: %[[ADD3:.*]] = onnx.Add(%[[MUL2]], %[[MUL4]])
  // CHECK: %[[GATHER3:.*]] = onnx.Gather(%[[THETA]], %{{.*}}) {axis = 2 : i64}
  // CHECK: %[[TRANSPOSE3:.*]] = onnx.Transpose(%[[GATHER3]]) {perm = array<i64: 0, 2, 1>}
  // CHECK: %[[UNSQUEEZE5:.*]] = onnx.Unsqueeze(%[[TRANSPOSE3]], %{{.*}})
  // CHECK: %[[ADD4:.*]] = onnx.Add(%[[ADD3]], %[[UNSQUEEZE5]])
  // CHECK: return %[[ADD4]]
  %0 = onnx.AffineGrid(%theta, %size) : (tensor<?x2x3xf32>, tensor<4xi64>) -> tensor<?x?x?x2xf32>
  return %0 : tensor<?x?x?x2xf32>
}

// -----

// It may have two dimensions or three.
// CHECK-LABEL: @decompose_affine_grid_refused(
func.func @decompose_affine_grid_refused(%theta: tensor<?x?x?xf32>, %size: tensor<?xi64>) -> tensor<*xf32> {
  // CHECK: onnx.AffineGrid(
  %0 = onnx.AffineGrid(%theta, %size) : (tensor<?x?x?xf32>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

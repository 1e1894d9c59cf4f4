// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @quantize(
// CHECK: ^bb0(%[[X:.*]]: f32, %[[SCALE:.*]]: f32, %[[ZERO:.*]]: i8, %{{.*}}: i8):
// CHECK: %[[QUOTIENT:.*]] = arith.divf %[[X]], %[[SCALE]] : f32
// CHECK: math.roundeven %[[QUOTIENT]]
// CHECK: arith.fptosi {{.*}} : f32 to i32
// CHECK: arith.trunci {{.*}} : i32 to i8
func.func @quantize(%x: tensor<2x3xf32>, %scale: tensor<3xf32>, %zero: tensor<3xi8>) -> tensor<*xi8> {
  %0 = onnx.QuantizeLinear(%x, %scale, %zero) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<*xi8>
  return %0 : tensor<*xi8>
}

// -----

// CHECK-LABEL: @to_float8(
// CHECK: %[[QUOTIENTS:.*]] = linalg.generic
// CHECK: rt.call "Cast"(%[[QUOTIENTS]]) {wraps = 0 : i64}
func.func @to_float8(%x: tensor<3xf32>, %scale: tensor<f32>, %zero: tensor<f8E5M2>) -> tensor<*xf8E5M2> {
  %0 = onnx.QuantizeLinear(%x, %scale, %zero) : (tensor<3xf32>, tensor<f32>, tensor<f8E5M2>) -> tensor<*xf8E5M2>
  return %0 : tensor<*xf8E5M2>
}

// -----

// A scale stands for a block of the axis.
// CHECK: #[[BLOCKS:.*]] = affine_map<(d0, d1) -> (d0 floordiv 4, d1)>
// CHECK-LABEL: @blocks(
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[BLOCKS]], #{{.*}}]
// CHECK: ^bb0(%[[X:.*]]: i4,
// CHECK: arith.sitofp %[[X]] : i4 to f32
func.func @blocks(%x: tensor<10x3xi4>, %scale: tensor<3x3xf16>) -> tensor<*xf16> {
  %0 = onnx.DequantizeLinear(%x, %scale) {axis = 0 : i64, block_size = 4 : i64} : (tensor<10x3xi4>, tensor<3x3xf16>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

// -----

// Zero points are operands of the one sum; one that is known to be 0 is left out.
// CHECK-LABEL: @matmul(
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3xui8>, tensor<3x4xi8>, tensor<ui8>)
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK: arith.extsi {{.*}} : i8 to i32
// CHECK: arith.muli {{.*}} : i32
func.func @matmul(%a: tensor<2x3xui8>, %b: tensor<3x4xi8>, %zero: tensor<ui8>) -> tensor<*xi32> {
  %none = onnx.Constant dense<0> : tensor<4xi8>
  %0 = onnx.MatMulInteger(%a, %b, %zero, %none) : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<ui8>, tensor<4xi8>) -> tensor<*xi32>
  return %0 : tensor<*xi32>
}

// -----

// Around the image is its zero point.
// CHECK-LABEL: @conv(
// CHECK: %[[ZERO:.*]] = tensor.extract %{{.*}}[] : tensor<ui8>
// CHECK: tensor.yield %[[ZERO]] : ui8
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x1x6x6xui8>, tensor<2x1x3x3xui8>, tensor<ui8>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x2x4x4xi32>)
func.func @conv(%x: tensor<1x1x4x4xui8>, %w: tensor<2x1x3x3xui8>, %zero: tensor<ui8>) -> tensor<*xi32> {
  %0 = onnx.ConvInteger(%x, %w, %zero) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x4x4xui8>, tensor<2x1x3x3xui8>, tensor<ui8>) -> tensor<*xi32>
  return %0 : tensor<*xi32>
}

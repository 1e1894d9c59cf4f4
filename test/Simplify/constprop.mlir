// RUN: invar-opt --invar-constprop %s | FileCheck %s
// RUN: invar-opt --invar-constprop=max-growth=0 %s | FileCheck %s --check-prefix=TIGHT

// CHECK-LABEL: @doc(
// CHECK-NEXT: %[[SIX:.*]] = onnx.Constant {onnx.initializer} dense<6.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[SIX]]
func.func @doc() -> tensor<f32> {
  %1 = onnx.Constant dense<1.0> : tensor<f32>
  %2 = onnx.Constant dense<2.0> : tensor<f32>
  %3 = onnx.Add(%1, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %4 = onnx.Constant dense<3.0> : tensor<f32>
  %5 = onnx.Add(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %5 : tensor<f32>
}

// What expands is stored only if that may cost something, and what shrinks again always is.
// CHECK-LABEL: @expands(
// CHECK-DAG: dense<1.500000e+00> : tensor<100x100xf32>
// CHECK-DAG: dense<1.500000e+04> : tensor<f32>
// CHECK-NOT: onnx.Expand
// TIGHT-LABEL: @expands(
// TIGHT-DAG: onnx.Expand(
// TIGHT-DAG: dense<1.500000e+04> : tensor<f32>
func.func @expands() -> (tensor<100x100xf32>, tensor<f32>) {
  %c = onnx.Constant dense<1.5> : tensor<f32>
  %shape = onnx.Constant dense<100> : tensor<2xi64>
  %0 = onnx.Expand(%c, %shape) : (tensor<f32>, tensor<2xi64>) -> tensor<100x100xf32>
  %1 = onnx.ReduceSum(%0) {keepdims = 0 : i64} : (tensor<100x100xf32>) -> tensor<f32>
  return %0, %1 : tensor<100x100xf32>, tensor<f32>
}

// A weight that is used as it is and transposed is stored once.
// TIGHT-LABEL: @tied(
// TIGHT: onnx.Constant
// TIGHT-NOT: onnx.Constant
// TIGHT: onnx.Transpose(
// TIGHT-NOT: onnx.Constant
// TIGHT: return
func.func @tied(%x: tensor<?x2x8xf32>, %y: tensor<?x2x4xf32>) -> (tensor<?x2x4xf32>, tensor<?x2x8xf32>) {
  %w = onnx.Constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 5.0, 7.0], [2.0, 4.0, 6.0, 8.0], [0.0, 1.0, 0.0, 2.0],
                            [5.0, 2.0, 3.0, 4.0], [6.0, 3.0, 5.0, 7.0], [7.0, 4.0, 6.0, 8.0], [8.0, 1.0, 0.0, 2.0]]> : tensor<8x4xf32>
  %t = onnx.Transpose(%w) : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %0 = onnx.MatMul(%x, %w) : (tensor<?x2x8xf32>, tensor<8x4xf32>) -> tensor<?x2x4xf32>
  %1 = onnx.MatMul(%y, %t) : (tensor<?x2x4xf32>, tensor<4x8xf32>) -> tensor<?x2x8xf32>
  return %0, %1 : tensor<?x2x4xf32>, tensor<?x2x8xf32>
}

// Shapes that are known are constants, though what they are of is not.
// CHECK-LABEL: @shape(
// CHECK: dense<[2, 3]> : tensor<2xi64>
// CHECK-NOT: onnx.Shape
func.func @shape(%x: tensor<2x3xf32>) -> tensor<2xi64> {
  %0 = onnx.Shape(%x) : (tensor<2x3xf32>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// Random numbers never are.
// CHECK-LABEL: @random(
// CHECK: onnx.RandomNormalLike(
func.func @random() -> tensor<2xf32> {
  %c = onnx.Constant dense<1.5> : tensor<2xf32>
  %0 = onnx.RandomNormalLike(%c) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

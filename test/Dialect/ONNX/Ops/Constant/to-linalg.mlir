// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @sparse(
// CHECK: const.ref {{.*}}dense<{{\[\[}}0.000000e+00, 5.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 6.000000e+00]]>
func.func @sparse(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = onnx.Constant {sparse_value = #onnx.sparse<dense<[5.0, 6.0]> : tensor<2xf32>
      at dense<[1, 5]> : tensor<2xi64> in tensor<2x3xf32>>} : tensor<2x3xf32>
  %0 = onnx.Add(%x, %c) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @sparse_by_axis(
// CHECK: const.ref {{.*}}dense<{{\[\[}}0.000000e+00, 5.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 6.000000e+00]]>
func.func @sparse_by_axis(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = onnx.Constant {sparse_value = #onnx.sparse<dense<[5.0, 6.0]> : tensor<2xf32>
      at dense<[[0, 1], [1, 2]]> : tensor<2x2xi64> in tensor<2x3xf32>>} : tensor<2x3xf32>
  %0 = onnx.Add(%x, %c) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

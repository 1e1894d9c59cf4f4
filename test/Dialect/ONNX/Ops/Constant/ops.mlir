// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @constant(
func.func @constant() {
  // CHECK: onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %0 = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: onnx.Constant {onnx.initializer} dense<5.000000e-01> : tensor<2x3xf32>
  %1 = onnx.Constant {onnx.initializer} dense<0.5> : tensor<2x3xf32>
  // CHECK: onnx.Constant {value_int = 3 : i64} : tensor<i64>
  %2 = onnx.Constant {value_int = 3 : i64} : tensor<i64>
  // CHECK: onnx.Constant {sparse_value = #onnx.sparse<dense<7> : tensor<1xi64>
  // CHECK-SAME: at dense<2> : tensor<1xi64> in tensor<4xi64>>} : tensor<4xi64>
  %3 = onnx.Constant {sparse_value = #onnx.sparse<dense<7> : tensor<1xi64>
                      at dense<2> : tensor<1xi64> in tensor<4xi64>>} : tensor<4xi64>
  return
}

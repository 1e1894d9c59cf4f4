// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @cdist(
func.func @cdist(%A: tensor<?x3xf64>, %B: tensor<5x3xf64>) {
  // CHECK: onnx.ms.CDist(%arg0, %arg1) {metric = "euclidean"}
  // CHECK-SAME: : (tensor<?x3xf64>, tensor<5x3xf64>) -> tensor<?x5xf64>
  %0 = onnx.ms.CDist(%A, %B) {metric = "euclidean"}
      : (tensor<?x3xf64>, tensor<5x3xf64>) -> tensor<?x5xf64>
  return
}

// CHECK-LABEL: @murmurhash3(
func.func @murmurhash3(%X: tensor<2x3x!elements.string>) {
  // CHECK: onnx.ms.MurmurHash3(%arg0) {positive = 0 : i64, seed = 7 : i64}
  // CHECK-SAME: : (tensor<2x3x!elements.string>) -> tensor<2x3xi32>
  %0 = onnx.ms.MurmurHash3(%X) {positive = 0 : i64, seed = 7 : i64}
      : (tensor<2x3x!elements.string>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: @tokenizer(
func.func @tokenizer(%X: tensor<?x!elements.string>) {
  // CHECK: onnx.ms.Tokenizer(%arg0)
  // CHECK-SAME: {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "#", separators = [" ", "[,;]"]}
  // CHECK-SAME: : (tensor<?x!elements.string>) -> tensor<?x?x!elements.string>
  %0 = onnx.ms.Tokenizer(%X)
      {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "#", separators = [" ", "[,;]"]}
      : (tensor<?x!elements.string>) -> tensor<?x?x!elements.string>
  return
}

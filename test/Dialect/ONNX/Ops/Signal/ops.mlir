// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @blackmanwindow(
func.func @blackmanwindow(%size: tensor<i32>) {
  // CHECK: onnx.BlackmanWindow(%arg0) {output_datatype = 11 : i64, periodic = 0 : i64}
  // CHECK-SAME: : (tensor<i32>) -> tensor<?xf64>
  %0 = onnx.BlackmanWindow(%size) {output_datatype = 11 : i64, periodic = 0 : i64}
      : (tensor<i32>) -> tensor<?xf64>
  return
}

// CHECK-LABEL: @hammingwindow(
func.func @hammingwindow(%size: tensor<i32>) {
  // CHECK: onnx.HammingWindow(%arg0) {output_datatype = 11 : i64, periodic = 0 : i64}
  // CHECK-SAME: : (tensor<i32>) -> tensor<?xf64>
  %0 = onnx.HammingWindow(%size) {output_datatype = 11 : i64, periodic = 0 : i64}
      : (tensor<i32>) -> tensor<?xf64>
  return
}

// CHECK-LABEL: @hannwindow(
func.func @hannwindow(%size: tensor<i32>) {
  // CHECK: onnx.HannWindow(%arg0) {output_datatype = 11 : i64, periodic = 0 : i64}
  // CHECK-SAME: : (tensor<i32>) -> tensor<?xf64>
  %0 = onnx.HannWindow(%size) {output_datatype = 11 : i64, periodic = 0 : i64}
      : (tensor<i32>) -> tensor<?xf64>
  return
}

// CHECK-LABEL: @dft(
func.func @dft(%input: tensor<1x10x2xf32>, %axis: tensor<i64>) {
  // CHECK: onnx.DFT(%arg0, _, %arg1) {inverse = 1 : i64}
  // CHECK-SAME: : (tensor<1x10x2xf32>, tensor<i64>) -> tensor<1x10x2xf32>
  %0 = onnx.DFT(%input, _, %axis) {inverse = 1 : i64}
      : (tensor<1x10x2xf32>, tensor<i64>) -> tensor<1x10x2xf32>
  return
}

// CHECK-LABEL: @dft_2(
func.func @dft_2(%input: tensor<1x10x1xf32>, %dft_length: tensor<i64>) {
  // CHECK: onnx.DFT(%arg0, %arg1) {onesided = 1 : i64}
  // CHECK-SAME: : (tensor<1x10x1xf32>, tensor<i64>) -> tensor<1x?x2xf32>
  %0 = onnx.DFT(%input, %dft_length) {onesided = 1 : i64}
      : (tensor<1x10x1xf32>, tensor<i64>) -> tensor<1x?x2xf32>
  return
}

// CHECK-LABEL: @melweightmatrix(
func.func @melweightmatrix(%num_mel_bins: tensor<i64>, %dft_length: tensor<i64>,
                           %sample_rate: tensor<i64>, %lower: tensor<f32>,
                           %upper: tensor<f32>) {
  // CHECK: onnx.MelWeightMatrix(%arg0, %arg1, %arg2, %arg3, %arg4)
  // CHECK-SAME: {output_datatype = 10 : i64}
  // CHECK-SAME: : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>)
  // CHECK-SAME: -> tensor<?x?xf16>
  %0 = onnx.MelWeightMatrix(%num_mel_bins, %dft_length, %sample_rate, %lower, %upper)
      {output_datatype = 10 : i64}
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>)
      -> tensor<?x?xf16>
  return
}

// CHECK-LABEL: @stft(
func.func @stft(%signal: tensor<1x128x1xf32>, %frame_step: tensor<i64>,
                %frame_length: tensor<i64>) {
  // CHECK: onnx.STFT(%arg0, %arg1, _, %arg2) {onesided = 0 : i64}
  // CHECK-SAME: : (tensor<1x128x1xf32>, tensor<i64>, tensor<i64>) -> tensor<1x?x?x2xf32>
  %0 = onnx.STFT(%signal, %frame_step, _, %frame_length) {onesided = 0 : i64}
      : (tensor<1x128x1xf32>, tensor<i64>, tensor<i64>) -> tensor<1x?x?x2xf32>
  return
}

// CHECK-LABEL: @stft_2(
func.func @stft_2(%signal: tensor<1x128x1xf32>, %frame_step: tensor<i64>,
                  %window: tensor<16xf32>) {
  // CHECK: onnx.STFT(%arg0, %arg1, %arg2)
  // CHECK-SAME: : (tensor<1x128x1xf32>, tensor<i64>, tensor<16xf32>)
  // CHECK-SAME: -> tensor<1x15x9x2xf32>
  %0 = onnx.STFT(%signal, %frame_step, %window)
      : (tensor<1x128x1xf32>, tensor<i64>, tensor<16xf32>) -> tensor<1x15x9x2xf32>
  return
}

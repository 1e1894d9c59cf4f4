// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @windows(
func.func @windows(%n: tensor<i64>) {
  %size = onnx.Constant dense<10> : tensor<i64>
  // CHECK: onnx.HannWindow({{.*}} -> tensor<10xf32>
  %0 = onnx.HannWindow(%size) : (tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.HammingWindow({{.*}} -> tensor<10xf64>
  %1 = onnx.HammingWindow(%size) {output_datatype = 11 : i64} : (tensor<i64>) -> !onnx.unknown
  // A size that depends on data.
  // CHECK: onnx.BlackmanWindow({{.*}} -> tensor<?xf32, #onnx.dims<"w.0">>
  %2 = onnx.BlackmanWindow(%n) {onnx.outputs = ["w"]} : (tensor<i64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @window_of_a_size(
func.func @window_of_a_size(%x: tensor<?x8xf32, #onnx.dims<"n", "">>) {
  %shape = onnx.Shape(%x) {end = 1 : i64} : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.HannWindow({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %0 = onnx.HannWindow(%shape) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @dft(
func.func @dft(%x: tensor<2x?x5x1xf32, #onnx.dims<"", "n", "", "">>, %spectrum: tensor<2x6x2xf32>) {
  %one = onnx.Constant dense<1> : tensor<i64>
  %length = onnx.Constant dense<9> : tensor<i64>
  // The axis before the last, by default.
  // CHECK: onnx.DFT({{.*}} -> tensor<2x?x3x2xf32, #onnx.dims<"", "n", "", "">>
  %0 = onnx.DFT(%x) {onesided = 1 : i64}
      : (tensor<2x?x5x1xf32, #onnx.dims<"", "n", "", "">>) -> !onnx.unknown
  // CHECK: onnx.DFT({{.*}} -> tensor<2x?x5x2xf32, #onnx.dims<"", "n floordiv 2 + 1", "", "">>
  %1 = onnx.DFT(%x, _, %one) {onesided = 1 : i64}
      : (tensor<2x?x5x1xf32, #onnx.dims<"", "n", "", "">>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.DFT({{.*}} -> tensor<2x9x5x2xf32>
  %2 = onnx.DFT(%x, %length, %one)
      : (tensor<2x?x5x1xf32, #onnx.dims<"", "n", "", "">>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.DFT({{.*}} -> tensor<2x10x1xf32>
  %3 = onnx.DFT(%spectrum) {inverse = 1 : i64, onesided = 1 : i64}
      : (tensor<2x6x2xf32>) -> !onnx.unknown
  // CHECK: onnx.DFT({{.*}} -> tensor<2x9x1xf32>
  %4 = onnx.DFT(%spectrum, %length, %one) {inverse = 1 : i64, onesided = 1 : i64}
      : (tensor<2x6x2xf32>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @dft_unknown(
func.func @dft_unknown(%x: tensor<2x6x5x1xf32>, %axis: tensor<i64>, %any: tensor<*xf32>) {
  // The axis may be any but the last; half of 2 and one is 2.
  // CHECK: onnx.DFT({{.*}} -> tensor<2x?x?x2xf32, #onnx.dims<"", "y.1", "y.2", "">>
  %0 = onnx.DFT(%x, _, %axis) {onesided = 1 : i64, onnx.outputs = ["y"]}
      : (tensor<2x6x5x1xf32>, tensor<i64>) -> !onnx.unknown
  // Whichever it is, it keeps its size.
  // CHECK: onnx.DFT({{.*}} -> tensor<2x6x5x2xf32>
  %1 = onnx.DFT(%x, _, %axis) : (tensor<2x6x5x1xf32>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.DFT({{.*}} -> tensor<*xf32>
  %2 = onnx.DFT(%any) : (tensor<*xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @melweightmatrix(
func.func @melweightmatrix(%bands: tensor<i64>, %rate: tensor<i64>, %edge: tensor<f32>) {
  %eight = onnx.Constant dense<8> : tensor<i64>
  %length = onnx.Constant dense<16> : tensor<i64>
  // CHECK: onnx.MelWeightMatrix({{.*}} -> tensor<9x8xf16>
  %0 = onnx.MelWeightMatrix(%eight, %length, %rate, %edge, %edge) {output_datatype = 10 : i64}
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> !onnx.unknown
  // CHECK: onnx.MelWeightMatrix({{.*}} -> tensor<9x?xf32, #onnx.dims<"", "m.1">>
  %1 = onnx.MelWeightMatrix(%bands, %length, %rate, %edge, %edge) {onnx.outputs = ["m"]}
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @stft(
func.func @stft(%x: tensor<1x128x1xf32>, %named: tensor<?x?x2xf32, #onnx.dims<"b", "n", "">>,
                %window: tensor<16xf32>, %any: tensor<*xf32>) {
  %step = onnx.Constant dense<8> : tensor<i64>
  %length = onnx.Constant dense<16> : tensor<i64>
  // CHECK: onnx.STFT({{.*}} -> tensor<1x15x9x2xf32>
  %0 = onnx.STFT(%x, %step, _, %length) : (tensor<1x128x1xf32>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.STFT({{.*}} -> tensor<?x?x16x2xf32, #onnx.dims<"b", "n floordiv 8 - 1", "", "">>
  %1 = onnx.STFT(%named, %step, %window) {onesided = 0 : i64}
      : (tensor<?x?x2xf32, #onnx.dims<"b", "n", "">>, tensor<i64>, tensor<16xf32>) -> !onnx.unknown
  // Without either a frame is the whole signal.
  // CHECK: onnx.STFT({{.*}} -> tensor<1x1x65x2xf32>
  %2 = onnx.STFT(%x, %step) : (tensor<1x128x1xf32>, tensor<i64>) -> !onnx.unknown
  // CHECK: onnx.STFT({{.*}} -> tensor<?x?x9x2xf32, #onnx.dims<"y.0", "y.1", "", "">>
  %3 = onnx.STFT(%any, %step, _, %length) {onnx.outputs = ["y"]}
      : (tensor<*xf32>, tensor<i64>, tensor<i64>) -> !onnx.unknown
  return
}

// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

// CHECK-LABEL: @distances(
// CHECK-DAG: dense<{{\[\[}}5.000000e+00, 0.000000e+00], [0.000000e+00, 5.000000e+00]]> : tensor<2x2xf64>
// CHECK-DAG: dense<{{\[\[}}2.500000e+01], [6.400000e+01]]> : tensor<2x1xf32>
// CHECK-DAG: dense<0.000000e+00> : tensor<2x3xf32>
func.func @distances() -> (tensor<2x2xf64>, tensor<2x1xf32>, tensor<2x3xf32>) {
  %a = onnx.Constant dense<[[3.0, 4.0], [0.0, 0.0]]> : tensor<2x2xf64>
  %b = onnx.Constant dense<[[0.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %d = onnx.Constant dense<[[3.0, 4.0], [0.0, 8.0]]> : tensor<2x2xf32>
  %e = onnx.Constant dense<0.0> : tensor<1x2xf32>
  %f = onnx.Constant dense<0.0> : tensor<2x0xf32>
  %g = onnx.Constant dense<0.0> : tensor<3x0xf32>
  %0 = onnx.ms.CDist(%a, %b) {metric = "euclidean"} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %1 = onnx.ms.CDist(%d, %e) : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x1xf32>
  %2 = onnx.ms.CDist(%f, %g) : (tensor<2x0xf32>, tensor<3x0xf32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x2xf64>, tensor<2x1xf32>, tensor<2x3xf32>
}

// -----

// Numbers are hashed as they lie in memory, so that zeros of both signs differ.
// CHECK-LABEL: @hashes(
// CHECK-DAG: dense<[4226891818, 1085422463, 847579505]> : tensor<3xui32>
// CHECK-DAG: dense<[-68075478, 1085422463, 847579505]> : tensor<3xi32>
// CHECK-DAG: dense<[0, 1009084850]> : tensor<2xui32>
// CHECK-DAG: dense<[593689054, 2576668564]> : tensor<2xui32>
func.func @hashes() -> (tensor<3xui32>, tensor<3xi32>, tensor<2xui32>, tensor<2xui32>) {
  %a = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = onnx.Constant dense<["", "a"]> : tensor<2x!elements.string>
  %c = onnx.Constant dense<[0.0, -0.0]> : tensor<2xf32>
  %0 = onnx.ms.MurmurHash3(%a) : (tensor<3xi32>) -> tensor<3xui32>
  %1 = onnx.ms.MurmurHash3(%a) {positive = 0 : i64, seed = 4294967296 : i64} : (tensor<3xi32>) -> tensor<3xi32>
  %2 = onnx.ms.MurmurHash3(%b) : (tensor<2x!elements.string>) -> tensor<2xui32>
  %3 = onnx.ms.MurmurHash3(%c) : (tensor<2xf32>) -> tensor<2xui32>
  return %0, %1, %2, %3 : tensor<3xui32>, tensor<3xi32>, tensor<2xui32>, tensor<2xui32>
}

// -----

!str = !elements.string

// CHECK-LABEL: @tokens(
// CHECK-DAG: dense<{{\[\[}}"a", "b", "c"], ["d", "#", "#"]]> : tensor<2x3x!elements.string>
// CHECK-DAG: dense<{{\[\[\[}}"\02", "bc", "\03"], ["\02", "\03", ""]]]> : tensor<1x2x3x!elements.string>
// CHECK-DAG: dense<{{\[\[}}"\C3\A4", "b"]]> : tensor<1x2x!elements.string>
// CHECK-DAG: tensor<1x0x!elements.string>
// CHECK-DAG: tensor<0x!elements.string>
// CHECK-NOT: onnx.ms.Tokenizer
func.func @tokens() -> (tensor<2x?x!str>, tensor<1x2x?x!str>, tensor<1x?x!str>, tensor<1x?x!str>, tensor<*x!str>) {
  %a = onnx.Constant dense<["a,b c", " d"]> : tensor<2x!str>
  %b = onnx.Constant dense<[["a1bc", "2"]]> : tensor<1x2x!str>
  %c = onnx.Constant dense<["\C3\A4b"]> : tensor<1x!str>
  %d = onnx.Constant dense<[" "]> : tensor<1x!str>
  %e = onnx.Constant dense<[]> : tensor<0x!str>
  %0 = onnx.ms.Tokenizer(%a) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "#", separators = [",", " "]}
      : (tensor<2x!str>) -> tensor<2x?x!str>
  %1 = onnx.ms.Tokenizer(%b) {mark = 1 : i64, mincharnum = 2 : i64, pad_value = "", tokenexp = "[a-z]+"}
      : (tensor<1x2x!str>) -> tensor<1x2x?x!str>
  %2 = onnx.ms.Tokenizer(%c) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = [""]}
      : (tensor<1x!str>) -> tensor<1x?x!str>
  %3 = onnx.ms.Tokenizer(%d) {mark = 1 : i64, mincharnum = 1 : i64, pad_value = "", separators = [" "]}
      : (tensor<1x!str>) -> tensor<1x?x!str>
  %4 = onnx.ms.Tokenizer(%e) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = [" "]}
      : (tensor<0x!str>) -> tensor<*x!str>
  return %0, %1, %2, %3, %4 : tensor<2x?x!str>, tensor<1x2x?x!str>, tensor<1x?x!str>, tensor<1x?x!str>, tensor<*x!str>
}

// -----

!str = !elements.string

// Other metrics, patterns that are none and texts that are not UTF-8 are left to run time.
// CHECK-LABEL: @left(
// CHECK-DAG: onnx.ms.CDist(
// CHECK: onnx.ms.Tokenizer({{.*}}separators = ["("]
// CHECK: onnx.ms.Tokenizer({{.*}}separators = [" "]
func.func @left() -> (tensor<1x1xf32>, tensor<1x?x!str>, tensor<1x?x!str>) {
  %a = onnx.Constant dense<[[1.0]]> : tensor<1x1xf32>
  %b = onnx.Constant dense<["a"]> : tensor<1x!str>
  %c = onnx.Constant dense<["\FF"]> : tensor<1x!str>
  %0 = onnx.ms.CDist(%a, %a) {metric = "cosine"} : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = onnx.ms.Tokenizer(%b) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = ["("]}
      : (tensor<1x!str>) -> tensor<1x?x!str>
  %2 = onnx.ms.Tokenizer(%c) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = [" "]}
      : (tensor<1x!str>) -> tensor<1x?x!str>
  return %0, %1, %2 : tensor<1x1xf32>, tensor<1x?x!str>, tensor<1x?x!str>
}

// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @cdist(
func.func @cdist(%a: tensor<?x3xf32, #onnx.dims<"n", "">>, %b: tensor<5x?xf32>, %any: tensor<*xf32>) {
  // CHECK: onnx.ms.CDist({{.*}} -> tensor<?x5xf32, #onnx.dims<"n", "">>
  %0 = onnx.ms.CDist(%a, %b) : (tensor<?x3xf32, #onnx.dims<"n", "">>, tensor<5x?xf32>) -> !onnx.unknown
  // CHECK: onnx.ms.CDist({{.*}} -> tensor<?x5xf32, #onnx.dims<"d.0", "">>
  %1 = onnx.ms.CDist(%any, %b) {onnx.outputs = ["d"]} : (tensor<*xf32>, tensor<5x?xf32>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @murmurhash3(
func.func @murmurhash3(%x: tensor<?x3xf64, #onnx.dims<"n", "">>, %any: tensor<*x!elements.string>) {
  // CHECK: onnx.ms.MurmurHash3({{.*}} -> tensor<?x3xui32, #onnx.dims<"n", "">>
  %0 = onnx.ms.MurmurHash3(%x) : (tensor<?x3xf64, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ms.MurmurHash3({{.*}} -> tensor<*xi32>
  %1 = onnx.ms.MurmurHash3(%any) {positive = 0 : i64} : (tensor<*x!elements.string>) -> !onnx.unknown
  return
}

// -----

!str = !elements.string

// The number of tokens is the data's. Without strings there may be no axis of them.
// CHECK-LABEL: @tokenizer(
func.func @tokenizer(%x: tensor<?x!str, #onnx.dims<"n">>, %y: tensor<?x3x!str, #onnx.dims<"n", "">>,
                     %none: tensor<2x0x!str>, %any: tensor<*x!str>) {
  // CHECK: onnx.ms.Tokenizer({{.*}} -> tensor<?x?x!elements.string, #onnx.dims<"n", "t.1">>
  %0 = onnx.ms.Tokenizer(%x) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = [" "], onnx.outputs = ["t"]}
      : (tensor<?x!str, #onnx.dims<"n">>) -> !onnx.unknown
  // CHECK: onnx.ms.Tokenizer({{.*}} -> tensor<?x3x?x!elements.string, #onnx.dims<"n", "", "u.2">>
  %1 = onnx.ms.Tokenizer(%y) {mark = 1 : i64, mincharnum = 1 : i64, pad_value = "", tokenexp = "[a-z]+", onnx.outputs = ["u"]}
      : (tensor<?x3x!str, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.ms.Tokenizer({{.*}} -> tensor<*x!elements.string>
  %2 = onnx.ms.Tokenizer(%none) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = [" "]}
      : (tensor<2x0x!str>) -> !onnx.unknown
  // CHECK: onnx.ms.Tokenizer({{.*}} -> tensor<*x!elements.string>
  %3 = onnx.ms.Tokenizer(%any) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = [" "]}
      : (tensor<*x!str>) -> !onnx.unknown
  return
}

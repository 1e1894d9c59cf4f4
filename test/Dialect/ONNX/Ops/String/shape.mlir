// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @imagedecoder(
func.func @imagedecoder(%bytes: tensor<?xui8>) {
  // CHECK: onnx.ImageDecoder({{.*}} -> tensor<?x?x3xui8, #onnx.dims<"i.0", "i.1", "">>
  %0 = onnx.ImageDecoder(%bytes) {onnx.outputs = ["i"]} : (tensor<?xui8>) -> !onnx.unknown
  // CHECK: onnx.ImageDecoder({{.*}} -> tensor<?x?x1xui8
  %1 = onnx.ImageDecoder(%bytes) {pixel_format = "Grayscale"} : (tensor<?xui8>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @elementwise(
func.func @elementwise(%x: tensor<?x3x!elements.string, #onnx.dims<"n", "">>, %y: tensor<3x!elements.string>) {
  // CHECK: onnx.RegexFullMatch({{.*}} -> tensor<?x3xi1, #onnx.dims<"n", "">>
  %0 = onnx.RegexFullMatch(%x) {pattern = "a*"}
      : (tensor<?x3x!elements.string, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.StringConcat({{.*}} -> tensor<?x3x!elements.string, #onnx.dims<"n", "">>
  %1 = onnx.StringConcat(%x, %y)
      : (tensor<?x3x!elements.string, #onnx.dims<"n", "">>, tensor<3x!elements.string>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @stringnormalizer(
func.func @stringnormalizer(%x: tensor<1x?x!elements.string, #onnx.dims<"", "n">>) {
  // CHECK: onnx.StringNormalizer({{.*}} -> tensor<1x?x!elements.string, #onnx.dims<"", "n">>
  %0 = onnx.StringNormalizer(%x) : (tensor<1x?x!elements.string, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.StringNormalizer({{.*}} -> tensor<1x?x!elements.string, #onnx.dims<"", "rest.1">>
  %1 = onnx.StringNormalizer(%x) {stopwords = ["a"], onnx.outputs = ["rest"]}
      : (tensor<1x?x!elements.string, #onnx.dims<"", "n">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @stringsplit(
func.func @stringsplit(%x: tensor<?x3x!elements.string, #onnx.dims<"n", "">>, %none: tensor<2x0x!elements.string>) {
  // CHECK: onnx.StringSplit({{.*}} -> (tensor<?x3x?x!elements.string, #onnx.dims<"n", "", "parts.2">>,
  // CHECK-SAME: tensor<?x3xi64, #onnx.dims<"n", "">>)
  %0:2 = onnx.StringSplit(%x) {onnx.outputs = ["parts", "counts"]}
      : (tensor<?x3x!elements.string, #onnx.dims<"n", "">>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.StringSplit({{.*}} -> (tensor<2x0x0x!elements.string>, tensor<2x0xi64>)
  %1:2 = onnx.StringSplit(%none) : (tensor<2x0x!elements.string>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// CHECK-LABEL: @tfidfvectorizer(
func.func @tfidfvectorizer(%x: tensor<12xi64>, %rows: tensor<?x6xi64, #onnx.dims<"n", "">>, %any: tensor<*xi64>) {
  // CHECK: onnx.TfIdfVectorizer({{.*}} -> tensor<5xf32>
  %0 = onnx.TfIdfVectorizer(%x)
      {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF",
       ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 4, 0>, pool_int64s = array<i64: 1, 2>}
      : (tensor<12xi64>) -> !onnx.unknown
  // CHECK: onnx.TfIdfVectorizer({{.*}} -> tensor<?x5xf32, #onnx.dims<"n", "">>
  %1 = onnx.TfIdfVectorizer(%rows)
      {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF",
       ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 4, 0>, pool_int64s = array<i64: 1, 2>}
      : (tensor<?x6xi64, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.TfIdfVectorizer({{.*}} -> tensor<*xf32>
  %2 = onnx.TfIdfVectorizer(%any)
      {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF",
       ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 4, 0>, pool_int64s = array<i64: 1, 2>}
      : (tensor<*xi64>) -> !onnx.unknown
  return
}

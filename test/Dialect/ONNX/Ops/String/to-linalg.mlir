// RUN: invar-opt --invar-infer-shapes --invar-onnx-to-linalg --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: @join(
// CHECK: rt.call "StringConcat"(%{{.*}}, %{{.*}}) {} : {{.*}} -> tensor<2x!elements.string>
func.func @join(%x: tensor<2x!elements.string>, %y: tensor<1x!elements.string>) -> tensor<*x!elements.string> {
  %0 = onnx.StringConcat(%x, %y) : (tensor<2x!elements.string>, tensor<1x!elements.string>) -> tensor<*x!elements.string>
  return %0 : tensor<*x!elements.string>
}

// -----

func.func @image(%x: tensor<9xui8>) -> tensor<*xui8> {
  // expected-error @+1 {{'ImageDecoder' cannot be compiled: the runtime has no decoders of images}}
  %0 = onnx.ImageDecoder(%x) : (tensor<9xui8>) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// -----

// Modes become numbers, and a rank need not be known.
// CHECK-LABEL: @words(
// CHECK: rt.call "StringNormalizer"(%arg0) {changes_case = 1 : i64, ignores_case = 1 : i64, locale = "en_US", stopwords = ["a"], to_upper = 0 : i64}
// CHECK: rt.call "StringSplit"(%arg0) {delimiter = "", max_splits = -1 : i64}
// CHECK: rt.call "TfIdfVectorizer"(%arg0) {{.*}}mode = 1 : i64, {{.*}}pool = ["a"]}
func.func @words(%x: tensor<*x!elements.string>) -> (tensor<*x!elements.string>, tensor<*xi64>, tensor<*xf32>) {
  %0 = onnx.StringNormalizer(%x) {case_change_action = "LOWER", stopwords = ["a"]} : (tensor<*x!elements.string>) -> tensor<*x!elements.string>
  %1:2 = onnx.StringSplit(%x) : (tensor<*x!elements.string>) -> (tensor<*x!elements.string>, tensor<*xi64>)
  %2 = onnx.TfIdfVectorizer(%x) {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "IDF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>, pool_strings = ["a"]} : (tensor<*x!elements.string>) -> tensor<*xf32>
  return %0, %1#1, %2 : tensor<*x!elements.string>, tensor<*xi64>, tensor<*xf32>
}

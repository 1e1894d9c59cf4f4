// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt %s --mlir-print-op-generic | invar-opt | FileCheck %s
// RUN: invar-opt %s --emit-bytecode | invar-opt | FileCheck %s

// CHECK-LABEL: @imagedecoder(
func.func @imagedecoder(%encoded_stream: tensor<?xui8>) {
  // CHECK: onnx.ImageDecoder(%arg0) {pixel_format = "Grayscale"}
  // CHECK-SAME: : (tensor<?xui8>) -> tensor<?x?x1xui8>
  %0 = onnx.ImageDecoder(%encoded_stream) {pixel_format = "Grayscale"}
      : (tensor<?xui8>) -> tensor<?x?x1xui8>
  return
}

// CHECK-LABEL: @regexfullmatch(
func.func @regexfullmatch(%X: tensor<3x!elements.string>) {
  // CHECK: onnx.RegexFullMatch(%arg0) {pattern = "www.[a-z]+.com"}
  // CHECK-SAME: : (tensor<3x!elements.string>) -> tensor<3xi1>
  %0 = onnx.RegexFullMatch(%X) {pattern = "www.[a-z]+.com"}
      : (tensor<3x!elements.string>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: @stringconcat(
func.func @stringconcat(%X: tensor<2x3x!elements.string>,
                        %Y: tensor<3x!elements.string>) {
  // CHECK: onnx.StringConcat(%arg0, %arg1)
  // CHECK-SAME: : (tensor<2x3x!elements.string>, tensor<3x!elements.string>)
  // CHECK-SAME: -> tensor<2x3x!elements.string>
  %0 = onnx.StringConcat(%X, %Y)
      : (tensor<2x3x!elements.string>, tensor<3x!elements.string>)
      -> tensor<2x3x!elements.string>
  return
}

// CHECK-LABEL: @stringnormalizer(
func.func @stringnormalizer(%X: tensor<4x!elements.string>) {
  // CHECK: onnx.StringNormalizer(%arg0)
  // CHECK-SAME: {case_change_action = "UPPER", is_case_sensitive = 1 : i64,
  // CHECK-SAME: stopwords = ["monday"]}
  // CHECK-SAME: : (tensor<4x!elements.string>) -> tensor<?x!elements.string>
  %0 = onnx.StringNormalizer(%X)
      {case_change_action = "UPPER", is_case_sensitive = 1 : i64, stopwords = ["monday"]}
      : (tensor<4x!elements.string>) -> tensor<?x!elements.string>
  return
}

// CHECK-LABEL: @stringsplit(
func.func @stringsplit(%X: tensor<2x!elements.string>) {
  // CHECK: onnx.StringSplit(%arg0) {delimiter = ".", maxsplit = 2 : i64}
  // CHECK-SAME: : (tensor<2x!elements.string>)
  // CHECK-SAME: -> (tensor<2x?x!elements.string>, tensor<2xi64>)
  %0:2 = onnx.StringSplit(%X) {delimiter = ".", maxsplit = 2 : i64}
      : (tensor<2x!elements.string>) -> (tensor<2x?x!elements.string>, tensor<2xi64>)
  return
}

// CHECK-LABEL: @tfidfvectorizer(
func.func @tfidfvectorizer(%X: tensor<6xi32>) {
  // CHECK: onnx.TfIdfVectorizer(%arg0)
  // CHECK-SAME: {max_gram_length = 2 : i64, max_skip_count = 0 : i64,
  // CHECK-SAME: min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>,
  // CHECK-SAME: ngram_indexes = array<i64: 0, 1, 2>,
  // CHECK-SAME: pool_int64s = array<i64: 2, 3, 5, 4>}
  // CHECK-SAME: : (tensor<6xi32>) -> tensor<3xf32>
  %0 = onnx.TfIdfVectorizer(%X)
      {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64,
       mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2>,
       pool_int64s = array<i64: 2, 3, 5, 4>}
      : (tensor<6xi32>) -> tensor<3xf32>
  return
}

// RUN: invar-opt --invar-constprop --split-input-file %s | FileCheck %s

!str = !elements.string

// CHECK-LABEL: @words(
// CHECK-DAG: dense<[true, false, true]> : tensor<3xi1>
// CHECK-DAG: dense<["ab1!", "x!", "c22!"]>
// CHECK-DAG: dense<["TUE", "MON"]>
// CHECK-DAG: dense<""> : tensor<1x!elements.string>
func.func @words() -> (tensor<3xi1>, tensor<3x!str>, tensor<?x!str>, tensor<?x!str>) {
  %a = onnx.Constant dense<["ab1", "x", "c22"]> : tensor<3x!str>
  %b = onnx.Constant dense<"!"> : tensor<!str>
  %days = onnx.Constant dense<["tue", "the", "Mon", "The"]> : tensor<4x!str>
  %0 = onnx.RegexFullMatch(%a) {pattern = "[a-z]+\\d+"} : (tensor<3x!str>) -> tensor<3xi1>
  %1 = onnx.StringConcat(%a, %b) : (tensor<3x!str>, tensor<!str>) -> tensor<3x!str>
  %2 = onnx.StringNormalizer(%days) {case_change_action = "UPPER", stopwords = ["the"]} : (tensor<4x!str>) -> tensor<?x!str>
  %3 = onnx.StringNormalizer(%a) {is_case_sensitive = 1 : i64, stopwords = ["x", "ab1", "c22"]} : (tensor<3x!str>) -> tensor<?x!str>
  return %0, %1, %2, %3 : tensor<3xi1>, tensor<3x!str>, tensor<?x!str>, tensor<?x!str>
}

// -----

!str = !elements.string

// CHECK-LABEL: @split(
// CHECK-DAG: dense<{{\[\[}}"a", "b"], ["c", ""]]>
// CHECK-DAG: dense<[2, 1]>
// CHECK-DAG: dense<{{\[\[}}"a", ",b"], ["", "c"]]>
func.func @split() -> (tensor<2x?x!str>, tensor<2xi64>, tensor<2x?x!str>) {
  %a = onnx.Constant dense<[" a  b ", "c"]> : tensor<2x!str>
  %b = onnx.Constant dense<["a,,b", ",c"]> : tensor<2x!str>
  %0:2 = onnx.StringSplit(%a) : (tensor<2x!str>) -> (tensor<2x?x!str>, tensor<2xi64>)
  %1:2 = onnx.StringSplit(%b) {delimiter = ",", maxsplit = 1 : i64} : (tensor<2x!str>) -> (tensor<2x?x!str>, tensor<2xi64>)
  return %0#0, %0#1, %1#0 : tensor<2x?x!str>, tensor<2xi64>, tensor<2x?x!str>
}

// -----

// Words and pairs of words with up to one between them; a weight belongs to its n-gram.
// CHECK-LABEL: @tfidf(
// CHECK-DAG: dense<{{\[\[}}1.000000e+00, 2.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]>
// CHECK-DAG: dense<[6.000000e+00, 0.000000e+00, 2.000000e+00]>
func.func @tfidf() -> (tensor<2x3xf32>, tensor<3xf32>) {
  %a = onnx.Constant dense<[[2, 3, 2], [9, 2, 9]]> : tensor<2x3xi64>
  %b = onnx.Constant dense<["y", "x", "y"]> : tensor<3x!elements.string>
  %0 = onnx.TfIdfVectorizer(%a) {max_gram_length = 2 : i64, max_skip_count = 1 : i64, min_gram_length = 1 : i64, mode = "TF",
      ngram_counts = array<i64: 0, 1>, ngram_indexes = array<i64: 1, 0, 2>, pool_int64s = array<i64: 2, 2, 2, 2, 3>}
      : (tensor<2x3xi64>) -> tensor<2x3xf32>
  %1 = onnx.TfIdfVectorizer(%b) {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TFIDF",
      ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 2, 0>, pool_strings = ["x", "y"], weights = array<f32: 2.0, 3.0>}
      : (tensor<3x!elements.string>) -> tensor<3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<3xf32>
}

// -----

!str = !elements.string

// What RE2 refuses and what runtimes do not agree on is left to run time.
// CHECK-LABEL: @left(
// CHECK-DAG: onnx.RegexFullMatch(
// CHECK-DAG: onnx.StringNormalizer(
// CHECK-DAG: onnx.StringSplit(
// CHECK-DAG: onnx.TfIdfVectorizer(
func.func @left() -> (tensor<1xi1>, tensor<1x!str>, tensor<1x?x!str>, tensor<1xf32>) {
  %a = onnx.Constant dense<["aa"]> : tensor<1x!str>
  %b = onnx.Constant dense<["\C3\84"]> : tensor<1x!str>
  %c = onnx.Constant dense<[""]> : tensor<1x!str>
  %0 = onnx.RegexFullMatch(%a) {pattern = "(a)\\1"} : (tensor<1x!str>) -> tensor<1xi1>
  %1 = onnx.StringNormalizer(%b) {case_change_action = "LOWER"} : (tensor<1x!str>) -> tensor<1x!str>
  %2:2 = onnx.StringSplit(%c) {delimiter = ","} : (tensor<1x!str>) -> (tensor<1x?x!str>, tensor<1xi64>)
  %3 = onnx.TfIdfVectorizer(%a) {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF",
      ngram_counts = array<i64: 4>, ngram_indexes = array<i64: 0>, pool_strings = ["x"]} : (tensor<1x!str>) -> tensor<1xf32>
  return %0, %1, %2#0, %3 : tensor<1xi1>, tensor<1x!str>, tensor<1x?x!str>, tensor<1xf32>
}

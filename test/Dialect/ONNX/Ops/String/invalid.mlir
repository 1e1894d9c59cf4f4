// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @imagedecoder_c1(%encoded_stream: tensor<?xui8>) {
  // expected-error @+1 {{(C1) expected 'pixel_format' to be one of 'RGB', 'BGR', 'Grayscale', but got 'YUV'}}
  %0 = onnx.ImageDecoder(%encoded_stream) {pixel_format = "YUV"}
      : (tensor<?xui8>) -> !onnx.unknown
  return
}

// -----

func.func @imagedecoder_c2(%encoded_stream: tensor<?x?xui8>) {
  // expected-error @+1 {{(C2) expected 'encoded_stream' to be a vector, but got rank 2}}
  %0 = onnx.ImageDecoder(%encoded_stream) : (tensor<?x?xui8>) -> !onnx.unknown
  return
}

// -----

func.func @stringconcat_c1(%X: tensor<2x!elements.string>,
                           %Y: tensor<3x!elements.string>) {
  // expected-error @+1 {{(C1) expected shapes that broadcast to one, but got tensor<3x!elements.string>}}
  %0 = onnx.StringConcat(%X, %Y)
      : (tensor<2x!elements.string>, tensor<3x!elements.string>) -> !onnx.unknown
  return
}

// -----

func.func @stringnormalizer_c1(%X: tensor<4x!elements.string>) {
  // expected-error @+1 {{(C1) expected 'case_change_action' to be one of 'NONE', 'LOWER', 'UPPER', but got 'TITLE'}}
  %0 = onnx.StringNormalizer(%X) {case_change_action = "TITLE"}
      : (tensor<4x!elements.string>) -> !onnx.unknown
  return
}

// -----

func.func @stringnormalizer_c2(%X: tensor<4x!elements.string>) {
  // expected-error @+1 {{(C2) expected 'is_case_sensitive' to be one of 0, 1, but got 2}}
  %0 = onnx.StringNormalizer(%X) {is_case_sensitive = 2 : i64}
      : (tensor<4x!elements.string>) -> !onnx.unknown
  return
}

// -----

func.func @tfidfvectorizer_c1(%X: tensor<6xi32>) {
  // expected-error @+1 {{(C1) expected 'mode' to be one of 'TF', 'IDF', 'TFIDF', but got 'FT'}}
  %0 = onnx.TfIdfVectorizer(%X)
      {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64,
       mode = "FT", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>,
       pool_int64s = array<i64: 2>}
      : (tensor<6xi32>) -> !onnx.unknown
  return
}

// -----

func.func @tfidfvectorizer_c2(%X: tensor<6xi32>) {
  // expected-error @+1 {{(C2) expected 'max_gram_length' to be at least 2, but got 1}}
  %0 = onnx.TfIdfVectorizer(%X)
      {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 2 : i64,
       mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>,
       pool_int64s = array<i64: 2>}
      : (tensor<6xi32>) -> !onnx.unknown
  return
}

// -----

func.func @tfidfvectorizer_c3(%X: tensor<6xi32>) {
  // expected-error @+1 {{(C3) expected 'pool_int64s' or 'pool_strings', but got neither}}
  %0 = onnx.TfIdfVectorizer(%X)
      {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64,
       mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>}
      : (tensor<6xi32>) -> !onnx.unknown
  return
}

// -----

func.func @tfidfvectorizer_c4(%X: tensor<6xi32>) {
  // expected-error @+1 {{(C4) expected 'weights' to have 1 entry, but got 2}}
  %0 = onnx.TfIdfVectorizer(%X)
      {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64,
       mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>,
       pool_int64s = array<i64: 2>, weights = array<f32: 1.0, 2.0>}
      : (tensor<6xi32>) -> !onnx.unknown
  return
}

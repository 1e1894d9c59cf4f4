// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ImageDecoderOp : ONNX_Op<"ImageDecoder", 20, [Pure]> {
  let summary = "the pixels of an encoded image";
  let description = [{
    - (C1) `pixel_format` is "RGB", "BGR" or "Grayscale".
    - (C2) `encoded_stream` is a vector.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<[UInt8]>>:$encoded_stream, StrOr<"RGB">:$pixel_format);
  let results = (outs Var<"T2", TensorIn<[UInt8]>>:$image);
  let hasVerifier = 1;
}

def ONNX_RegexFullMatchOp : ONNX_Op<"RegexFullMatch", 20, [Pure, Folds]> {
  let shape = "sameAsFirst";
  let summary = "true where a string matches a pattern as a whole";
  let arguments = (ins Var<"T1", TensorIn<[String]>>:$X, OptStr:$pattern);
  let results = (outs Var<"T2", TensorIn<[Bool]>>:$Y);
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_StringConcatOp : ONNX_Op<"StringConcat", 20, [Pure, Broadcasting, Folds]> {
  let shape = "broadcastAll";
  let summary = "two strings joined, broadcast";
  let description = [{
    - (C1) the operands' shapes broadcast to one.
  }];
  defvar T = Var<"T", TensorIn<[String]>>;
  let arguments = (ins T:$X, T:$Y);
  let results = (outs T:$Z);
}

def ONNX_StringNormalizerOp : ONNX_Op<"StringNormalizer", 10, [Pure, Folds]> {
  let summary = "strings in one case, without stop words";
  let description = [{
    - (C1) `case_change_action` is "NONE", "LOWER" or "UPPER".
    - (C2) `is_case_sensitive` is 0 or 1.
  }];
  defvar FixedString = TensorIn<[String]>;
  let arguments = (ins
      FixedString:$X, StrOr<"NONE">:$case_change_action,
      IntOr<0>:$is_case_sensitive, OptStr:$locale, OptStrList:$stopwords);
  let results = (outs FixedString:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_StringSplitOp : ONNX_Op<"StringSplit", 20, [Pure, Folds]> {
  let summary = "strings cut at a delimiter";
  let arguments = (ins
      Var<"T1", TensorIn<[String]>>:$X, OptStr:$delimiter, OptInt:$maxsplit);
  let results = (outs Var<"T2", TensorIn<[String]>>:$Y, Var<"T3", TensorIn<[Int64]>>:$Z);
  let extraClassDeclaration = anyRankCallDeclaration;
}

def ONNX_TfIdfVectorizerOp : ONNX_Op<"TfIdfVectorizer", 9, [Pure, Folds]> {
  let summary = "n-gram counts, weighted";
  let description = [{
    The pool lists all n-grams, short ones first; `ngram_counts` says where those of each
    length begin and `ngram_indexes` which element of the result counts each.

    - (C1) `mode` is "TF", "IDF" or "TFIDF".
    - (C2) `min_gram_length` is at least 1 and at most `max_gram_length`, and
      `max_skip_count` is at least 0.
    - (C3) one of `pool_int64s` and `pool_strings` is given.
    - (C4) `weights` has an entry for each of `ngram_indexes`.
  }];
  let arguments = (ins
      Var<"T", TensorIn<[Int32, Int64, String]>>:$X, Int:$max_gram_length,
      Int:$max_skip_count, Int:$min_gram_length, Str:$mode, IntList:$ngram_counts,
      IntList:$ngram_indexes, OptIntList:$pool_int64s, OptStrList:$pool_strings,
      OptRealList:$weights);
  let results = (outs Var<"T1", TensorIn<[Float]>>:$Y);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/String.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// In the order of kernels::NGramScores::Mode.
static constexpr StringRef modes[] = {"TF", "IDF", "TFIDF"};

LogicalResult ImageDecoderOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "pixel_format", getPixelFormat(),
             {"RGB", "BGR", "Grayscale"})
      .vector("(C2)", "encoded_stream", getEncodedStream());
}

LogicalResult StringNormalizerOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "case_change_action", getCaseChangeAction(),
             {"NONE", "LOWER", "UPPER"})
      .flag("(C2)", "is_case_sensitive", getIsCaseSensitive());
}

LogicalResult TfIdfVectorizerOp::verify() {
  return Check(*this)
      .oneOf("(C1)", "mode", getMode(), modes)
      .atLeast("(C2)", "min_gram_length", getMinGramLength(), 1)
      .atLeast("(C2)", "max_gram_length", getMaxGramLength(),
               getMinGramLength())
      .atLeast("(C2)", "max_skip_count", getMaxSkipCount(), 0)
      .eitherOr("(C3)", "pool_int64s", lengthOf(getPoolInt64s()).has_value(),
                "pool_strings", lengthOf(getPoolStrings()).has_value())
      .length("(C4)", "weights", lengthOf(getWeights()),
              getNgramIndexes().size());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult ImageDecoderOp::computeShape(ShapeHelper &shape) {
  shape.setOutputDims({shape.getQuestionmark(), shape.getQuestionmark(),
                       getPixelFormat() == "Grayscale" ? 1 : 3});
  return success();
}

LogicalResult StringNormalizerOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  // The number of stop words among the words depends on the data.
  if (lengthOf(getStopwords()) && !dims.empty())
    dims.back() = shape.getQuestionmark();
  shape.setOutputDims(std::move(dims));
  return success();
}

LogicalResult StringSplitOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  shape.setOutputDims(dims, 1);
  // The greatest number of parts of a string; 0 if there are no strings.
  bool isEmpty = llvm::any_of(dims, [](IndexExpr d) { return d.isLiteral(0); });
  dims.push_back(isEmpty ? IndexExpr(0) : shape.getQuestionmark());
  shape.setOutputDims(std::move(dims), 0);
  return success();
}

LogicalResult TfIdfVectorizerOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  std::optional<int64_t> rank = shape.getRank(in.getX());
  if (!rank)
    return success();
  ArrayRef<int64_t> indexes = getNgramIndexes();
  DimsExpr dims;
  if (*rank > 1)
    dims.push_back(shape.getDim(in.getX(), 0));
  dims.push_back(indexes.empty() ? shape.getQuestionmark()
                                 : IndexExpr(*llvm::max_element(indexes)) + 1);
  shape.setOutputDims(std::move(dims));
  return success();
}

//===-- Calls -----------------------------------------------------------------===//

RuntimeCall RegexFullMatchOp::describeCall() {
  RuntimeCall call(*this, "RegexFullMatch");
  call.add(getX()).set("pattern", getPattern().value_or(""));
  return call;
}

RuntimeCall StringNormalizerOp::describeCall() {
  RuntimeCall call(*this, "StringNormalizer");
  call.add(getX()).set("locale", getLocale().value_or("en_US"));
  call.set("changes_case", getCaseChangeAction() != "NONE");
  call.set("to_upper", getCaseChangeAction() == "UPPER");
  call.set("ignores_case", !getIsCaseSensitive());
  if (Attribute words = getStopwordsAttr())
    call.set("stopwords", words);
  return call;
}

RuntimeCall StringSplitOp::describeCall() {
  RuntimeCall call(*this, "StringSplit");
  call.add(getX()).set("delimiter", getDelimiter().value_or(""));
  call.set("max_splits", getMaxsplit() ? int64_t(*getMaxsplit()) : -1);
  return call;
}

RuntimeCall TfIdfVectorizerOp::describeCall() {
  RuntimeCall call(*this, "TfIdfVectorizer");
  call.add(getX()).set("mode", llvm::find(modes, getMode()) - modes);
  call.set("min_gram_length", int64_t(getMinGramLength()));
  call.set("max_gram_length", int64_t(getMaxGramLength()));
  call.set("max_skip_count", int64_t(getMaxSkipCount()));
  call.set("ngram_counts", getNgramCounts());
  call.set("ngram_indexes", getNgramIndexes());
  // One of them is given.
  if (lengthOf(getPoolStrings()))
    call.set("pool", getPoolStringsAttr());
  else
    call.set("pool", getPoolInt64sAttr());
  if (Attribute weights = getWeightsAttr())
    call.set("weights", weights);
  return call;
}

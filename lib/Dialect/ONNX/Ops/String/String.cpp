// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/String.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

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
      .oneOf("(C1)", "mode", getMode(), {"TF", "IDF", "TFIDF"})
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

LogicalResult ImageDecoderOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult RegexFullMatchOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult StringConcatOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult StringNormalizerOp::computeShape(ShapeHelper &) {
  return success();
}
LogicalResult StringSplitOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult TfIdfVectorizerOp::computeShape(ShapeHelper &) {
  return success();
}

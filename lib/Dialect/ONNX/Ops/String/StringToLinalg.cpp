// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/String.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(ImageDecoderOp, Lowering &to) {
  return to.decline("the runtime has no decoders of images");
}

void invar::onnx::addStringLowerings(LoweringTable &table) {
  table.add<ImageDecoderOp>(lower);
  table.addCall<RegexFullMatchOp>();
  table.addCall<StringConcatOp>();
  table.addCall<StringNormalizerOp>();
  table.addCall<StringSplitOp>();
  table.addCall<TfIdfVectorizerOp>();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/ONNXDialect.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <set>

using namespace invar::onnx;

// Every operator with a deterministic result folds. These are not deterministic, or are
// evaluated by inference, which visits their graphs.
TEST(Folding, EveryDeterministicOperatorFolds) {
  const std::set<llvm::StringRef> others = {
      // Random.
      "onnx.Bernoulli", "onnx.Multinomial", "onnx.RandomNormal",
      "onnx.RandomNormalLike", "onnx.RandomUniform", "onnx.RandomUniformLike",
      // With graphs.
      "onnx.If", "onnx.Loop", "onnx.Scan", "onnx.SequenceMap",
      "onnx.preview.FlexAttention",
      // Terminators, calls and unknown operators.
      "onnx.Yield", "onnx.Custom", "onnx.Call", "onnx.Function",
      // Maps, which are not tensors; images, for which decoders differ; operators that
      // are defined only for training.
      "onnx.ml.CastMap", "onnx.ml.DictVectorizer", "onnx.ml.ZipMap",
      "onnx.ImageDecoder", "onnx.training.Gradient"};
  mlir::MLIRContext context;
  context.loadDialect<ONNXDialect>();
  size_t folding = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "onnx")
      continue;
    bool folds = name.hasInterface<FoldOpInterface>();
    EXPECT_NE(folds, others.count(name.getStringRef()) != 0)
        << name.getStringRef().str();
    folding += folds;
  }
  EXPECT_GT(folding, 190u);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/FoldStrings.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Ops/Microsoft.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Support/Parallel.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- CDist -------------------------------------------------------------------------===//

FoldResult MSCDistOp::computeValues(Folding &fold) {
  bool isSquared = getMetric() == "sqeuclidean";
  if (!isSquared && getMetric() != "euclidean")
    return notFolded("its metric is '" + getMetric() + "'");
  auto a = KernelInput<double>::get(fold, fold.get(getA()));
  auto b = KernelInput<double>::get(fold, fold.get(getB()));
  if (!a || !b)
    return llvm::joinErrors(a.takeError(), b.takeError());
  int64_t rows = a->getShape()[0], columns = b->getShape()[0],
          features = a->getShape()[1];
  if (llvm::Error error = checkSteps({rows, columns, features}))
    return error;
  if (llvm::Error error = fold.checkWork({rows, columns}))
    return error;
  return fold.compute<double>(
      {rows, columns}, [=, a = *a, b = *b](MutableArrayRef<double> out,
                                           const EvalOptions &options) {
        ElementsArray<double> left = a.read(), right = b.read();
        auto distance = [&](uint64_t i) {
          ArrayRef<double> x = left.get().slice(
              i / uint64_t(columns) * uint64_t(features), features);
          ArrayRef<double> y = right.get().slice(
              i % uint64_t(columns) * uint64_t(features), features);
          double sum = 0;
          for (auto [p, q] : llvm::zip_equal(x, y))
            sum += (p - q) * (p - q);
          return isSquared ? sum : std::sqrt(sum);
        };
        parallelFor(out.size(), 1024, options.threads,
                    [&](uint64_t from, uint64_t to) {
                      for (uint64_t i = from; i < to; ++i)
                        out[i] = distance(i);
                    });
      });
}

//===-- MurmurHash3 -------------------------------------------------------------------===//

FoldResult MSMurmurHash3Op::computeValues(Folding &fold) {
  // The bytes of an element that is stored in a wider type have another hash.
  Type type = elementTypeOf(getX());
  if (type && elements::toDataType(type) != fold.get(getX()).getType())
    return notFolded("its elements are not in their own type");
  return foldByCallWhenRead(*this, fold, Floats::AsTheyAre);
}

//===-- Tokenizer ---------------------------------------------------------------------===//

/// Limits the work: a pattern may scan the rest of a text for each token.
static llvm::Error checkTexts(const ElementsArray<StringRef> &texts) {
  int64_t steps = 0;
  for (StringRef text : texts) {
    int64_t squared = 0;
    if (llvm::MulOverflow(int64_t(text.size()), int64_t(text.size()),
                          squared) ||
        llvm::AddOverflow(steps, squared, steps) || steps > maxSteps)
      return notFolded("it takes too many steps");
  }
  return llvm::Error::success();
}

FoldResult MSTokenizerOp::computeValues(Folding &fold) {
  auto texts = fold.read<StringRef>(getX());
  if (!texts)
    return texts.takeError();
  if (llvm::Error error = checkTexts(*texts))
    return error;
  // A token has at least one character, and a row may have marks at both ends.
  size_t longest = 0;
  for (StringRef text : *texts)
    longest = std::max(longest, text.size());
  uint64_t cells = texts->get().size() * (longest + 2);
  if (llvm::Error error = checkStrings(
          cells,
          llvm::SaturatingMultiply(cells, uint64_t(getPadValue().size()))))
    return error;
  return foldByCall(*this, fold, Floats::AsTheyAre);
}

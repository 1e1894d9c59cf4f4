// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TokenRules.h"
#include "invar/Dialect/ONNX/FoldStrings.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Kernels/MurmurHash.h"
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

/// Returns the hashes of numbers of type T, in the type of the result.
template <typename T>
static FoldResult hashNumbers(Folding &fold, const Elements &x, uint32_t seed) {
  auto numbers = KernelInput<T>::get(fold, x);
  if (!numbers)
    return numbers.takeError();
  auto compute = [&]<typename Result>(Result) {
    return fold.compute<Result>(
        x.getShape(), [x = *numbers, seed](MutableArrayRef<Result> out) {
          for (auto [hash, number] : llvm::zip_equal(out, x.read()))
            hash = Result(kernels::murmurHash3OfNumber(number, seed));
        });
  };
  return fold.getType() == DataType::UInt32 ? compute(uint32_t())
                                            : compute(int32_t());
}

static FoldResult hashStrings(Folding &fold, const Elements &x, uint32_t seed) {
  auto strings = fold.read<StringRef>(x);
  if (!strings)
    return strings.takeError();
  auto hashes = llvm::map_to_vector(*strings, [&](StringRef string) {
    return kernels::murmurHash3(string, seed);
  });
  if (fold.getType() == DataType::UInt32)
    return fold.make<uint32_t>(x.getShape(), hashes);
  return fold.make<int32_t>(x.getShape(), llvm::to_vector_of<int32_t>(hashes));
}

FoldResult MSMurmurHash3Op::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  auto seed = uint32_t(getSeed());
  // Elements that are stored in a wider type are hashed in the operand's type.
  Type type = elementTypeOf(getX());
  std::optional<DataType> own =
      type ? elements::toDataType(type) : std::optional(x.getType());
  switch (own.value_or(x.getType())) {
  case DataType::Int32:
    return hashNumbers<int32_t>(fold, x, seed);
  case DataType::UInt32:
    return hashNumbers<uint32_t>(fold, x, seed);
  case DataType::Int64:
    return hashNumbers<int64_t>(fold, x, seed);
  case DataType::UInt64:
    return hashNumbers<uint64_t>(fold, x, seed);
  case DataType::Float32:
    return hashNumbers<float>(fold, x, seed);
  case DataType::Float64:
    return hashNumbers<double>(fold, x, seed);
  case DataType::String:
    return hashStrings(fold, x, seed);
  default:
    return notFolded("its elements have no hash");
  }
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
  const Elements &x = fold.get(getX());
  auto texts = fold.read<StringRef>(x);
  if (!texts)
    return texts.takeError();
  if (llvm::Error error = checkTexts(*texts))
    return error;
  kernels::Tokenizer tokenizer(getTokenRules(*this));
  if (!tokenizer.whyNot().empty())
    return notFolded(tokenizer.whyNot());
  kernels::TokenTable table(tokenizer, getMark() != 0, getPadValue());
  for (auto [i, text] : llvm::enumerate(*texts))
    if (!table.add(text))
      return notFolded("expected texts of UTF-8 that are cut between "
                       "characters, but element " +
                       Twine(i) + " is none");
  if (llvm::Error error = checkStrings(table.getNumRows() * table.getWidth()))
    return error;
  SmallVector<StringRef> cells;
  table.forEachCell([&](StringRef cell) {
    cells.push_back(cell);
    return true;
  });
  Shape shape(x.getShape());
  if (x.numElements() == 0 && rankOf(getY()) != x.getRank() + 1)
    shape.back() = 0;
  else
    shape.push_back(int64_t(table.getWidth()));
  return fold.getBuilder().fromStrings(shape, cells);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strings are computed immediately, because their lanes point to memory that needs an
// owner. ImageDecoder is never folded: decoders of lossy formats return different pixels.
#include "invar/Dialect/ONNX/FoldStrings.h"
#include "invar/Dialect/ONNX/Ops/String.h"
#include "invar/Kernels/NGrams.h"
#include "invar/Kernels/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <re2/re2.h>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static SmallVector<StringRef> getStrings(ArrayRef<Attribute> list) {
  return llvm::map_to_vector(list, [](Attribute string) {
    return cast<StringAttr>(string).getValue();
  });
}

//===-- Words -----------------------------------------------------------------===//

FoldResult RegexFullMatchOp::computeValues(Folding &fold) {
  auto strings = fold.read<StringRef>(getX());
  if (!strings)
    return strings.takeError();
  StringRef pattern = getPattern().value_or("");
  RE2::Options options;
  options.set_log_errors(false);
  RE2 regex(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!regex.ok())
    return notFolded("expected a pattern of RE2, but got '" + pattern +
                     "': " + regex.error());
  auto matches = std::make_unique<bool[]>(strings->get().size());
  for (auto [i, string] : llvm::enumerate(*strings))
    matches[i] =
        RE2::FullMatch(re2::StringPiece(string.data(), string.size()), regex);
  return fold.make<bool>(fold.get(getX()).getShape(),
                         ArrayRef(matches.get(), strings->get().size()));
}

FoldResult StringConcatOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  llvm::Expected<Elements> left = builder.expand(fold.get(getX()), *shape);
  llvm::Expected<Elements> right = builder.expand(fold.get(getY()), *shape);
  if (!left || !right)
    return llvm::joinErrors(left.takeError(), right.takeError());
  if (llvm::Error error = checkStrings(uint64_t(left->numElements())))
    return error;
  auto first = fold.read<StringRef>(*left),
       second = fold.read<StringRef>(*right);
  if (!first || !second)
    return llvm::joinErrors(first.takeError(), second.takeError());
  uint64_t characters = 0;
  for (auto [x, y] : llvm::zip_equal(*first, *second))
    characters += x.size() + y.size();
  if (llvm::Error error = checkStrings(first->get().size(), characters))
    return error;
  std::string text;
  text.reserve(characters);
  SmallVector<StringRef> joined;
  for (auto [x, y] : llvm::zip_equal(*first, *second)) {
    size_t begin = text.size();
    text.append(x).append(y);
    joined.push_back(StringRef(text).drop_front(begin));
  }
  return builder.fromStrings(*shape, joined);
}

FoldResult StringNormalizerOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  bool isRow = x.getRank() == 1 || (x.getRank() == 2 && x.getShape()[0] == 1);
  if (!isRow || x.numElements() == 0)
    return notFolded("expected a row of strings, but got a tensor of " +
                     printShape(x.getShape()) + " elements");
  auto strings = fold.read<StringRef>(x);
  if (!strings)
    return strings.takeError();
  bool isUpper = getCaseChangeAction() == "UPPER";
  auto change = [&](StringRef word) {
    return isUpper ? word.upper() : word.lower();
  };
  bool isChanged = getCaseChangeAction() != "NONE";
  SmallVector<StringRef> stops =
      getStrings(getStopwords().value_or(ArrayRef<Attribute>()));
  bool matchesChanged = !getIsCaseSensitive() && !stops.empty();
  // The case of other letters depends on a locale that may not be installed.
  auto isAscii = [](StringRef word) {
    return llvm::all_of(word, [](char c) { return llvm::isASCII(c); });
  };
  if ((isChanged || matchesChanged) &&
      !(llvm::all_of(*strings, isAscii) && llvm::all_of(stops, isAscii)))
    return notFolded("its strings are not all of ASCII");

  llvm::StringSet<> stopSet;
  for (StringRef stop : stops)
    stopSet.insert(matchesChanged ? change(stop) : stop.str());
  std::vector<std::string> words;
  for (StringRef word : *strings)
    if (!stopSet.contains(matchesChanged ? change(word) : word.str()))
      words.push_back(isChanged ? change(word) : word.str());
  if (words.empty())
    words.emplace_back();
  Shape shape(x.getShape());
  shape.back() = int64_t(words.size());
  return fold.getBuilder().fromStrings(shape,
                                       llvm::to_vector_of<StringRef>(words));
}

FoldResult StringSplitOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  auto strings = fold.read<StringRef>(x);
  if (!strings)
    return strings.takeError();
  StringRef delimiter = getDelimiter().value_or("");
  uint64_t maxSplits = getMaxsplit() && *getMaxsplit() >= 0
                           ? uint64_t(*getMaxsplit())
                           : UINT64_MAX;
  std::vector<std::string_view> all;
  std::vector<int64_t> counts;
  int64_t most = 0;
  for (StringRef string : *strings) {
    if (!delimiter.empty() && string.empty())
      return notFolded("runtimes differ on the parts of an empty string");
    if (delimiter.empty() &&
        string.find_first_of("\t\n\v\f\r") != StringRef::npos)
      return notFolded("runtimes differ on what is white space");
    if (delimiter.empty() && string.ends_with(" ") && maxSplits != UINT64_MAX)
      return notFolded("runtimes differ on spaces at the end");
    counts.push_back(
        int64_t(kernels::splitWords(string, delimiter, maxSplits, all)));
    most = std::max(most, counts.back());
  }
  if (llvm::Error error = checkStrings(counts.size() * uint64_t(most)))
    return error;
  SmallVector<StringRef> padded;
  ArrayRef<std::string_view> left = all;
  for (int64_t count : counts) {
    llvm::append_range(padded, left.take_front(size_t(count)));
    padded.append(size_t(most - count), StringRef());
    left = left.drop_front(size_t(count));
  }
  Shape shape(x.getShape());
  llvm::Expected<Elements> numbers = fold.make<int64_t>(shape, counts, 1);
  shape.push_back(most);
  llvm::Expected<Elements> parts = fold.getBuilder().fromStrings(shape, padded);
  if (!numbers || !parts)
    return llvm::joinErrors(numbers.takeError(), parts.takeError());
  return FoldResult::Values{std::move(*parts), std::move(*numbers)};
}

//===-- Counting --------------------------------------------------------------===//

namespace {
/// Maps words to numbers; equal words have equal numbers.
class Vocabulary {
public:
  std::vector<int64_t> add(ArrayRef<StringRef> words) {
    std::vector<int64_t> list;
    for (StringRef word : words)
      list.push_back(
          numbers.try_emplace(word, int64_t(numbers.size())).first->second);
    return list;
  }

private:
  llvm::StringMap<int64_t> numbers;
};
} // namespace

FoldResult TfIdfVectorizerOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  if (x.getRank() < 1 || x.getRank() > 2)
    return notFolded("expected a tensor of rank 1 or 2, but got rank " +
                     Twine(x.getRank()));
  int64_t length = x.getShape().back(), columns = shape->back();
  int64_t distances = std::min<int64_t>(getMaxSkipCount(), length) + 1;
  if (llvm::Error error =
          fold.checkWork({x.numElements(), distances,
                          std::min<int64_t>(getMaxGramLength(), length)}))
    return error;
  if (llvm::Error error = fold.checkWork(*shape))
    return error;

  // Words of the pool and of the text, as numbers in both cases.
  std::vector<int64_t> poolWords, text;
  if (x.getType() == DataType::String) {
    auto strings = fold.read<StringRef>(x);
    if (!strings)
      return strings.takeError();
    Vocabulary vocabulary;
    poolWords = vocabulary.add(
        getStrings(getPoolStrings().value_or(ArrayRef<Attribute>())));
    text = vocabulary.add(*strings);
  } else {
    auto numbers = fold.read<int64_t>(x);
    if (!numbers)
      return numbers.takeError();
    poolWords = getPoolInt64s().value_or(ArrayRef<int64_t>()).vec();
    text = numbers->get().vec();
  }
  kernels::NGramScores scores;
  using Mode = kernels::NGramScores::Mode;
  scores.mode = getMode() == "TF"    ? Mode::Count
                : getMode() == "IDF" ? Mode::IsThere
                                     : Mode::Weighted;
  scores.search = {int64_t(getMinGramLength()), int64_t(getMaxGramLength()),
                   int64_t(getMaxSkipCount())};
  scores.columns = getNgramIndexes().vec();
  llvm::append_range(scores.weights, getWeights().value_or(ArrayRef<float>()));
  if (std::string why = scores.fill(poolWords, getNgramCounts()); !why.empty())
    return notFolded(why);

  int64_t rows = x.getRank() == 2 ? x.getShape()[0] : 1;
  std::vector<double> result(size_t(rows * columns)),
      counts(scores.columns.size());
  for (int64_t row = 0; row < rows; ++row)
    scores.score(
        std::span(text).subspan(size_t(row * length), size_t(length)), counts,
        std::span(result).subspan(size_t(row * columns), size_t(columns)));
  return fold.make<double>(*shape, result);
}

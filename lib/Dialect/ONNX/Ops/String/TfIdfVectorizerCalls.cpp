// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/NGrams.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>
#include <unordered_map>

using namespace invar;
using namespace invar::runtime;

namespace {
/// N-grams and their scores. Words that are strings are numbered.
struct Vectorizer : Prepared {
  kernels::NGramScores scores;
  std::unordered_map<std::string_view, int64_t> numbers;
  int64_t columns = 0;
  std::string whyNot; ///< empty if it is valid

  explicit Vectorizer(const CallContext &call) {
    scores.mode = kernels::NGramScores::Mode(call.getInt("mode"));
    scores.search = {call.getInt("min_gram_length"),
                     call.getInt("max_gram_length"),
                     call.getInt("max_skip_count")};
    auto indexes = call.getInts("ngram_indexes");
    auto weights = call.getFloats("weights");
    scores.columns.assign(indexes.begin(), indexes.end());
    scores.weights.assign(weights.begin(), weights.end());
    auto ints = call.getInts("pool");
    std::vector<int64_t> words(ints.begin(), ints.end());
    for (std::string_view word : call.getStrings("pool"))
      words.push_back(
          numbers.try_emplace(word, int64_t(numbers.size())).first->second);
    bool areStrings = call.getTensor(0).getType() == INVAR_STRING;
    if (areStrings ? !ints.empty() : !numbers.empty())
      whyNot = "expected a pool of words like those of the texts, but got "
               "others";
    else if (!weights.empty() && weights.size() != indexes.size())
      whyNot = "expected a weight for each n-gram, but got " +
               std::to_string(weights.size());
    else
      whyNot = scores.fill(words, call.getInts("ngram_counts"));
    for (int64_t column : indexes)
      columns = std::max(columns, column < INT64_MAX ? column + 1 : column);
  }

  /// Reads the words of a text as numbers.
  Status read(CallContext &call, std::span<const int64_t> &text) const {
    const Tensor &x = call.getTensor(0);
    if (x.getType() != INVAR_STRING)
      return readNumbers(call, 0, text);
    std::span<int64_t> words;
    if (Status status = call.getScratch(x.getCount(), words))
      return status;
    for (size_t i = 0; i < words.size(); ++i) {
      auto found = numbers.find(x.getString(int64_t(i)));
      words[i] = found == numbers.end() ? -1 : found->second;
    }
    text = words;
    return Status::success();
  }
};
} // namespace

Status runtime::callTfIdfVectorizer(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (x.rank < 1 || x.rank > 2)
    return call.fail("expected a tensor of rank 1 or 2, but got ",
                     describe(&x));
  const auto &vectorizer =
      call.prepare<Vectorizer>([&] { return Vectorizer(call); });
  if (!vectorizer.whyNot.empty())
    return call.fail(vectorizer.whyNot);
  std::span<const int64_t> text;
  if (Status status = vectorizer.read(call, text))
    return status;
  int64_t rows = x.rank == 2 ? x.getSize(0) : 1, length = x.getSizes().back();
  int64_t sizes[] = {rows, vectorizer.columns};
  NumberResult<double> result;
  if (Status status = result.allocate(call, 0, call.getResultType(0).dataType,
                                      Sizes(sizes).subspan(x.rank == 1)))
    return status;
  std::span<double> all(result.data(), size_t(result.size()));
  std::ranges::fill(all, 0.0);
  if (Status status = call.parallelFor(rows, 1, [&](int64_t from, int64_t to) {
        std::vector<double> counts(vectorizer.scores.columns.size());
        for (int64_t row = from; row < to; ++row)
          vectorizer.scores.score(
              text.subspan(size_t(row * length), size_t(length)), counts,
              all.subspan(size_t(row * vectorizer.columns),
                          size_t(vectorizer.columns)));
      }))
    return status;
  return result.finish(call);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Calls.h"
#include "LetterCase.h"
#include "Numbers.h"
#include "invar/Kernels/Words.h"

#include <algorithm>
#include <re2/re2.h>
#include <unordered_set>

using namespace invar;
using namespace invar::runtime;

// RegexFullMatch

namespace {
struct Pattern : Prepared {
  RE2 regex;

  explicit Pattern(std::string_view text)
      : regex(re2::StringPiece(text.data(), text.size()), getOptions()) {}

  static RE2::Options getOptions() {
    RE2::Options options;
    options.set_log_errors(false);
    return options;
  }
};
} // namespace

Status runtime::callRegexFullMatch(CallContext &call) {
  if (Status status = call.expectType(0, INVAR_STRING))
    return status;
  std::string_view text = call.getString("pattern", "");
  const RE2 &regex = call.prepare<Pattern>([&] { return Pattern(text); }).regex;
  if (!regex.ok())
    return call.fail("expected a pattern of RE2, but got '", text,
                     "': ", regex.error());
  const Tensor &x = call.getTensor(0);
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, INVAR_BOOL, x.getSizes(), result))
    return status;
  return call.parallelFor(x.getCount(), 256, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) {
      std::string_view string = x.getString(i);
      result->getData<bool>()[i] =
          RE2::FullMatch(re2::StringPiece(string.data(), string.size()), regex);
    }
  });
}

// StringSplit

Status runtime::callStringSplit(CallContext &call) {
  if (Status status = call.expectType(0, INVAR_STRING))
    return status;
  const Tensor &x = call.getTensor(0);
  std::string_view delimiter = call.getString("delimiter", "");
  int64_t maxSplits = call.getInt("maxsplit", -1);
  Tensor *counts = nullptr;
  if (Status status =
          call.allocate(call.findResult(1), INVAR_INT64, x.getSizes(), counts))
    return status;
  // The parts of all texts, one after the other.
  std::vector<std::string_view> all;
  int64_t most = 0;
  for (int64_t i = 0; i < x.getCount(); ++i) {
    if (i % 256 == 0)
      if (Status status = checkStop(call.getStop()))
        return status;
    auto count = int64_t(kernels::splitWords(
        x.getString(i), delimiter,
        maxSplits < 0 ? UINT64_MAX : uint64_t(maxSplits), all));
    counts->getData<int64_t>()[i] = count;
    most = std::max(most, count);
  }
  std::vector<int64_t> sizes = copySizes(x);
  sizes.push_back(most);
  Tensor *parts = nullptr;
  if (Status status =
          call.allocate(call.findResult(0), INVAR_STRING, sizes, parts))
    return status;
  const std::string_view *part = all.data();
  for (int64_t i = 0; i < x.getCount(); ++i) {
    if (i % 256 == 0)
      if (Status status = checkStop(call.getStop()))
        return status;
    for (int64_t k = 0; k < counts->getData<int64_t>()[i]; ++k)
      if (!parts->setString(i * most + k, *part++))
        return explainNoStrings();
  }
  return Status::success();
}

// StringNormalizer

namespace {
/// How to change words, and which ones to remove.
struct WordFilter : Prepared {
  LetterCase letters;
  bool isChanged, isUpper, ignoresCase;
  std::unordered_set<std::string> stops;

  explicit WordFilter(const CallContext &call)
      : letters(call.getString("locale", "en_US")) {
    std::string_view action = call.getString("case_change_action", "NONE");
    isChanged = action != "NONE";
    isUpper = action == "UPPER";
    ignoresCase = call.getInt("is_case_sensitive", 0) == 0;
    for (std::string_view word : call.getStrings("stopwords"))
      stops.insert(getKey(word));
  }

  std::string change(std::string_view word) const {
    return isChanged ? letters.change(word, isUpper) : std::string(word);
  }
  bool isStop(std::string_view word) const {
    return !stops.empty() && stops.contains(getKey(word));
  }

private:
  std::string getKey(std::string_view word) const {
    return ignoresCase ? letters.change(word, isUpper) : std::string(word);
  }
};
} // namespace

Status runtime::callStringNormalizer(CallContext &call) {
  if (Status status = call.expectType(0, INVAR_STRING))
    return status;
  const Tensor &x = call.getTensor(0);
  if (x.rank != 1 && (x.rank != 2 || x.getSize(0) != 1))
    return call.fail("expected a row of strings, but got ", describe(&x));
  const auto &filter =
      call.prepare<WordFilter>([&] { return WordFilter(call); });
  std::vector<std::string> words;
  for (int64_t i = 0; i < x.getCount(); ++i)
    if (!filter.isStop(x.getString(i)))
      words.push_back(filter.change(x.getString(i)));
  // If all words are removed, the result has one empty string.
  if (words.empty() && x.getCount())
    words.emplace_back();
  std::vector<int64_t> sizes = copySizes(x);
  sizes.back() = int64_t(words.size());
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, INVAR_STRING, sizes, result))
    return status;
  for (size_t i = 0; i < words.size(); ++i)
    if (!result->setString(int64_t(i), words[i]))
      return explainNoStrings();
  return Status::success();
}

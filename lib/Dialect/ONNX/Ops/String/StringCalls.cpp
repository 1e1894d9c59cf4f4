// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Words.h"
#include "runtime/Calls/Broadcast.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>
#include <re2/re2.h>

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
  std::string_view text = call.getString("pattern");
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

// StringConcat

Status runtime::callStringConcat(CallContext &call) {
  Broadcast<2> pairs;
  for (size_t operand : {0, 1})
    if (Status status = call.expectType(operand, INVAR_STRING))
      return status;
  if (Status status = pairs.read(call))
    return status;
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, INVAR_STRING, pairs.getSizes(), result))
    return status;
  const Tensor &x = call.getTensor(0), &y = call.getTensor(1);
  bool isDone = true;
  std::string joined;
  pairs.visit([&](int64_t i, const std::array<int64_t, 2> &from) {
    joined.assign(x.getString(from[0])).append(y.getString(from[1]));
    isDone = isDone && result->setString(i, joined);
  });
  return isDone ? Status::success() : explainNoStrings();
}

// StringSplit

/// An empty delimiter is any white space, and `max_splits` below 0 any number.
Status runtime::callStringSplit(CallContext &call) {
  if (Status status = call.expectType(0, INVAR_STRING))
    return status;
  const Tensor &x = call.getTensor(0);
  std::string_view delimiter = call.getString("delimiter");
  int64_t maxSplits = call.getInt("max_splits");
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/MurmurHash.h"
#include "invar/Kernels/Tokens.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

using namespace invar;
using namespace invar::runtime;

// Tokenizer

namespace {
struct PreparedTokenizer : Prepared {
  kernels::Tokenizer tokenizer;

  explicit PreparedTokenizer(const CallContext &call)
      : tokenizer(getRules(call)) {}

  static kernels::TokenRules getRules(const CallContext &call) {
    auto separators = call.getStrings("separators");
    return {{separators.begin(), separators.end()},
            call.getString("tokenexp"),
            call.getInt("mincharnum")};
  }
};
} // namespace

Status runtime::callTokenizer(CallContext &call) {
  if (Status status = call.expectType(0, INVAR_STRING))
    return status;
  const Tensor &x = call.getTensor(0);
  if (x.rank != 1 && x.rank != 2)
    return call.fail("expected a tensor of rank 1 or 2, but got ",
                     describe(&x));
  const kernels::Tokenizer &tokenizer =
      call.prepare<PreparedTokenizer>([&] { return PreparedTokenizer(call); })
          .tokenizer;
  if (!tokenizer.whyNot().empty())
    return call.fail(tokenizer.whyNot());
  kernels::TokenTable table(tokenizer, call.getInt("mark") != 0,
                            call.getString("pad_value"));
  for (int64_t i = 0; i < x.getCount(); ++i)
    if (!table.add(x.getString(i)))
      return call.fail("expected texts of UTF-8 that are cut between "
                       "characters, but element ",
                       i, " is none");
  std::vector<int64_t> sizes = copySizes(x);
  // Without texts there is no axis of tokens, unless the result's type has one.
  const Type &type = call.getResultType(0);
  bool knowsAxis = type.isRanked && type.sizes.size() > sizes.size();
  if (x.getCount() == 0 && !knowsAxis)
    sizes.back() = 0;
  else
    sizes.push_back(int64_t(table.getWidth()));
  Tensor *tokens = nullptr;
  if (Status status = call.allocate(0, INVAR_STRING, sizes, tokens))
    return status;
  int64_t next = 0;
  auto set = [&](std::string_view token) {
    return tokens->setString(next++, token);
  };
  return table.forEachCell(set) ? Status::success() : explainNoStrings();
}

// MurmurHash3

Status runtime::callMurmurHash3(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  bool areStrings = x.getType() == INVAR_STRING;
  size_t size = getElementSize(x.getType());
  if (!areStrings && size != sizeof(uint32_t) && size != sizeof(uint64_t))
    return call.fail("expected numbers of 32 or 64 bits or strings, but got ",
                     describe(&x));
  // Hashes may be read as signed numbers.
  InvarDataType type = call.getResultType(0).dataType;
  if (type != INVAR_UINT32 && type != INVAR_INT32)
    return call.fail("expected hashes of 32 bits, but got ", getName(type));
  auto seed = uint32_t(call.getInt("seed"));
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, type, x.getSizes(), result))
    return status;
  auto *hashes = result->getData<uint32_t>();
  return call.parallelFor(x.getCount(), 1024, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i)
      hashes[i] = kernels::murmurHash3(
          areStrings
              ? x.getString(i)
              : std::string_view(x.getData<char>() + size_t(i) * size, size),
          seed);
  });
}

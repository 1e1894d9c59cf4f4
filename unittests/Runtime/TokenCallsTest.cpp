// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTesting.h"

using namespace invar;
using namespace invar::testing;

static Call tokenize(std::vector<ProgramBuilder::Attribute> attributes) {
  attributes.insert(attributes.end(),
                    {{"mincharnum", Ints{1}}, {"pad_value", Strings{"#"}}});
  return {"Tokenizer", {INVAR_STRING}, std::move(attributes)};
}

TEST(TokenCalls, TokensHaveAnAxis) {
  Call call = tokenize({{"separators", Strings{" ", ","}}});
  rt::Value found = call({strings({2, 1}, {"a b,c", " d"})});
  EXPECT_EQ(found.sizes(), (Ints{2, 1, 3}));
  EXPECT_EQ(stringsOf(found), (Strings{"a", "b", "c", "d", "#", "#"}));
  found = tokenize({{"tokenexp", Strings{"[a-z]"}}, {"mark", Ints{1}}})(
      {vectorOf(Strings{"1", "xy"})});
  EXPECT_EQ(found.sizes(), (Ints{2, 4}));
  EXPECT_EQ(stringsOf(found),
            (Strings{"\x02", "\x03", "#", "#", "\x02", "x", "y", "\x03"}));
}

TEST(TokenCalls, NoTextsHaveNoTokens) {
  Call call = tokenize({{"separators", Strings{" "}}});
  EXPECT_EQ(call({vectorOf(Strings{"", " "})}).sizes(), (Ints{2, 0}));
  EXPECT_EQ(call({strings({0}, {})}).sizes(), (Ints{0}));
  EXPECT_EQ(call({strings({0, 3}, {})}).sizes(), (Ints{0, 0}));
}

TEST(TokenCalls, TextsAreUtf8InRows) {
  Call call = tokenize({{"separators", Strings{" "}}});
  EXPECT_EQ(call.whyFails({vectorOf(Strings{"a", "\xff"})}),
            "expected texts of UTF-8 that are cut between characters, but "
            "element 1 is none");
  EXPECT_EQ(call.whyFails({strings({}, {"a"})}),
            "expected a tensor of rank 1 or 2, but got tensor(string)[]");
  EXPECT_EQ(call.whyFails({vectorOf<int64_t>({1})}),
            "expected operand 0 of Tokenizer to be of type string, but got "
            "tensor(int64)[1]");
  EXPECT_EQ(
      tokenize({{"tokenexp", Strings{"("}}}).whyFails({vectorOf(Strings{"a"})}),
      "expected a pattern of RE2, but got '(': missing ): (");
}

TEST(TokenCalls, HashesAreOfBytes) {
  Call hash = {"MurmurHash3", {INVAR_UINT32}};
  EXPECT_EQ(patternsOf<uint32_t>(hash({vectorOf(Strings{"", "a"})})),
            (std::vector<uint32_t>{0, 1009084850}));
  EXPECT_EQ(patternsOf<uint32_t>(hash({vectorOf<float>({0.0f, -0.0f})})),
            (std::vector<uint32_t>{593689054, 2576668564}));
  Call seeded = {
      "MurmurHash3", {INVAR_INT32}, {{"seed", Ints{(1ll << 32) + 9}}}};
  EXPECT_EQ(patternsOf<uint32_t>(seeded({vectorOf<double>({1.5})})),
            (std::vector<uint32_t>{3491542874}));
  EXPECT_EQ(hash.whyFails({tensor<uint8_t>({1}, {1})}),
            "expected numbers of 32 or 64 bits or strings, but got "
            "tensor(uint8)[1]");
}

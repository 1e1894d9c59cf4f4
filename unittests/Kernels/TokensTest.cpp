// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Tokens.h"
#include "invar/Kernels/MurmurHash.h"

#include "gtest/gtest.h"

using namespace invar::kernels;

using Tokens = std::vector<std::string_view>;

static Tokens cut(const TokenRules &rules, std::string_view text) {
  Tokenizer tokenizer(rules);
  EXPECT_EQ(tokenizer.whyNot(), "");
  Tokens tokens;
  EXPECT_TRUE(tokenizer.cut(text, tokens));
  return tokens;
}

TEST(TokensTest, lieBetweenSeparators) {
  EXPECT_EQ(cut({{" "}, "", 1}, " a  bc "), (Tokens{"a", "bc"}));
  EXPECT_EQ(cut({{"[0-9]+", ","}, "", 1}, "a1b,c22"), (Tokens{"a", "b", "c"}));
  EXPECT_EQ(cut({{" "}, "", 1}, ""), Tokens());
  // The second separator is applied to the parts that the first one made, not to the
  // text.
  EXPECT_EQ(cut({{",", "^a"}, "", 1}, "ab,ab"), (Tokens{"b", "b"}));
  // Patterns match as much as possible.
  EXPECT_EQ(cut({{"b|bc"}, "", 1}, "abcd"), (Tokens{"a", "d"}));
}

TEST(TokensTest, areMatchesOfAPattern) {
  EXPECT_EQ(cut({{}, "[a-z]+", 1}, "ab1c"), (Tokens{"ab", "c"}));
  EXPECT_EQ(cut({{}, "a|ab", 1}, "ab ab"), (Tokens{"ab", "ab"}));
  // If separators are given, the pattern of tokens is ignored.
  EXPECT_EQ(cut({{"b"}, "b", 1}, "abc"), (Tokens{"a", "c"}));
}

TEST(TokensTest, areLostWhereNothingMatches) {
  EXPECT_EQ(cut({{"x*"}, "", 1}, "abxc"), Tokens());
  EXPECT_EQ(cut({{"\\b"}, "", 1}, "ab cd"), (Tokens{"b", "d"}));
  EXPECT_EQ(cut({{}, "a*", 1}, "xaayza"), (Tokens{"aa", "a"}));
}

TEST(TokensTest, areCountedInCharacters) {
  EXPECT_EQ(cut({{" "}, "", 2}, "a \xc3\xa4 \xc3\xa4z"), (Tokens{"\xc3\xa4z"}));
  for (const TokenRules &rules :
       {TokenRules{{""}, "", 1}, TokenRules{{}, ".", 1}})
    EXPECT_EQ(cut(rules, "a\n\xe6\x97\xa5"),
              (Tokens{"a", "\n", "\xe6\x97\xa5"}));
}

TEST(TokensTest, areOfUtf8) {
  for (const char *text :
       {"\x80", "a\xff", "\xc3", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x28\xa1"})
    for (const TokenRules &rules :
         {TokenRules{{" "}, "", 1}, TokenRules{{""}, "", 1},
          TokenRules{{}, "a", 1}}) {
      Tokens tokens;
      EXPECT_FALSE(Tokenizer(rules).cut(text, tokens)) << text;
    }
  for (const char *text : {"\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(cut({{""}, "", 1}, text), (Tokens{text}));
  // A pattern that splits a character.
  Tokens tokens;
  EXPECT_FALSE(Tokenizer({{"\\B"}, "", 1}).cut("a\xc3\xa4", tokens));
}

TEST(TokensTest, needPatterns) {
  EXPECT_EQ(Tokenizer({{"a", "("}, "", 1}).whyNot(),
            "expected a pattern of RE2, but got '(': missing ): (");
}

static std::vector<std::string> cellsOf(const TokenTable &table) {
  std::vector<std::string> cells;
  table.forEachCell([&](std::string_view cell) {
    cells.emplace_back(cell);
    return true;
  });
  return cells;
}

TEST(TokensTest, standInRowsOfOneWidth) {
  Tokenizer tokenizer({{" "}, "", 1});
  for (bool isMarked : {false, true}) {
    TokenTable table(tokenizer, isMarked, "#");
    EXPECT_TRUE(table.add(" "));
    EXPECT_EQ(table.getWidth(), 0u);
    EXPECT_TRUE(cellsOf(table).empty());
    EXPECT_TRUE(table.add("a b"));
    EXPECT_EQ(cellsOf(table),
              isMarked ? (std::vector<std::string>{"\x02", "\x03", "#", "#",
                                                   "\x02", "a", "b", "\x03"})
                       : (std::vector<std::string>{"#", "#", "a", "b"}));
  }
}

TEST(MurmurHashTest, isTheSameEverywhere) {
  EXPECT_EQ(murmurHash3("", 0), 0u);
  EXPECT_EQ(murmurHash3("a", 0), 1009084850u);
  EXPECT_EQ(murmurHash3("hello", 5), 2066056305u);
  EXPECT_EQ(murmurHash3("\xc3\xa4\xc3\xb6\xc3\xbc", 0), 769542228u);
}

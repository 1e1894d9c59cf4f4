// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits texts into tokens, like Tokenizer of com.microsoft. Patterns are those of RE2,
// and match as much as possible.
//
//   separators = ["[,;]", " "]   "a,b c;" -> "a", "b", "c"
//   token = "[a-z]+"             "a1 bc"  -> "a", "bc"
//
// Separators are applied one after the other, each to the parts that the previous ones
// left. An empty match also consumes the character after it. A single empty separator,
// or the token pattern ".", splits a text into its characters.
#ifndef INVAR_KERNELS_TOKENS_H
#define INVAR_KERNELS_TOKENS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
} // namespace re2

namespace invar::kernels {

struct TokenRules {
  /// If there are any, `token` is ignored.
  std::vector<std::string_view> separators;
  std::string_view token;
  /// Shorter tokens are dropped.
  int64_t minCharacters = 1;

  bool areCharacters() const {
    return separators.empty()
               ? token == "."
               : separators.size() == 1 && separators.front().empty();
  }
};

class Tokenizer {
public:
  explicit Tokenizer(const TokenRules &rules);
  Tokenizer(const Tokenizer &) = delete;
  Tokenizer &operator=(const Tokenizer &) = delete;
  ~Tokenizer();

  /// Why the rules are invalid; empty if they are valid.
  const std::string &whyNot() const { return reason; }

  /// Appends the tokens of a text to a list. Returns false if the text is not UTF-8 or
  /// would be split within a character.
  bool cut(std::string_view text, std::vector<std::string_view> &tokens) const;

private:
  using Tokens = std::vector<std::string_view>;
  bool addCharacters(std::string_view text, Tokens &tokens) const;
  bool addMatches(std::string_view text, Tokens &tokens) const;
  bool addBetween(std::string_view text, const re2::RE2 &separator,
                  Tokens &tokens) const;
  bool add(std::string_view token, Tokens &tokens) const;

  std::vector<std::unique_ptr<re2::RE2>> separators;
  std::unique_ptr<re2::RE2>
      token; ///< null if separators or characters are used
  uint64_t minCharacters;
  std::string reason;
};

/// The tokens of several texts as rows of equal width, filled up with padding. Each row
/// may have a mark at the start and at the end. If no text has a token, rows are empty.
class TokenTable {
public:
  TokenTable(const Tokenizer &tokenizer, bool isMarked,
             std::string_view padding)
      : tokenizer(tokenizer), isMarked(isMarked), padding(padding) {}

  /// Adds a row for a text, which must stay in memory. Returns false like
  /// Tokenizer::cut.
  bool add(std::string_view text);

  size_t getWidth() const { return most ? most + 2 * size_t(isMarked) : 0; }
  size_t getNumRows() const { return ends.size(); }

  /// Calls `set` with each cell, row by row, until it returns false. Returns false in
  /// that case.
  template <typename Set> bool forEachCell(Set set) const {
    size_t width = getWidth(), next = 0;
    for (size_t end : ends) {
      size_t column = 0;
      auto put = [&](std::string_view cell) {
        ++column;
        return set(cell);
      };
      if (width == 0)
        continue;
      if (isMarked && !put("\x02"))
        return false;
      for (; next < end; ++next)
        if (!put(tokens[next]))
          return false;
      if (isMarked && !put("\x03"))
        return false;
      while (column < width)
        if (!put(padding))
          return false;
    }
    return true;
  }

private:
  const Tokenizer &tokenizer;
  bool isMarked;
  std::string_view padding;
  std::vector<std::string_view> tokens; ///< of all rows
  std::vector<size_t> ends;             ///< of each row, in `tokens`
  size_t most = 0;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_TOKENS_H

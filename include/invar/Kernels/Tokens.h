// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts cut into tokens, as Tokenizer of com.microsoft does it. Patterns are those of RE2, and
// match as much as they can.
//
//   separators = ["[,;]", " "]   "a,b c;" -> "a", "b", "c"
//   token = "[a-z]+"             "a1 bc"  -> "a", "bc"
//
// Separators work one after the other, each on what the ones before it have left. A match of
// nothing takes the character behind it along. A single separator that is empty, or the
// pattern "." of a token, stands for all characters, one by one.
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
  /// Where there are any, the pattern of tokens says nothing.
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

  /// Why the rules are none, or an empty text.
  const std::string &whyNot() const { return reason; }

  /// Adds the tokens of a text to a list. False where the text is not UTF-8, or would be cut
  /// within a character.
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
      token; ///< null where separators or characters count
  uint64_t minCharacters;
  std::string reason;
};

/// The tokens of several texts as rows of one width: what is missing is padding, and each
/// row may stand between marks. Where no text has any token, rows are empty.
class TokenTable {
public:
  TokenTable(const Tokenizer &tokenizer, bool isMarked,
             std::string_view padding)
      : tokenizer(tokenizer), isMarked(isMarked), padding(padding) {}

  /// Adds a row for a text, which must stay where it is. False as Tokenizer::cut.
  bool add(std::string_view text);

  size_t getWidth() const { return most ? most + 2 * size_t(isMarked) : 0; }
  size_t getNumRows() const { return ends.size(); }

  /// Calls `set` with each cell, row by row, while it returns true; whether it always did.
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
  std::vector<size_t> ends;             ///< of rows, among the tokens
  size_t most = 0;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_TOKENS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Tokens.h"

#include <algorithm>
#include <re2/re2.h>

using namespace invar;
using namespace invar::kernels;

//===-- Characters ------------------------------------------------------------===//

/// The number of bytes of the first character of a text that is not empty; 0 if it is
/// not UTF-8.
static size_t measureCharacter(std::string_view text) {
  auto byte = [&](size_t i) { return uint8_t(text[i]); };
  uint8_t first = byte(0);
  if (first < 0x80)
    return 1;
  size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC2 || first > 0xF4 || text.size() < size)
    return 0;
  // The second byte reveals overlong forms, surrogates, and numbers that are too large.
  uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < least || byte(1) > most)
    return 0;
  for (size_t i = 2; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
  return size;
}

/// Calls `visit` with each character. Returns false if the text is not UTF-8.
template <typename Visit>
static bool forEachCharacter(std::string_view text, Visit visit) {
  while (!text.empty()) {
    size_t size = measureCharacter(text);
    if (size == 0)
      return false;
    visit(text.substr(0, size));
    text.remove_prefix(size);
  }
  return true;
}

//===-- Patterns --------------------------------------------------------------===//

static std::unique_ptr<RE2> compile(std::string_view pattern,
                                    std::string &reason) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_longest_match(true);
  auto regex = std::make_unique<RE2>(
      re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!regex->ok() && reason.empty())
    reason = "expected a pattern of RE2, but got '" + std::string(pattern) +
             "': " + regex->error();
  return regex;
}

/// Finds the first match at or after `from`. The text before it is context.
static bool find(const RE2 &pattern, std::string_view text, size_t &begin,
                 size_t &end, size_t from) {
  re2::StringPiece match;
  if (!pattern.Match(re2::StringPiece(text.data(), text.size()), from,
                     text.size(), RE2::UNANCHORED, &match, 1))
    return false;
  begin = size_t(match.data() - text.data());
  end = begin + match.size();
  return true;
}

/// Moves the end of an empty match past the next character, or past the next byte if it
/// is within a character.
static void passCharacter(std::string_view text, size_t begin, size_t &end) {
  if (begin == end && end < text.size())
    end += std::max<size_t>(measureCharacter(text.substr(end)), 1);
}

//===-- Tokenizer -------------------------------------------------------------===//

Tokenizer::Tokenizer(const TokenRules &rules)
    : minCharacters(uint64_t(std::max<int64_t>(rules.minCharacters, 1))) {
  if (rules.areCharacters())
    return;
  for (std::string_view pattern : rules.separators)
    separators.push_back(compile(pattern, reason));
  if (rules.separators.empty())
    token = compile(rules.token, reason);
}

Tokenizer::~Tokenizer() = default;

bool Tokenizer::add(std::string_view token, Tokens &tokens) const {
  uint64_t characters = 0;
  if (!forEachCharacter(token, [&](std::string_view) { ++characters; }))
    return false;
  if (characters >= minCharacters)
    tokens.push_back(token);
  return true;
}

bool Tokenizer::addCharacters(std::string_view text, Tokens &tokens) const {
  return forEachCharacter(text, [&](std::string_view character) {
    if (minCharacters == 1)
      tokens.push_back(character);
  });
}

bool Tokenizer::addMatches(std::string_view text, Tokens &tokens) const {
  size_t begin = 0, end = 0;
  for (size_t from = 0;
       from < text.size() && find(*token, text, begin, end, from); from = end) {
    if (!add(text.substr(begin, end - begin), tokens))
      return false;
    passCharacter(text, begin, end);
  }
  return true;
}

bool Tokenizer::addBetween(std::string_view text, const RE2 &separator,
                           Tokens &tokens) const {
  size_t from = 0, begin = 0, end = 0;
  for (; from < text.size() && find(separator, text, begin, end, from);
       from = end) {
    if (!add(text.substr(from, begin - from), tokens))
      return false;
    passCharacter(text, begin, end);
  }
  return add(text.substr(from), tokens);
}

bool Tokenizer::cut(std::string_view text, Tokens &tokens) const {
  if (!token && separators.empty())
    return addCharacters(text, tokens);
  // Patterns would treat invalid bytes as characters.
  if (!forEachCharacter(text, [](std::string_view) {}))
    return false;
  if (token)
    return addMatches(text, tokens);
  Tokens parts = {text};
  for (const std::unique_ptr<RE2> &separator : separators) {
    Tokens smaller;
    for (std::string_view part : parts)
      if (!addBetween(part, *separator, smaller))
        return false;
    parts = std::move(smaller);
  }
  tokens.insert(tokens.end(), parts.begin(), parts.end());
  return true;
}

bool TokenTable::add(std::string_view text) {
  size_t before = tokens.size();
  if (!tokenizer.cut(text, tokens))
    return false;
  ends.push_back(tokens.size());
  most = std::max(most, tokens.size() - before);
  return true;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Files/Printable.h"

#include <cstdint>

using namespace invar;

static bool isContinuation(char c) { return (uint8_t(c) & 0xc0) == 0x80; }

/// The number of bytes of the first UTF-8 character of a text; 0 if it is invalid.
static size_t getLength(std::string_view text) {
  auto first = uint8_t(text.front());
  size_t length = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;
  if (length > text.size())
    return 0;
  for (char c : text.substr(length ? 1 : 0, length ? length - 1 : 0))
    if (!isContinuation(c))
      return 0;
  return length;
}

/// Whether a UTF-8 character is a control character: those of ASCII, and U+0080 to
/// U+009F.
static bool isControl(std::string_view character) {
  auto first = uint8_t(character.front());
  return first < 0x20 || first == 0x7f ||
         (first == 0xc2 && uint8_t(character[1]) < 0xa0);
}

std::string invar::makePrintable(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string line;
  while (!text.empty()) {
    size_t length = getLength(text);
    std::string_view character = text.substr(0, length ? length : 1);
    text.remove_prefix(character.size());
    if (length && !isControl(character)) {
      line += character;
      continue;
    }
    for (char c : character) {
      line += "\\x";
      line += digits[uint8_t(c) >> 4];
      line += digits[uint8_t(c) & 15];
    }
  }
  return line;
}

std::string invar::makePrintable(std::string_view text, size_t width) {
  std::string line = makePrintable(text);
  if (line.size() <= width)
    return line;
  size_t end = width - 1;
  while (end > 0 && isContinuation(line[end]))
    --end;
  return line.substr(0, end) + "…";
}

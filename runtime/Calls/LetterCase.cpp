// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LetterCase.h"

#include <cstdint>
#include <wctype.h>

using namespace invar::runtime;

LetterCase::LetterCase(std::string_view name) {
  std::string unicode(name.substr(0, name.find('.')));
  unicode += ".UTF-8";
  locale = newlocale(LC_CTYPE_MASK, unicode.c_str(), nullptr);
  if (!locale)
    locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
}

LetterCase::~LetterCase() {
  if (locale)
    freelocale(locale);
}

/// Takes a multi-byte letter from the front of a text. If there is none, returns 0 and
/// takes nothing.
static uint32_t takeLetter(std::string_view &text) {
  auto lead = uint8_t(text.front());
  size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length)
    return 0;
  uint32_t letter = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    auto next = uint8_t(text[i]);
    if ((next & 0xc0) != 0x80)
      return 0;
    letter = letter << 6 | (next & 0x3f);
  }
  constexpr uint32_t least[] = {0x80, 0x800, 0x10000};
  bool isSurrogate = letter >= 0xd800 && letter < 0xe000;
  if (letter < least[length - 2] || letter > 0x10ffff || isSurrogate)
    return 0;
  text.remove_prefix(length);
  return letter;
}

static void putLetter(std::string &text, uint32_t letter) {
  if (letter < 0x80) {
    text += char(letter);
    return;
  }
  int more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
  text += char((0xff00u >> (more + 1) & 0xff) | letter >> (6 * more));
  while (more-- > 0)
    text += char(0x80 | (letter >> (6 * more) & 0x3f));
}

std::string LetterCase::change(std::string_view text, bool toUpper) const {
  std::string changed;
  changed.reserve(text.size());
  char first = toUpper ? 'a' : 'A', last = toUpper ? 'z' : 'Z';
  while (!text.empty()) {
    if (uint32_t letter = locale ? takeLetter(text) : 0) {
      putLetter(changed,
                uint32_t(toUpper ? towupper_l(wint_t(letter), locale)
                                 : towlower_l(wint_t(letter), locale)));
      continue;
    }
    char byte = text.front();
    text.remove_prefix(1);
    changed += byte >= first && byte <= last ? char(byte ^ 0x20) : byte;
  }
  return changed;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <locale.h>
#include <string>
#include <unordered_set>
#include <wctype.h>

using namespace invar;
using namespace invar::runtime;

// Letters

namespace {
/// Converts letters to lower or upper case by the rules of a language. Texts are UTF-8;
/// invalid bytes stay unchanged.
class LetterCase {
public:
  /// Takes the name of a locale such as "en_US". If the system does not have it, uses
  /// C.UTF-8, whose rules are independent of the language.
  explicit LetterCase(std::string_view locale);
  ~LetterCase();
  LetterCase(const LetterCase &) = delete;
  LetterCase &operator=(const LetterCase &) = delete;

  std::string change(std::string_view text, bool toUpper) const;

private:
  locale_t locale; ///< null if the system has no UTF-8 locale
};
} // namespace

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

// Words

namespace {
/// How to change words, and which ones to remove.
struct WordFilter : Prepared {
  LetterCase letters;
  bool isChanged, isUpper, ignoresCase;
  std::unordered_set<std::string> stops;

  explicit WordFilter(const CallContext &call)
      : letters(call.getString("locale")),
        isChanged(call.getInt("changes_case") != 0),
        isUpper(call.getInt("to_upper") != 0),
        ignoresCase(call.getInt("ignores_case") != 0) {
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

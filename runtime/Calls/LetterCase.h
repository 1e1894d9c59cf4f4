// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_CALLS_LETTERCASE_H
#define INVAR_RUNTIME_CALLS_LETTERCASE_H

#include <locale.h>
#include <string>
#include <string_view>

namespace invar::runtime {

/// Letters of a language, which have a lower and an upper case. Texts are UTF-8; what is not
/// stays as it is.
class LetterCase {
public:
  /// By the name of a locale such as "en_US". Where the system does not have it, the
  /// letters are those that are the same in all languages.
  explicit LetterCase(std::string_view locale);
  ~LetterCase();
  LetterCase(const LetterCase &) = delete;
  LetterCase &operator=(const LetterCase &) = delete;

  std::string change(std::string_view text, bool toUpper) const;

private:
  locale_t locale; ///< null where the system has none of UTF-8
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_LETTERCASE_H

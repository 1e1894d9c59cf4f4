// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_CALLS_LETTERCASE_H
#define INVAR_RUNTIME_CALLS_LETTERCASE_H

#include <locale.h>
#include <string>
#include <string_view>

namespace invar::runtime {

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

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_LETTERCASE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes text from an untrusted file safe for a terminal. Control characters can move
// the cursor, change colours and titles, or hide earlier output, so they are escaped.
// Invalid UTF-8 is escaped too:
//
//   makePrintable("conv\x1b[2J")   conv\x1b[2J, in 11 printable characters
//
// All code that prints names of a model for people uses this. JSON has its own escapes.
#ifndef INVAR_FILES_PRINTABLE_H
#define INVAR_FILES_PRINTABLE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace invar {

/// Returns one line of text without any control characters.
std::string makePrintable(std::string_view text);

/// The same, truncated to about `width` bytes; truncated text ends with "…".
std::string makePrintable(std::string_view text, size_t width);

} // namespace invar

#endif // INVAR_FILES_PRINTABLE_H

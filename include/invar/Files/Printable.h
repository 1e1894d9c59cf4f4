// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text from a file that somebody else made, as a terminal may get it. Control characters move
// the cursor, change colours and titles, or hide what was printed before, so they are spelled
// out, and so is what is no UTF-8:
//
//   makePrintable("conv\x1b[2J")   conv\x1b[2J, in 10 printable characters
//
// Everything that prints names of a model for people goes through here. JSON has escapes of its
// own.
#ifndef INVAR_FILES_PRINTABLE_H
#define INVAR_FILES_PRINTABLE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace invar {

/// One line of text, in which nothing controls a terminal.
std::string makePrintable(std::string_view text);

/// The same, cut to about so many bytes, with "…" at the end of what was.
std::string makePrintable(std::string_view text, size_t width);

} // namespace invar

#endif // INVAR_FILES_PRINTABLE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files are libraries. The code of a library runs, so the caller says that a file is one:
// by its name, or in so many words (`invar run --library`, Session(…, library=True),
// invar_session_load). What a file contains decides nothing: a model that somebody sent stays
// data, whatever its bytes are.
#ifndef INVAR_FILES_LIBRARYNAME_H
#define INVAR_FILES_LIBRARYNAME_H

#include <string>
#include <string_view>

namespace invar {

/// The rule: whether the code of what a path names may run.
inline bool isLibraryName(std::string_view path) {
  return path.ends_with(".so");
}

/// Whether a file begins as a library does: for messages, and to show what is in it.
bool beginsAsLibrary(const std::string &path);

} // namespace invar

#endif // INVAR_FILES_LIBRARYNAME_H

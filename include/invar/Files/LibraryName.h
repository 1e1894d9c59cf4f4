// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which files are libraries. The code of a library runs, so the caller must
// state that a file is a library: by its name, or explicitly (`invar run --library`,
// Session(…, library=True), invar_session_load). The content of a file decides nothing:
// a model from an untrusted source stays data, whatever its bytes are.
#ifndef INVAR_FILES_LIBRARYNAME_H
#define INVAR_FILES_LIBRARYNAME_H

#include <string>
#include <string_view>

namespace invar {

/// Whether the name alone allows the code of the file to run.
inline bool isLibraryName(std::string_view path) {
  return path.ends_with(".so");
}

/// Whether a file begins like a library: for messages, and to inspect it.
bool beginsAsLibrary(const std::string &path);

} // namespace invar

#endif // INVAR_FILES_LIBRARYNAME_H

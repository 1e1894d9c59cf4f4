// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes a compiled model, for any processor. The library is checked as for a run,
// but it is only read as data: none of its code becomes executable.
#ifndef INVAR_TOOLS_INVAR_INSPECTLIBRARY_H
#define INVAR_TOOLS_INVAR_INSPECTLIBRARY_H

#include "invar/Pipelines/Inspect.h"

namespace invar {

/// A constant of a library, and how it is stored.
struct LibraryConstant {
  std::string type;
  /// "stored" in a file, "folded" by the first run, or a "parameter" with a name.
  std::string kept, name;
  /// Bytes in the file; for a folded constant, bytes in memory.
  uint64_t bytes = 0;
  /// For an encoded constant: the encoding, the bits for each element, and the decoded
  /// size.
  std::string encoding;
  unsigned bits = 0;
  uint64_t decodedBytes = 0;
};

struct LibrarySummary {
  std::string path, compiler;
  /// The file beside the library that has the stored constants; empty if the library
  /// has them.
  std::string constantsFile;
  /// The processor features that each variant of the kernels needs, in the order in
  /// which they are tried.
  std::vector<std::string> features;
  uint64_t fileBytes = 0, storedBytes = 0, foldedBytes = 0;
  size_t kernels = 0, folds = 0;
  std::vector<ValueSummary> inputs, outputs;
  /// Largest first.
  std::vector<LibraryConstant> constants;
};

llvm::Expected<LibrarySummary> inspectLibrary(llvm::StringRef path);

llvm::json::Value toJson(const LibrarySummary &summary);

/// Prints a readable table with at most `mostConstants` constants.
void print(const LibrarySummary &summary, size_t mostConstants,
           llvm::raw_ostream &os);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_INSPECTLIBRARY_H

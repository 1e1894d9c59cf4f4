// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in a compiled model, for whatever processor. The library is checked as a run would do
// it, but it is data alone: none of its code becomes executable.
#ifndef INVAR_TOOLS_INVAR_INSPECTLIBRARY_H
#define INVAR_TOOLS_INVAR_INSPECTLIBRARY_H

#include "invar/Pipelines/Inspect.h"

namespace invar {

/// A constant of a library, where it is kept, and how.
struct LibraryConstant {
  std::string type;
  /// "stored" in a file, "folded" by the first run, or a "parameter", of a name.
  std::string kept, name;
  /// Bytes in the file, or in memory of what is folded.
  uint64_t bytes = 0;
  /// Of one that is encoded: how, in bits for each element, and the bytes that it stands for.
  std::string encoding;
  unsigned bits = 0;
  uint64_t decodedBytes = 0;
};

struct LibrarySummary {
  std::string path, compiler;
  /// The file beside the library that has the stored constants; empty where it has them itself.
  std::string constantsFile;
  /// What each variant of the kernels needs of a processor, in the order in which they are
  /// tried.
  std::vector<std::string> features;
  uint64_t fileBytes = 0, storedBytes = 0, foldedBytes = 0;
  size_t kernels = 0, folds = 0;
  std::vector<ValueSummary> inputs, outputs;
  /// Largest first.
  std::vector<LibraryConstant> constants;
};

llvm::Expected<LibrarySummary> inspectLibrary(llvm::StringRef path);

llvm::json::Value toJson(const LibrarySummary &summary);

/// A table for people; at most `mostConstants` constants are listed.
void print(const LibrarySummary &summary, size_t mostConstants,
           llvm::raw_ostream &os);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_INSPECTLIBRARY_H

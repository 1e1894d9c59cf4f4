// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the file of a compiled model: the library's bytes, its constants, and the
// trailer with their positions (invar-c/Abi.h); or two files, one of which has the
// constants.
#ifndef INVAR_LIB_PIPELINES_WRITELIBRARY_H
#define INVAR_LIB_PIPELINES_WRITELIBRARY_H

#include "invar/Program/Encode.h"
#include "invar/Support/MappedFile.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <set>

namespace invar {

using MappedFiles = std::set<std::shared_ptr<const MappedFile>>;

struct WriteOptions {
  EvalOptions evaluation;
  /// Files that constants are read from. Their pages are released from memory after that.
  MappedFiles sources;
  /// Whether constants go to a separate file beside the library.
  bool apart = false;
  /// The key of the library in a cache.
  std::array<uint64_t, 2> key = {};
};

/// Writes the file, which appears completely or not at all, and returns its size.
/// Constants are computed piece by piece while they are written.
llvm::Expected<uint64_t> writeLibrary(llvm::StringRef path,
                                      llvm::StringRef library,
                                      const EncodedProgram &program,
                                      const WriteOptions &options);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_WRITELIBRARY_H

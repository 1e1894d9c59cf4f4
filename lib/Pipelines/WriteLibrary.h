// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled model's file: the library's bytes, its constants, and the trailer that says
// where they are (invar-c/Abi.h); or two files, of which one has the constants.
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
  /// Files that constants are read from, whose pages leave memory as soon as they were.
  MappedFiles sources;
  /// Whether constants go to a file of their own, beside the library.
  bool apart = false;
  /// What a cache finds it by.
  std::array<uint64_t, 2> key = {};
};

/// Writes the file, which appears whole or not at all; returns its size. Constants are
/// computed piece by piece on the way.
llvm::Expected<uint64_t> writeLibrary(llvm::StringRef path,
                                      llvm::StringRef library,
                                      const EncodedProgram &program,
                                      const WriteOptions &options);

} // namespace invar

#endif // INVAR_LIB_PIPELINES_WRITELIBRARY_H

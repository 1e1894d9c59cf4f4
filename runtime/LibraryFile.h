// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of a compiled model (invar-c/Abi.h), before any of it is used. open() checks all
// but the constants, which are checked when they are read, or as a whole:
//
//   LibraryFile file;
//   if (Status status = LibraryFile::open(descriptor, {}, file))
//     return status;
//   return file.constants->verify(0, file.constants->getSize(), threads);
#ifndef INVAR_RUNTIME_LIBRARYFILE_H
#define INVAR_RUNTIME_LIBRARYFILE_H

#include "Store.h"

#include <array>
#include <memory>
#include <span>
#include <string>

namespace invar::runtime {

/// Where to look for what a library is without: constants in a file beside it, or weights.
struct Surroundings {
  std::string library; ///< its path; empty where it has none
  std::string
      weights; ///< a file that is stated to have them; empty where none is

  /// The path of a file beside the library; empty where that is nowhere.
  std::string findBeside(const std::string &file) const;
};

struct LibraryFile {
  static Status open(int descriptor, const Surroundings &around,
                     LibraryFile &file);

  std::span<const char> getHead() const { return {head.get(), headSize}; }

  /// The ELF file, as it was read and checked.
  std::unique_ptr<char[]> head;
  size_t headSize = 0;
  Store::Ref constants;
  /// What it was made from, of one that is kept in a cache; else 0.
  std::array<uint64_t, 2> key = {};
  /// The file that has them; empty where it is this one.
  std::string constantsFile;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_LIBRARYFILE_H

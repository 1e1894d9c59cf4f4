// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of a compiled model (invar-c/Abi.h), before any of it is used. open()
// checks everything except the constants. They are checked when they are read, or all
// at once:
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

/// Where to find the parts that a library lacks: constants in a file beside it, or
/// weights.
struct Surroundings {
  /// The path of the library; empty if it has none.
  std::string library;
  /// The weights file that the caller named; empty if none.
  std::string weights;

  /// The path of a file beside the library; empty if the library has no path.
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
  /// For a library in a cache, the key of its source; otherwise 0.
  std::array<uint64_t, 2> key = {};
  /// The file that has the constants; empty if it is this one.
  std::string constantsFile;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_LIBRARYFILE_H

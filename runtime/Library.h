// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled model: its code is in memory, and its constants are mapped. The file's
// checksums, its ELF structure and its tables are checked before any of its code
// becomes executable. The processor's features and the program are checked before any
// of the code runs. Constants are checked when they are read.
//
// Each library has its own memory for code. Sessions of one file share only the pages
// of its constants. So there is no table of libraries, and no library can be mistaken
// for another.
#ifndef INVAR_RUNTIME_LIBRARY_H
#define INVAR_RUNTIME_LIBRARY_H

#include "ElfImage.h"
#include "LibraryFile.h"
#include "invar-c/Abi.h"

#include <memory>
#include <string>

namespace invar::runtime {

class Library {
public:
  /// Opens a compiled model for inspection, for any processor: none of its code can
  /// run, and getModule() is its first module. `descriptor` is not needed afterwards.
  static Status read(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library);
  /// Opens a compiled model to run it. getModule() is the first that can run here;
  /// fails if none can.
  static Status open(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library);
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  const InvarModule &getModule() const { return *module; }
  /// For a library in a cache, the key of its source; otherwise 0.
  const std::array<uint64_t, 2> &getKey() const { return key; }
  /// The file that has the constants; empty if they are in the library's file.
  const std::string &getConstantsFile() const { return constantsFile; }
  /// The constants; the caller gets the only reference.
  Store::Ref takeStore() { return std::move(store); }

private:
  Library() = default;
  Status findModule();

  std::unique_ptr<ElfImage> image;
  const InvarModule *module = nullptr;
  std::array<uint64_t, 2> key = {};
  std::string constantsFile;
  Store::Ref store;
};

/// Advances to the first of a chain of modules that can run here. Fails if there is
/// none. None of their code runs in this function.
Status chooseModule(const InvarModule *&module);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_LIBRARY_H

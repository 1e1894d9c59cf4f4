// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled model: its code is in memory, and its constants are mapped. All but the constants
// has been checked before any of its code becomes executable.
//
// Each library has memory of its own for code: sessions of one file share nothing but the
// pages of its constants. So there is no table of libraries, and none can be taken for
// another one.
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
  /// Opens a compiled model to look at, of whatever processor: none of its code can run, and
  /// its module is the first of those that it has. `descriptor` is not needed any more then.
  static Status read(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library);
  /// The same to run it: its module is the first that can be run here. Fails if none can.
  static Status open(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library);
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  const InvarModule &getModule() const { return *module; }
  /// What it was made from, of one that is kept in a cache; else 0.
  const std::array<uint64_t, 2> &getKey() const { return key; }
  /// The file that has the constants; empty where they lie behind the library.
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

/// Goes to the first of a chain of modules that can be run here. Fails where that can be
/// said of none before anything of it is run.
Status chooseModule(const InvarModule *&module);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_LIBRARY_H

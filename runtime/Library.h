// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled model that can be run here: its code is in memory, its constants are mapped,
// and its version and processor are right. No code of it runs before all but the constants
// has been checked.
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
  /// Opens a compiled model; `descriptor` is not needed any more then.
  static Status open(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library);
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  const InvarModule &getModule() const { return *module; }
  /// The file that has the constants; empty where they lie behind the library.
  const std::string &getConstantsFile() const { return constantsFile; }
  /// The constants; the caller gets the only reference.
  Store::Ref takeStore() { return std::move(store); }

private:
  Library() = default;
  Status findModule();

  std::unique_ptr<ElfImage> image;
  const InvarModule *module = nullptr;
  std::string constantsFile;
  Store::Ref store;
};

/// Goes to the first of a chain of modules that can be run here. Fails where that can be
/// said of none before anything of it is run.
Status chooseModule(const InvarModule *&module);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_LIBRARY_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file in which folded constants are kept (invar-c/FoldFile.h), and its way there: it
// is written in place, by the folds themselves, through a mapping; when they are done it is
// brought to the disk, and then to its name. So a file under its name is whole, whatever
// happens to whoever wrote it. There is room for all of it before anything is written: a
// full disk is found out in time.
#ifndef INVAR_RUNTIME_FOLDFILE_H
#define INVAR_RUNTIME_FOLDFILE_H

#include "Library.h"
#include "invar-c/FoldFile.h"

#include <array>
#include <string>
#include <thread>

namespace invar::runtime {

class FoldFile {
public:
  using Key = std::array<uint64_t, 3>;

  FoldFile(std::string folder, Key key, uint64_t size);
  /// Waits until it is finished.
  ~FoldFile();
  FoldFile(const FoldFile &) = delete;
  FoldFile &operator=(const FoldFile &) = delete;

  /// What was kept from an earlier time; null where there is no such file, or one that is
  /// not as it should be.
  Store *open() const;

  /// Lets the bytes from `range` on, which are mapped, be those of a file that is going to
  /// be kept. Where that fails, they stay as they are.
  Status begin(char *range);
  /// All is written; brings it to its name, on a thread of its own.
  void finish(const char *range);

private:
  std::string getPath(const char *suffix) const;
  void removeAbandoned() const;
  bool keep(const char *range) const;

  std::string folder;
  Key key;
  uint64_t size;
  int descriptor = -1;
  std::string temporary;
  std::thread finisher;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_FOLDFILE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes and reads the file of folded constants (invar-c/FoldFile.h). When the folds
// are done, the file is written and synced to disk, and only then gets its name. So a
// file with its final name is always complete, even if the process that wrote it was
// killed. begin() allocates the space before anything is computed, so a full disk is
// detected early. In the end the file is mapped over the memory that it was written
// from, so the process keeps no private copy.
//
// The folds do not write into the file through a mapping: the system would then cache
// it in single pages, and mapping those takes every later process 8 times as long as
// mapping a file that was written at once (73 ms for BERT-base instead of 9).
#ifndef INVAR_RUNTIME_FOLDFILE_H
#define INVAR_RUNTIME_FOLDFILE_H

#include "Store.h"
#include "invar-c/FoldFile.h"
#include "invar/Files/PrivateFolder.h"

#include <array>
#include <pthread.h>
#include <string>

namespace invar::runtime {

class FoldFile {
public:
  using Key = std::array<uint64_t, 3>;

  FoldFile(std::string folder, Key key, uint64_t size);
  /// Waits until the file is written.
  ~FoldFile();
  FoldFile(const FoldFile &) = delete;
  FoldFile &operator=(const FoldFile &) = delete;

  /// Fails if others can write the folder. A folder that is missing, or that cannot
  /// be created, is reported by begin().
  Status checkFolder();
  /// Opens the constants of an earlier process; `kept` stays empty if there is no
  /// such file. Fails if the file is damaged, or if others could have written it.
  Status open(Store::Ref &kept);
  /// Reads the header of any such file and maps its constants, which are not verified
  /// yet. Later failures name the file as `name`, if that is not empty.
  static Status read(int descriptor, std::string name, InvarFoldHeader &header,
                     Store::Ref &kept);

  /// The file name for a key, without the folder.
  static std::string getName(const Key &key);
  std::string getPath() const { return folder.getPath(getName(key)); }

  /// Creates the file and allocates its space, before anything is computed.
  Status begin();
  /// Stores the constants at `range`, which occupies whole pages, on a separate thread if
  /// one can be started.
  void finish(char *range);

private:
  bool keep();
  void moveOver() const;

  PrivateFolder folder;
  Key key;
  uint64_t size;
  PrivateFile made;
  char *range = nullptr;
  // Not std::thread, which ends the process if no thread can be started.
  pthread_t finisher = {};
  bool isFinishing = false;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_FOLDFILE_H

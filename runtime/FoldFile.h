// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file in which folded constants are kept (invar-c/FoldFile.h), and its way there: when
// the folds are done it is written and brought to the disk, and then to its name. So a file
// under its name is whole, whatever happens to whoever wrote it. There is room for all of it
// before anything is computed: a full disk is found out in time. In the end the file takes
// the place of the memory that it was written from: who computed has no copy of its own.
//
// That the folds write into the file through a mapping was not taken: the system then keeps
// it in single pages, and to map those takes each process that comes later 8 times as long
// as what is written at once (73 ms for BERT-base, and 9).
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
  /// Waits until it is finished.
  ~FoldFile();
  FoldFile(const FoldFile &) = delete;
  FoldFile &operator=(const FoldFile &) = delete;

  /// Fails where the folder is one that others can write. That there is none yet, or cannot be
  /// one, is for begin() to tell.
  Status checkFolder();
  /// What was kept from an earlier time; none where there is no such file. Fails where the
  /// file is damaged, or others could have written it.
  Status open(Store::Ref &kept);
  /// Reads any such file: its header, and what it keeps, which is not verified yet. What
  /// fails later says `name`, if there is one.
  static Status read(int descriptor, std::string name, InvarFoldHeader &header,
                     Store::Ref &kept);

  /// The name that a file of a key has in its folder.
  static std::string getName(const Key &key);
  std::string getPath() const { return folder.getPath(getName(key)); }

  /// Makes sure that there is a place, and room, for what is going to be computed.
  Status begin();
  /// Keeps what lies from `range` on, in whole pages, on a thread of its own if there is
  /// one to have.
  void finish(char *range);

private:
  bool keep();
  void moveOver() const;

  PrivateFolder folder;
  Key key;
  uint64_t size;
  PrivateFile made;
  char *range = nullptr;
  // Not std::thread, which ends the process where there is no thread to have.
  pthread_t finisher = {};
  bool isFinishing = false;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_FOLDFILE_H

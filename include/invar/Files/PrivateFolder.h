// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder in which programs of one user share files: caches. Files in it are executed
// and trusted, so it must belong to the user:
//
//   the folder   is a folder, not a link to one. It belongs to the user or to root, and no
//                other user can write it. A new folder is only for the user (0700)
//   a file       is a regular file, not a link. It belongs to the user or to root, and no
//                other user can write it. A new file is only for the user (0600), whatever
//                the umask
//
// All checks are made on opened descriptors, so there is no gap between check and use.
// Files are opened relative to the checked folder, even if the folder is renamed. No
// function waits for the writer of a pipe.
//
//   PrivateFolder folder("/home/me/.cache/invar");
//   Reason why;
//   if (!folder.make(why)) …                    // "/home/me/.cache/invar: expected …"
//   int file = folder.open("a.so", why);        // -1; no why.text if there is none
//
//   PrivateFile made;
//   if (made.create(folder, why)) …
//     write(made.getDescriptor(), …);
//     made.commit("a.so");                      // appears complete or not at all
//
// Plain C++, for both the compiler's cache and the runtime's.
#ifndef INVAR_FILES_PRIVATEFOLDER_H
#define INVAR_FILES_PRIVATEFOLDER_H

#include <string>
#include <string_view>

namespace invar {

/// Why something was not opened. An empty `text` means that it does not exist.
struct Reason {
  std::string text;
  /// The errno of the failed call; 0 if the call succeeded but the opened file is
  /// refused.
  int error = 0;
};

class PrivateFolder {
public:
  explicit PrivateFolder(std::string path);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;

  const std::string &getPath() const { return path; }
  /// The path of a file in the folder.
  std::string getPath(std::string_view name) const;

  /// Opens the folder, unless it is open.
  bool open(Reason &why);
  /// The same, but creates the folder and its parents if they do not exist.
  bool make(Reason &why);

  /// Opens a file of the folder for reading. The folder must be open. The caller owns
  /// the descriptor.
  int open(const std::string &name, Reason &why) const;
  /// Removes the file with this name, unless it is a folder. Sets errno on failure.
  bool remove(const std::string &name) const;

private:
  friend class PrivateFile;
  void removeAbandoned() const;

  std::string path;
  int descriptor = -1;
};

/// A file that is being written to a folder. Until it is complete, its name begins with
/// a dot and ends with ".tmp", and it is locked (flock), so that others can distinguish
/// it from a file whose writer has died. It is removed unless it is committed. The
/// folder must outlive it.
class PrivateFile {
public:
  PrivateFile() = default;
  ~PrivateFile();
  PrivateFile(const PrivateFile &) = delete;
  PrivateFile &operator=(const PrivateFile &) = delete;

  /// Creates an empty file in an open folder. Also removes unfinished files whose
  /// writers have died.
  bool create(const PrivateFolder &folder, Reason &why);
  /// For reading and writing; -1 if there is no file.
  int getDescriptor() const { return descriptor; }
  /// Returns the descriptor, which the caller must close.
  int release();
  /// Gives the file its name. Replaces an existing file.
  bool commit(const std::string &name);

private:
  const PrivateFolder *folder = nullptr;
  std::string temporary;
  int descriptor = -1;
};

/// Whether a file with this name is not complete yet.
bool isUnfinished(std::string_view name);

} // namespace invar

#endif // INVAR_FILES_PRIVATEFOLDER_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder in which programs of one user keep files for each other: caches. What lies there
// is run and believed, so it must be the user's own:
//
//   the folder   is one, and no link to one; it belongs to the user or to root, and nobody
//                else can write it. One that is made is for the user alone (0700)
//   a file       is regular, and no link; it belongs to the user or to root, and nobody else
//                can write it. One that is made is for the user alone (0600), whatever the
//                umask
//
// Everything is checked on what has been opened, so there is no gap between check and use,
// and files are reached from the folder that was checked, whatever happens to its name.
// Nothing waits for a pipe's writer.
//
//   PrivateFolder folder("/home/me/.cache/invar");
//   Reason why;
//   if (!folder.make(why)) …                    // "/home/me/.cache/invar: expected …"
//   int file = folder.open("a.so", why);        // -1: why.text is empty if there is none
//
//   PrivateFile made;
//   if (made.create(folder, why)) …
//     write(made.getDescriptor(), …);
//     made.commit("a.so");                      // whole, or not there at all
//
// Plain C++ for both the compiler's cache and the runtime's.
#ifndef INVAR_FILES_PRIVATEFOLDER_H
#define INVAR_FILES_PRIVATEFOLDER_H

#include <string>
#include <string_view>

namespace invar {

/// Why something was not opened. It is simply not there if `text` is empty.
struct Reason {
  std::string text;
  /// What the system said; 0 where it said yes, but what it opened is refused.
  int error = 0;
};

class PrivateFolder {
public:
  explicit PrivateFolder(std::string path);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;

  const std::string &getPath() const { return path; }
  /// The path of a file in it.
  std::string getPath(std::string_view name) const;

  /// Opens the folder, unless it is open.
  bool open(Reason &why);
  /// The same; makes it, and those around it, where it is not there.
  bool make(Reason &why);

  /// A descriptor for reading a file of the folder, which is open; it belongs to the caller.
  int open(const std::string &name, Reason &why) const;
  /// Removes whatever has a name, unless it is a folder; says by errno why it could not.
  bool remove(const std::string &name) const;

private:
  friend class PrivateFile;
  void removeAbandoned() const;

  std::string path;
  int descriptor = -1;
};

/// A file on its way into a folder: until it is whole, its name begins with a dot and ends
/// with ".tmp", and it is locked (flock), so that others can tell it from one whose writer is
/// no more. It is removed unless it is committed. The folder outlives it.
class PrivateFile {
public:
  PrivateFile() = default;
  ~PrivateFile();
  PrivateFile(const PrivateFile &) = delete;
  PrivateFile &operator=(const PrivateFile &) = delete;

  /// Makes it, empty, in a folder that is open; removes what others have left unfinished.
  bool create(const PrivateFolder &folder, Reason &why);
  /// For reading and writing; -1 where there is none.
  int getDescriptor() const { return descriptor; }
  /// The descriptor, which the caller closes from now on.
  int release();
  /// Gives it its name, in place of whatever has that.
  bool commit(const std::string &name);

private:
  const PrivateFolder *folder = nullptr;
  std::string temporary;
  int descriptor = -1;
};

/// Whether a name is one of files that are not whole yet.
bool isUnfinished(std::string_view name);

} // namespace invar

#endif // INVAR_FILES_PRIVATEFOLDER_H

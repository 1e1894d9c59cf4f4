// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that a model names beside itself. A model is hostile, so a location reaches regular
// paths inside the model's own folder only: not "../x", not "/etc/x", not with a backslash
// (another system's separator), not through a link that leads out of the folder. The kernel
// checks that while opening (openat2 with RESOLVE_BENEATH), so there is no gap between check
// and use; an older kernel gets a check of the descriptor that was opened.
//
// One kind of link leads out and is fine. Caches of downloads keep content in one folder and
// give it names in another:
//
//   snapshots/1f2e/model.onnx       -> ../../blobs/8a41…
//   snapshots/1f2e/model.onnx_data  -> ../../blobs/c07d…
//
// So where the model itself is a link, what it names may also lie in the folder of the file
// that the link leads to, or below it.
//
// Plain C++ for both who compile a model and who run it.
#ifndef INVAR_FILES_MODELFOLDER_H
#define INVAR_FILES_MODELFOLDER_H

#include <string>
#include <string_view>

namespace invar {

class ModelFolder {
public:
  /// Why a file was not opened.
  struct Fault {
    enum Kind {
      /// The location may not even be tried; `what` is how a message calls it.
      BadLocation,
      /// It leads out of the folder.
      Outside,
      /// The system says no, by `error`: about the folder, or about the file.
      NoFolder,
      NoFile,
    };
    Kind kind = NoFile;
    std::string_view what = {};
    int error = 0;
  };

  explicit ModelFolder(std::string_view modelPath);
  ~ModelFolder();
  ModelFolder(const ModelFolder &) = delete;
  ModelFolder &operator=(const ModelFolder &) = delete;

  /// The folder's path as the model's begins with it; "." if that has none.
  const std::string &getPath() const { return path; }

  /// A descriptor for reading, which belongs to the caller; -1 with the reason if there is
  /// none. It may be of anything that has a path, and never waits for a pipe's writer.
  int open(std::string_view location, Fault &fault);

private:
  int openOutside(const char *location, Fault &fault) const;

  std::string model, path;
  int descriptor = -1;
};

} // namespace invar

#endif // INVAR_FILES_MODELFOLDER_H

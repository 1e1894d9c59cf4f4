// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens files that a model refers to, such as external data. A model may be hostile, so
// a location may only name a path inside the model's folder: not "../x", not "/etc/x",
// not with a backslash (another system's separator), not through a link that leads out
// of the folder. The kernel checks this while opening (openat2 with RESOLVE_BENEATH),
// so there is no gap between check and use. On an older kernel, the opened descriptor
// is checked.
//
// One kind of link that leads out is allowed. Download caches keep content in one
// folder and names in another:
//
//   snapshots/1f2e/model.onnx       -> ../../blobs/8a41…
//   snapshots/1f2e/model.onnx_data  -> ../../blobs/c07d…
//
// So if the model itself is a link, its files may also be in the folder of the link's
// target, or below it.
//
// Plain C++, for both the compiler and the runtime.
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
      /// The location is invalid and is not tried; `what` describes it in messages.
      BadLocation,
      /// It leads out of the folder.
      Outside,
      /// The system call for the folder or for the file failed with `error`.
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

  /// The folder's path, as in the model's path; "." if that has no folder.
  const std::string &getPath() const { return path; }

  /// Returns a descriptor for reading, which belongs to the caller, or -1 and the
  /// reason. The descriptor may refer to any kind of file. Never waits for the writer
  /// of a pipe.
  int open(std::string_view location, Fault &fault);

private:
  int openOutside(const char *location, Fault &fault) const;

  std::string model, path;
  int descriptor = -1;
};

} // namespace invar

#endif // INVAR_FILES_MODELFOLDER_H

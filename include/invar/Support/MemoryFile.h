// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file in memory, for code that accepts only file names. No other process can open
// it, and nothing is left of it however the process ends.
//
//   auto file = MemoryFile::create("model.onnx", bytes);
//   if (!file) …
//   read(file->getPath());   // "/proc/self/fd/5", valid as long as the file
#ifndef INVAR_SUPPORT_MEMORYFILE_H
#define INVAR_SUPPORT_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>

namespace invar {

class MemoryFile {
public:
  /// Errors begin with `name`.
  static llvm::Expected<MemoryFile> create(llvm::StringRef name,
                                           llvm::StringRef bytes = "");
  ~MemoryFile();
  MemoryFile(MemoryFile &&other) noexcept
      : descriptor(other.release()), path(std::move(other.path)) {}
  MemoryFile &operator=(MemoryFile &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    std::swap(path, other.path);
    return *this;
  }

  const std::string &getPath() const { return path; }
  int getDescriptor() const { return descriptor; }
  /// Returns the descriptor, which the caller must close.
  int release() { return std::exchange(descriptor, -1); }

private:
  MemoryFile() = default;

  int descriptor = -1;
  std::string path;
};

} // namespace invar

#endif // INVAR_SUPPORT_MEMORYFILE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file whose bytes are read in place. A model's weights can be larger than memory, so
// they are never copied into it. The file is mapped and constants are views of the
// mapping; the kernel loads the pages that are read and evicts them again.
//
// Invariant: the bytes that getBytes() returns stay valid, and the descriptor stays
// open, until the last shared_ptr is destroyed, even if the file is meanwhile renamed,
// replaced or unlinked. A mapping cannot survive truncation of the file in place:
// reading past the new end raises SIGBUS (see TruncationGuard.h).
//
//   auto file = MappedFile::open("model.onnx");
//   if (!file)
//     return file.takeError();   // model.onnx: cannot open: Permission denied
//   llvm::StringRef magic = (*file)->getBytes().take_front(4);
#ifndef INVAR_SUPPORT_MAPPEDFILE_H
#define INVAR_SUPPORT_MAPPEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace invar {

/// A part of a file.
struct ByteRange {
  uint64_t offset = 0;
  uint64_t size = 0;

  uint64_t end() const { return offset + size; }
  bool operator==(const ByteRange &) const = default;
};

class MappedFile {
public:
  /// Opens and maps the regular file at `path`. An empty file is accepted. A directory,
  /// a pipe or a device is refused, without waiting for it.
  static llvm::Expected<std::shared_ptr<const MappedFile>>
  open(llvm::StringRef path);

  /// The same for a descriptor that is already open for reading. The result owns the
  /// descriptor, which is also closed on failure. Messages use `path`.
  static llvm::Expected<std::shared_ptr<const MappedFile>>
  adopt(int descriptor, llvm::StringRef path);

  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  llvm::StringRef getPath() const { return path; }
  uint64_t getSize() const { return bytes.size(); }
  llvm::StringRef getBytes() const { return bytes; }
  llvm::StringRef getBytes(ByteRange range) const {
    assert(range.offset <= getSize() && range.size <= getSize() - range.offset);
    return bytes.substr(range.offset, range.size);
  }
  llvm::ArrayRef<uint8_t> getData() const {
    return llvm::arrayRefFromStringRef(bytes);
  }

  /// For copy_file_range and similar calls. Do not rely on its file position.
  int getDescriptor() const { return descriptor; }

  /// Identifies the file, independently of its name: device and inode.
  std::pair<uint64_t, uint64_t> getIdentity() const { return {device, inode}; }

  /// Whether `part` is a view of this file, and its position in the file.
  bool contains(llvm::StringRef part) const {
    return std::less_equal<>()(bytes.begin(), part.begin()) &&
           std::less_equal<>()(part.end(), bytes.end());
  }
  ByteRange getRange(llvm::StringRef part) const {
    assert(contains(part));
    return {uint64_t(part.begin() - bytes.begin()), part.size()};
  }

  /// Hints, never needed for correctness: the range will be read soon; the range will
  /// not be read again soon, so that its pages may leave this process's memory.
  void willNeed(ByteRange range) const;
  void dropPages(ByteRange range) const;

private:
  MappedFile() = default;
  void advise(ByteRange range, bool inwards, int advice) const;

  std::string path;
  llvm::StringRef bytes;
  uint64_t device = 0;
  uint64_t inode = 0;
  int descriptor = -1;
  void *registration = nullptr; // of the truncation guard
};

} // namespace invar

#endif // INVAR_SUPPORT_MAPPEDFILE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file whose bytes are read in place. A model's weights can be larger than
// memory, so they are never read into it: the file is mapped, constants are
// views of the mapping, and the kernel brings in the pages that somebody looks
// at and takes them back.
//
// Invariant: what getBytes() returns stays valid, and the descriptor stays
// open, until the last shared_ptr goes, also when the file is meanwhile
// renamed, replaced or unlinked. What a mapping cannot survive is the file
// being cut short in place: reading past its new end raises SIGBUS (see
// TruncationGuard.h).
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
  /// Opens and maps the regular file at `path`. An empty file is fine; a
  /// directory, a pipe or a device is not, and is refused without waiting on
  /// it.
  static llvm::Expected<std::shared_ptr<const MappedFile>>
  open(llvm::StringRef path);

  /// The same for a descriptor that is already open for reading, which the
  /// result then owns (it is closed on failure too); `path` is what messages
  /// call it.
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

  /// For copy_file_range and the like. Its file position belongs to nobody.
  int getDescriptor() const { return descriptor; }

  /// Which file this is, whatever name it was opened by: device and inode.
  std::pair<uint64_t, uint64_t> getIdentity() const { return {device, inode}; }

  /// Whether `part` is a view of this file, and where it lies.
  bool contains(llvm::StringRef part) const {
    return std::less_equal<>()(bytes.begin(), part.begin()) &&
           std::less_equal<>()(part.end(), bytes.end());
  }
  ByteRange getRange(llvm::StringRef part) const {
    assert(contains(part));
    return {uint64_t(part.begin() - bytes.begin()), part.size()};
  }

  /// Hints, never needed for correctness: that the range is about to be read,
  /// and that it will not be read again soon, so that its pages leave this
  /// process's memory.
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
  void *registration = nullptr; // the truncation guard's
};

} // namespace invar

#endif // INVAR_SUPPORT_MAPPEDFILE_H

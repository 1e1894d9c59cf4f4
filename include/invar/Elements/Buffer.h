// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Buffer is immutable memory that holds `numElements` elements of one data
// type, in ONNX's raw form: little-endian, packed types packed (two int4 to a
// byte, low half first; four int2, low bits first; four float6 to three bytes,
// low bits first). Where the memory comes from is told when it is made and
// mostly forgotten after:
//
//   Buffer::copy      bytes of its own, aligned to 64
//   Buffer::unowned   somebody else's, who promises to outlive the buffer
//   Buffer::mapped    a range of a mapped file; keeps the mapping alive, and
//                     remembers the range so that an exporter can let the
//                     kernel copy it
//   Buffer::strings   an array of StringRef, and whatever owns the text
//
// Buffers are held by shared_ptr<const Buffer> and die with the last tensor
// over them. Invariant: the bytes never change, and there are enough of them
// for numElements.
#ifndef INVAR_ELEMENTS_BUFFER_H
#define INVAR_ELEMENTS_BUFFER_H

#include "invar/Elements/DataType.h"
#include "invar/Support/Hash.h"
#include "invar/Support/MappedFile.h"
#include "invar/Support/MemoryBudget.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <optional>

namespace invar {

/// Bytes of a mapped file, which they keep mapped.
struct FileRange {
  std::shared_ptr<const MappedFile> file;
  ByteRange range;
};

class Buffer;
using BufferRef = std::shared_ptr<const Buffer>;

class Buffer {
public:
  /// A copy of `bytes`, which must hold at least `count` elements.
  static llvm::Expected<BufferRef> copy(DataType type, int64_t count,
                                        llvm::ArrayRef<uint8_t> bytes);

  /// New memory, out of `budget` if there is one, that `fill` writes; uninitialized before.
  /// Not for strings.
  static llvm::Expected<BufferRef>
  create(DataType type, int64_t count,
         llvm::function_ref<void(llvm::MutableArrayRef<uint8_t>)> fill,
         MemoryBudget *budget = nullptr);

  /// `bytes` where they are; `owner`, if any, is kept as long as the buffer.
  static llvm::Expected<BufferRef>
  unowned(DataType type, int64_t count, llvm::ArrayRef<uint8_t> bytes,
          std::shared_ptr<const void> owner = nullptr);

  /// `bytes` of a mapped file, which the buffer keeps mapped.
  static llvm::Expected<BufferRef>
  mapped(DataType type, int64_t count, llvm::ArrayRef<uint8_t> bytes,
         std::shared_ptr<const MappedFile> file);

  /// Copies of `strings`.
  static BufferRef copyStrings(llvm::ArrayRef<llvm::StringRef> strings);

  /// `strings` and their text, both kept alive by `owner`.
  static BufferRef strings(llvm::ArrayRef<llvm::StringRef> strings,
                           std::shared_ptr<const void> owner);

  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  DataType getType() const { return type; }
  int64_t numElements() const { return count; }

  /// The elements in raw form, exactly as many bytes as they take; none for
  /// strings.
  llvm::ArrayRef<uint8_t> getBytes() const {
    return {data, type == DataType::String ? 0 : size};
  }
  llvm::ArrayRef<llvm::StringRef> getStrings() const;

  /// Where a loop reads: the bytes, or the StringRefs. May be unaligned for the
  /// type.
  const uint8_t *getData() const { return data; }

  /// The file that the bytes are a part of, or null.
  const std::shared_ptr<const MappedFile> &getFile() const { return file; }

  /// A hash of type and content, the same wherever the content lies. Computed
  /// when first asked for, by up to `threads` threads (0: all cores) of one
  /// caller while others wait.
  Hash128 getContentHash(unsigned threads = 0) const;

private:
  Buffer(DataType type, int64_t count, const uint8_t *data, size_t size,
         std::shared_ptr<const void> owner,
         std::shared_ptr<const MappedFile> file = nullptr);

  DataType type;
  int64_t count;
  const uint8_t *data;
  size_t size;
  std::shared_ptr<const void> owner;
  std::shared_ptr<const MappedFile> file;
  mutable std::once_flag hashOnce;
  mutable Hash128 hash;
};

} // namespace invar

#endif // INVAR_ELEMENTS_BUFFER_H

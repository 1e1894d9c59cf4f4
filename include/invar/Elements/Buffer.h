// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Buffer is immutable memory that holds `numElements` elements of one data type, in
// ONNX's raw form: little-endian, and packed for packed types (two int4 in a byte, low
// half first; four int2, low bits first; four float6 in three bytes, low bits first).
// The origin of the memory is chosen when the buffer is created:
//
//   Buffer::copy      its own bytes, aligned to 64
//   Buffer::unowned   memory of somebody else, which must outlive the buffer
//   Buffer::mapped    a range of a mapped file. The buffer keeps the mapping alive and
//                     stores the range, so that an exporter can let the kernel copy it
//   Buffer::strings   an array of StringRef, and the owner of the text
//
// Buffers are held by shared_ptr<const Buffer> and are freed with the last tensor that
// uses them. Invariant: the bytes never change, and there are enough of them for
// numElements.
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

/// Bytes of a mapped file. Keeps the file mapped.
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

  /// New memory, from `budget` if it is not null. `fill` must write it; it is
  /// uninitialized before. Not for strings.
  static llvm::Expected<BufferRef>
  create(DataType type, int64_t count,
         llvm::function_ref<void(llvm::MutableArrayRef<uint8_t>)> fill,
         MemoryBudget *budget = nullptr);

  /// `bytes` in place, without a copy. The buffer keeps `owner`, if any, alive.
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

  /// The elements in raw form, exactly as many bytes as they take; empty for strings.
  llvm::ArrayRef<uint8_t> getBytes() const {
    return {data, type == DataType::String ? 0 : size};
  }
  llvm::ArrayRef<llvm::StringRef> getStrings() const;

  /// The address for loops: of the bytes, or of the StringRefs. It may be unaligned for
  /// the type.
  const uint8_t *getData() const { return data; }

  /// The file that contains the bytes, or null.
  const std::shared_ptr<const MappedFile> &getFile() const { return file; }

  /// A hash of type and content, independent of where the content is stored. The first
  /// call computes it, with up to `threads` threads (0: all cores), while other callers
  /// wait.
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

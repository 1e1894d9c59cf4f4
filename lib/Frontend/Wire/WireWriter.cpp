// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/WireWriter.h"

#include "invar/Frontend/Wire/WireReader.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>
#include <cstring>
#include <new>

using namespace invar;

// Fixed-size numbers are little-endian on the wire and are copied as they are.
static_assert(std::endian::native == std::endian::little);

/// Pieces are in the writer's arena and are linked, so that adding a message to another
/// only links two chains.
struct WireMessage::Piece {
  enum class Kind : uint8_t { Bytes, Range, Stream };

  Kind kind = Kind::Bytes;
  Piece *next = nullptr;
  uint64_t size = 0;
  // Bytes: their location, and the remaining room.
  char *bytes = nullptr;
  uint64_t room = 0;
  // Range: its source.
  const MappedFile *file = nullptr;
  uint64_t offset = 0;
  // Stream.
  WireStream *stream = nullptr;
};

// The room for a chain's first bytes, and the largest room of a further chunk.
static constexpr uint64_t firstChunk = 64;
static constexpr uint64_t largestChunk = 4096;

void WireWriter::keep(const std::shared_ptr<const MappedFile> &file) {
  // Almost always the same file as before; there are never many.
  if (llvm::find(llvm::reverse(files), file) == files.rend())
    files.push_back(file);
}

WireMessage::WireMessage(WireMessage &&other)
    : writer(other.writer), head(std::exchange(other.head, nullptr)),
      tail(std::exchange(other.tail, nullptr)),
      size(std::exchange(other.size, 0)) {}

WireMessage &WireMessage::operator=(WireMessage &&other) {
  writer = other.writer;
  head = std::exchange(other.head, nullptr);
  tail = std::exchange(other.tail, nullptr);
  size = std::exchange(other.size, 0);
  return *this;
}

WireMessage::Piece *WireMessage::append() {
  Piece *piece = new (writer->arena.Allocate<Piece>()) Piece();
  (tail ? tail->next : head) = piece;
  tail = piece;
  return piece;
}

/// Returns room for `count` more bytes at the end, which the caller must write.
char *WireMessage::grow(uint64_t count) {
  bool fits = tail && tail->kind == Piece::Kind::Bytes && tail->room >= count;
  if (!fits) {
    uint64_t room = tail && tail->kind == Piece::Kind::Bytes
                        ? std::min(tail->size * 2, largestChunk)
                        : firstChunk;
    room = std::max(room, count);
    Piece *piece = append();
    piece->kind = Piece::Kind::Bytes;
    piece->bytes = writer->arena.Allocate<char>(room);
    piece->room = room;
  }
  char *out = tail->bytes + tail->size;
  tail->size += count;
  tail->room -= count;
  size += count;
  return out;
}

void WireMessage::addVarint(uint64_t value) {
  char bytes[10];
  unsigned used = 0;
  for (; value >= 0x80; value >>= 7)
    bytes[used++] = char(value | 0x80);
  bytes[used++] = char(value);
  std::memcpy(grow(used), bytes, used);
}

static unsigned sizeOfVarint(uint64_t value) {
  return (std::bit_width(value | 1) + 6) / 7;
}

void WireMessage::addTag(uint32_t field, unsigned wireType) {
  addVarint(uint64_t(field) << 3 | wireType);
}

void WireMessage::addHeader(uint32_t field, uint64_t length) {
  addTag(field, unsigned(WireType::Bytes));
  addVarint(length);
}

void WireMessage::addInt(uint32_t field, int64_t value) {
  addTag(field, unsigned(WireType::Varint));
  addVarint(uint64_t(value));
}

void WireMessage::addFloat(uint32_t field, float value) {
  addTag(field, unsigned(WireType::Fixed32));
  std::memcpy(grow(sizeof(value)), &value, sizeof(value));
}

void WireMessage::addDouble(uint32_t field, double value) {
  addTag(field, unsigned(WireType::Fixed64));
  std::memcpy(grow(sizeof(value)), &value, sizeof(value));
}

void WireMessage::addString(uint32_t field, llvm::StringRef value) {
  addHeader(field, value.size());
  addVerbatim(value);
}

void WireMessage::addInts(uint32_t field, llvm::ArrayRef<int64_t> values) {
  for (int64_t value : values)
    addInt(field, value);
}

void WireMessage::addFloats(uint32_t field, llvm::ArrayRef<float> values) {
  for (float value : values)
    addFloat(field, value);
}

void WireMessage::addStrings(uint32_t field,
                             llvm::ArrayRef<llvm::StringRef> values) {
  for (llvm::StringRef value : values)
    addString(field, value);
}

void WireMessage::addPackedInts(uint32_t field,
                                llvm::ArrayRef<int64_t> values) {
  uint64_t length = 0;
  for (int64_t value : values)
    length += sizeOfVarint(uint64_t(value));
  addHeader(field, length);
  for (int64_t value : values)
    addVarint(uint64_t(value));
}

void WireMessage::addPackedFloats(uint32_t field,
                                  llvm::ArrayRef<float> values) {
  addString(field, {reinterpret_cast<const char *>(values.data()),
                    values.size() * sizeof(float)});
}

void WireMessage::addMessage(uint32_t field, WireMessage &&message) {
  addHeader(field, message.size);
  addFields(std::move(message));
}

void WireMessage::addFields(WireMessage &&message) {
  assert(message.writer == writer && &message != this);
  if (!message.head)
    return;
  (tail ? tail->next : head) = message.head;
  tail = message.tail;
  size += message.size;
  message.head = message.tail = nullptr;
  message.size = 0;
}

void WireMessage::addFileRange(const std::shared_ptr<const MappedFile> &file,
                               ByteRange range) {
  assert(range.offset <= file->getSize() &&
         range.size <= file->getSize() - range.offset);
  if (range.size == 0)
    return;
  size += range.size;
  if (tail && tail->kind == Piece::Kind::Range && tail->file == file.get() &&
      tail->offset + tail->size == range.offset) {
    tail->size += range.size;
    return;
  }
  writer->keep(file);
  Piece *piece = append();
  piece->kind = Piece::Kind::Range;
  piece->size = range.size;
  piece->file = file.get();
  piece->offset = range.offset;
}

void WireMessage::addRange(uint32_t field,
                           const std::shared_ptr<const MappedFile> &file,
                           ByteRange range) {
  addHeader(field, range.size);
  addFileRange(file, range);
}

void WireMessage::addVerbatim(const std::shared_ptr<const MappedFile> &file,
                              ByteRange range) {
  addFileRange(file, range);
}

void WireMessage::addVerbatim(llvm::StringRef bytes) {
  if (!bytes.empty())
    std::memcpy(grow(bytes.size()), bytes.data(), bytes.size());
}

void WireMessage::addStream(uint32_t field, uint64_t length,
                            WireStream stream) {
  addHeader(field, length);
  writer->streams.push_back(std::move(stream));
  Piece *piece = append();
  piece->kind = Piece::Kind::Stream;
  piece->size = length;
  piece->stream = &writer->streams.back();
  size += length;
}

size_t WireMessage::countPieces() const {
  size_t count = 0;
  for (Piece *piece = head; piece; piece = piece->next)
    ++count;
  return count;
}

llvm::Error WireMessage::writeTo(OutputFile &out) {
  for (Piece *piece = head; piece; piece = piece->next) {
    uint64_t before = out.getPosition();
    switch (piece->kind) {
    case Piece::Kind::Bytes:
      if (llvm::Error error = out.write({piece->bytes, size_t(piece->size)}))
        return error;
      break;
    case Piece::Kind::Range:
      if (llvm::Error error =
              out.copyRange(*piece->file, {piece->offset, piece->size}))
        return error;
      break;
    case Piece::Kind::Stream:
      if (llvm::Error error = (*piece->stream)(out))
        return error;
      // The length before it is already written: a file with another length would be
      // invalid, so it must not appear.
      if (uint64_t got = out.getPosition() - before; got != piece->size)
        return badInput(out.getPath() + ": expected a stream of " +
                        llvm::Twine(piece->size) + " bytes, but got " +
                        llvm::Twine(got));
      *piece->stream = nullptr; // also frees what it holds
      break;
    }
  }
  return llvm::Error::success();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes protobuf messages larger than memory. A message under construction is
// a chain of pieces: small bytes of its own, ranges of files, and streams whose
// bytes are made when they are written. Its size is known at any time, so a
// nested message gets its length before anything is written, and nothing is
// copied to put it into another.
//
//   WireWriter writer;
//   WireMessage tensor(writer);
//   tensor.addString(field::tensor::Name, "weight");
//   tensor.addStream(field::tensor::RawData, size, evaluateTileByTile);
//   WireMessage graph(writer);
//   graph.addMessage(field::graph::Initializer, std::move(tensor));
//   graph.addVerbatim(modelFile, modelFile->getRange(node.whole));
//   ...
//   if (llvm::Error error = model.writeTo(*out))
//     return error;
//
// Ranges of a file that follow each other melt into one, so a model of which
// one tensor changed is written by two large copies inside the kernel with that
// tensor between. What is written depends on the calls alone, never on
// addresses.
#ifndef INVAR_FRONTEND_WIRE_WIREWRITER_H
#define INVAR_FRONTEND_WIRE_WIREWRITER_H

#include "invar/Support/MappedFile.h"
#include "invar/Support/OutputFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace invar {

/// Writes exactly the promised number of bytes to the file, or fails. Called
/// once.
using WireStream = llvm::unique_function<llvm::Error(OutputFile &)>;

/// Holds what the messages of one output are made of; outlives them all.
class WireWriter {
public:
  WireWriter() = default;
  WireWriter(const WireWriter &) = delete;
  WireWriter &operator=(const WireWriter &) = delete;

private:
  friend class WireMessage;
  void keep(const std::shared_ptr<const MappedFile> &file);

  llvm::BumpPtrAllocator arena;
  std::vector<std::shared_ptr<const MappedFile>> files; // each once, few
  std::deque<WireStream> streams;
};

class WireMessage {
public:
  explicit WireMessage(WireWriter &writer) : writer(&writer) {}
  WireMessage(WireMessage &&other);
  WireMessage &operator=(WireMessage &&other);

  /// Bytes of the message so far, without any tag or length before it.
  uint64_t getSize() const { return size; }

  // Singular fields. A zero or an empty string is written too: leaving it out
  // is the caller's decision.
  void addInt(uint32_t field, int64_t value); // int32, int64, bool and enums
  void addFloat(uint32_t field, float value);
  void addDouble(uint32_t field, double value);
  void addString(uint32_t field, llvm::StringRef value); // copies; bytes too

  // Lists, packed or one field per element. onnx.proto packs a tensor's data
  // and nothing else: attributes and dims are one field per element.
  void addInts(uint32_t field, llvm::ArrayRef<int64_t> values);
  void addFloats(uint32_t field, llvm::ArrayRef<float> values);
  void addStrings(uint32_t field, llvm::ArrayRef<llvm::StringRef> values);
  void addPackedInts(uint32_t field, llvm::ArrayRef<int64_t> values);
  void addPackedFloats(uint32_t field, llvm::ArrayRef<float> values);

  /// A nested message, which must have been made with the same writer and is
  /// used up.
  void addMessage(uint32_t field, WireMessage &&message);

  /// All fields of another message, which is used up.
  void addFields(WireMessage &&message);

  /// A length-delimited field whose content is a range of a file, or comes
  /// later.
  void addRange(uint32_t field, const std::shared_ptr<const MappedFile> &file,
                ByteRange range);
  void addStream(uint32_t field, uint64_t length, WireStream stream);

  // Fields as they are, tags included: from a file, or (copied) from memory.
  void addVerbatim(const std::shared_ptr<const MappedFile> &file,
                   ByteRange range);
  void addVerbatim(llvm::StringRef bytes);

  /// Each once: streams are used up.
  llvm::Error writeTo(OutputFile &out);

  /// Pieces that writing will take, one system call each for large ranges.
  size_t countPieces() const;

private:
  struct Piece;

  char *grow(uint64_t bytes);
  Piece *append();
  void addVarint(uint64_t value);
  void addTag(uint32_t field, unsigned wireType);
  void addHeader(uint32_t field, uint64_t length);
  void addFileRange(const std::shared_ptr<const MappedFile> &file,
                    ByteRange range);

  WireWriter *writer;
  Piece *head = nullptr;
  Piece *tail = nullptr;
  uint64_t size = 0;
};

} // namespace invar

#endif // INVAR_FRONTEND_WIRE_WIREWRITER_H

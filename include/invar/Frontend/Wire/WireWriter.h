// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes protobuf messages that may be larger than memory. A message under construction
// is a chain of pieces: small bytes of its own, ranges of files, and streams whose bytes
// are produced when they are written. Its size is known at any time. So the length of a
// nested message is known before anything is written, and nesting copies nothing.
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
// Adjacent ranges of a file are merged. So a model with one changed tensor is written by
// two large copies inside the operating system, with that tensor in between. The output
// depends only on the calls, never on addresses.
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

/// Owns the data of all messages of one output, and must outlive them.
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
  void addString(uint32_t field,
                 llvm::StringRef value); // copies; also for bytes

  // Lists, packed or with one field per element. onnx.proto packs only the data of
  // tensors: attributes and dims have one field per element.
  void addInts(uint32_t field, llvm::ArrayRef<int64_t> values);
  void addFloats(uint32_t field, llvm::ArrayRef<float> values);
  void addStrings(uint32_t field, llvm::ArrayRef<llvm::StringRef> values);
  void addPackedInts(uint32_t field, llvm::ArrayRef<int64_t> values);
  void addPackedFloats(uint32_t field, llvm::ArrayRef<float> values);

  /// Adds a nested message, which must have been created with the same writer and is
  /// consumed.
  void addMessage(uint32_t field, WireMessage &&message);

  /// Adds all fields of another message, which is consumed.
  void addFields(WireMessage &&message);

  /// A length-delimited field whose content is a range of a file, or is produced later.
  void addRange(uint32_t field, const std::shared_ptr<const MappedFile> &file,
                ByteRange range);
  void addStream(uint32_t field, uint64_t length, WireStream stream);

  // Unchanged fields, tags included: from a file, or (copied) from memory.
  void addVerbatim(const std::shared_ptr<const MappedFile> &file,
                   ByteRange range);
  void addVerbatim(llvm::StringRef bytes);

  /// May be called once: streams are consumed.
  llvm::Error writeTo(OutputFile &out);

  /// The number of pieces to write; large ranges take one system call each.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the protobuf wire format in place. A message is a sequence of fields. Each field
// is a tag (a varint: number << 3 | wire type) and a value:
//
//   08 96 01           field 1, varint 150
//   12 03 61 62 63     field 2, the bytes "abc": a string, message or packed list
//   1d 00 00 80 3f     field 3, fixed32 1.0f
//
// WireReader walks over the fields of one message:
//
//   WireReader reader(input, payload, path);
//   while (reader.next())
//     switch (reader.getNumber()) {
//     case 1: version = reader.getInt("version"); break;
//     case 2: name = reader.getBytes("name"); break;
//     }
//   // input.failed() returns whether an error occurred.
//
// The first failure is permanent: from then on, next() returns false, getters return
// zeros, and input.takeError() returns the message. So a parser needs no check per field,
// and reads nothing outside of the payload, whatever the bytes are.
#ifndef INVAR_FRONTEND_WIRE_WIREREADER_H
#define INVAR_FRONTEND_WIRE_WIREREADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace invar {

enum class WireType : uint8_t {
  Varint = 0,
  Fixed64 = 1,
  Bytes = 2, // length-delimited
  GroupStart = 3,
  GroupEnd = 4,
  Fixed32 = 5,
};

/// The position of a parser, as a chain on its stack. It costs nothing until an error
/// prints it: graph.node[3].attribute[0].
struct FieldPath {
  static constexpr int64_t noIndex = -1;

  const FieldPath *parent = nullptr;
  llvm::StringRef name;
  int64_t index = noIndex;

  std::string str() const;
};

/// The bytes of one file, of which all readers read parts, and the first failure.
class WireInput {
public:
  WireInput(llvm::StringRef bytes, llvm::StringRef path)
      : bytes(bytes), path(path) {}

  bool failed() const { return hasFailed; }

  /// Records "PATH: FIELD: MESSAGE at byte OFFSET", unless something has failed before.
  void fail(const FieldPath &where, const llvm::Twine &message, const char *at);

  /// Returns success if nothing failed.
  llvm::Error takeError();

  /// The greatest depth of nested messages; the same limit as in protobuf.
  static constexpr unsigned maxDepth = 100;

private:
  llvm::StringRef bytes;
  llvm::StringRef path;
  std::string message;
  bool hasFailed = false;
};

/// Reads a varint that may be longer than one byte.
std::optional<uint64_t> readLongVarint(const char *&at, const char *end);

/// Reads one varint from [at, end) and moves `at` past it. Returns none if it does not
/// end there or does not fit into 64 bits.
inline std::optional<uint64_t> readVarint(const char *&at, const char *end) {
  if (at != end && static_cast<unsigned char>(*at) < 0x80)
    return static_cast<unsigned char>(*at++); // almost all tags and lengths
  return readLongVarint(at, end);
}

class WireReader {
public:
  WireReader(WireInput &input, llvm::StringRef payload, const FieldPath &path)
      : input(input), path(path), at(payload.begin()), end(payload.end()) {}

  /// Moves to the next field; false at the end and after a failure.
  bool next();

  // The field that next() found.
  uint32_t getNumber() const { return number; }
  WireType getType() const { return type; }
  llvm::StringRef getWhole() const { return {begin, size_t(at - begin)}; }

  // The value of the field, for a parser that expects this kind of value; `name` is used
  // in error messages. Numbers that are too large for an int32 field are returned as they
  // are.
  int64_t getInt(llvm::StringRef name, int64_t index = FieldPath::noIndex);
  float getFloat(llvm::StringRef name);
  llvm::StringRef getBytes(llvm::StringRef name,
                           int64_t index = FieldPath::noIndex);

  // A list of numbers: each occurrence of its field is one element, or a packed
  // block of them. Both forms may be mixed.

  /// Fails unless this occurrence has one of these forms.
  bool expectList(WireType element, llvm::StringRef name);
  bool isPackedBlock() const { return type == WireType::Bytes; }

  /// The elements of this occurrence: count…() returns their number; after that, take…()
  /// writes their values to `out` and returns the end of the written values.
  uint64_t countInts(llvm::StringRef name);
  uint64_t countFloats(llvm::StringRef name);
  int64_t *takeInts(int64_t *out) const;
  float *takeFloats(float *out) const;

  /// Fails at this field.
  void fail(llvm::StringRef name, int64_t index, const llvm::Twine &message);

  const FieldPath &getPath() const { return path; }
  WireInput &getInput() const { return input; }

private:
  bool failHere(const llvm::Twine &message, const char *where);
  bool expect(WireType wanted, llvm::StringRef what, llvm::StringRef name,
              int64_t index);

  WireInput &input;
  const FieldPath &path;
  const char *at;
  const char *end;
  const char *begin = nullptr; // of the field, at its tag
  uint32_t number = 0;
  WireType type = WireType::Varint;
  uint64_t scalar = 0;   // Varint, Fixed32, Fixed64
  llvm::StringRef bytes; // Bytes
};

} // namespace invar

#endif // INVAR_FRONTEND_WIRE_WIREREADER_H

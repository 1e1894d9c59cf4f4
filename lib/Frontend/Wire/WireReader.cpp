// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/WireReader.h"

#include "invar/Support/Error.h"
#include <bit>
#include <cstring>

using namespace invar;

// Fixed-size numbers are little-endian on the wire and are copied as they are.
static_assert(std::endian::native == std::endian::little);

std::string FieldPath::str() const {
  std::string text = parent ? parent->str() : "";
  if (!text.empty() && !name.empty())
    text += '.';
  text += name;
  if (index != noIndex)
    text += "[" + std::to_string(index) + "]";
  return text;
}

void WireInput::fail(const FieldPath &where, const llvm::Twine &text,
                     const char *at) {
  if (hasFailed)
    return;
  hasFailed = true;
  std::string field = where.str();
  message = (path + ": " + field + (field.empty() ? "" : ": ") + text +
             " at byte " + llvm::Twine(at - bytes.begin()))
                .str();
}

llvm::Error WireInput::takeError() {
  return hasFailed ? badInput(message) : llvm::Error::success();
}

std::optional<uint64_t> invar::readLongVarint(const char *&at,
                                              const char *end) {
  uint64_t value = 0;
  const char *byte = at;
  for (unsigned shift = 0; byte != end && shift != 70; shift += 7) {
    uint64_t bits = static_cast<unsigned char>(*byte++);
    if (shift == 63 && bits > 1)
      return std::nullopt;
    value |= (bits & 0x7f) << shift;
    if (bits < 0x80) {
      at = byte;
      return value;
    }
  }
  return std::nullopt;
}

/// Why readVarint() returned none.
static llvm::StringRef describeVarint(const char *at, const char *end) {
  return end - at >= 10 ? "more than 64 bits" : "the end of the message";
}

bool WireReader::failHere(const llvm::Twine &message, const char *where) {
  input.fail(path, message, where);
  return false;
}

bool WireReader::next() {
  if (at == end || input.failed())
    return false;
  begin = at;
  std::optional<uint64_t> tag = readVarint(at, end);
  if (!tag)
    return failHere(
        "expected a field's tag, but got " + describeVarint(at, end), at);
  if (*tag >> 3 == 0 || *tag >> 32 != 0)
    return failHere("expected a field number from 1 to 536870911, but got " +
                        llvm::Twine(*tag >> 3),
                    begin);
  number = *tag >> 3;
  type = WireType(*tag & 7);

  uint64_t left = end - at;
  switch (type) {
  case WireType::Varint: {
    std::optional<uint64_t> value = readVarint(at, end);
    if (!value)
      return failHere("expected a varint in field " + llvm::Twine(number) +
                          ", but got " + describeVarint(at, end),
                      at);
    scalar = *value;
    return true;
  }
  case WireType::Fixed64:
  case WireType::Fixed32: {
    uint64_t size = type == WireType::Fixed64 ? 8 : 4;
    if (left < size)
      return failHere("expected " + llvm::Twine(size) + " bytes in field " +
                          llvm::Twine(number) + ", but got " +
                          llvm::Twine(left),
                      at);
    scalar = 0;
    std::memcpy(&scalar, at, size);
    at += size;
    return true;
  }
  case WireType::Bytes: {
    std::optional<uint64_t> length = readVarint(at, end);
    if (!length)
      return failHere("expected a length in field " + llvm::Twine(number) +
                          ", but got " + describeVarint(at, end),
                      at);
    left = end - at;
    if (*length > left)
      return failHere("expected " + llvm::Twine(*length) + " bytes in field " +
                          llvm::Twine(number) + ", but got " +
                          llvm::Twine(left),
                      at);
    bytes = {at, size_t(*length)};
    at += *length;
    return true;
  }
  default:
    return failHere("expected a field without groups, but got wire type " +
                        llvm::Twine(unsigned(type)) + " in field " +
                        llvm::Twine(number),
                    begin);
  }
}

void WireReader::fail(llvm::StringRef name, int64_t index,
                      const llvm::Twine &message) {
  input.fail(FieldPath{&path, name, index}, message, begin);
}

bool WireReader::expect(WireType wanted, llvm::StringRef what,
                        llvm::StringRef name, int64_t index) {
  if (type == wanted)
    return true;
  fail(name, index,
       "expected " + what + ", but got wire type " +
           llvm::Twine(unsigned(type)));
  return false;
}

int64_t WireReader::getInt(llvm::StringRef name, int64_t index) {
  return expect(WireType::Varint, "a varint", name, index) ? int64_t(scalar)
                                                           : 0;
}

float WireReader::getFloat(llvm::StringRef name) {
  return expect(WireType::Fixed32, "a 4-byte float", name, FieldPath::noIndex)
             ? std::bit_cast<float>(uint32_t(scalar))
             : 0;
}

llvm::StringRef WireReader::getBytes(llvm::StringRef name, int64_t index) {
  return expect(WireType::Bytes, "a length and bytes", name, index)
             ? bytes
             : llvm::StringRef();
}

bool WireReader::expectList(WireType element, llvm::StringRef name) {
  if (isPackedBlock())
    return true;
  return expect(element,
                element == WireType::Varint    ? "a packed list or a varint"
                : element == WireType::Fixed32 ? "a packed list or 4 bytes"
                                               : "a packed list or 8 bytes",
                name, FieldPath::noIndex);
}

uint64_t WireReader::countInts(llvm::StringRef name) {
  if (!expectList(WireType::Varint, name))
    return 0;
  if (!isPackedBlock())
    return 1;
  uint64_t count = 0;
  for (const char *p = bytes.begin(); p != bytes.end(); ++count)
    if (!readVarint(p, bytes.end())) {
      input.fail(FieldPath{&path, name, int64_t(count)},
                 "expected a varint, but got " + describeVarint(p, bytes.end()),
                 p);
      return 0;
    }
  return count;
}

uint64_t WireReader::countFloats(llvm::StringRef name) {
  if (!expectList(WireType::Fixed32, name))
    return 0;
  if (!isPackedBlock())
    return 1;
  if (bytes.size() % sizeof(float) != 0) {
    fail(name, FieldPath::noIndex,
         "expected a packed list of 4-byte floats, but got " +
             llvm::Twine(bytes.size()) + " bytes");
    return 0;
  }
  return bytes.size() / sizeof(float);
}

int64_t *WireReader::takeInts(int64_t *out) const {
  if (!isPackedBlock()) {
    *out++ = int64_t(scalar);
    return out;
  }
  for (const char *p = bytes.begin(); p != bytes.end();)
    *out++ = int64_t(*readVarint(p, bytes.end()));
  return out;
}

float *WireReader::takeFloats(float *out) const {
  if (!isPackedBlock()) {
    *out++ = std::bit_cast<float>(uint32_t(scalar));
    return out;
  }
  if (!bytes.empty())
    std::memcpy(out, bytes.data(), bytes.size());
  return out + bytes.size() / sizeof(float);
}

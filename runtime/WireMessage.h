// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads Protocol Buffers messages, as far as weights need them: fields one after the
// other. The bytes are not trusted: nothing outside of them is read, numbers have at
// most 64 bits, and a length never exceeds its enclosing message.
//
//   Message message(bytes);
//   for (Field field; message.next(field);)
//     …
//   return message.isGood();
#ifndef INVAR_RUNTIME_WIREMESSAGE_H
#define INVAR_RUNTIME_WIREMESSAGE_H

#include <cstdint>
#include <string_view>

namespace invar::runtime {

/// One field of a message.
struct Field {
  uint64_t number = 0;
  uint64_t value = 0;          ///< if it is a number
  std::string_view bytes = {}; ///< if it has a length, or a fixed size
};

/// The fields of a message, one after the other.
class Message {
public:
  explicit Message(std::string_view rest) : rest(rest) {}

  /// Returns false at the end, or if the next bytes are not a field.
  bool next(Field &field) {
    if (rest.empty())
      return false;
    hasFailed = !readField(field);
    return !hasFailed;
  }
  /// Whether all bytes read so far were fields.
  bool isGood() const { return !hasFailed; }
  bool readVarint(uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest.empty())
        return false;
      auto byte = uint8_t(rest.front());
      rest.remove_prefix(1);
      if (shift == 63 && byte > 1)
        return false; // More than 64 bits.
      value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80)
        return true;
    }
    return false;
  }
  bool isEmpty() const { return rest.empty(); }

private:
  bool readField(Field &field) {
    uint64_t tag, length = 0;
    if (!readVarint(tag))
      return false;
    field = {tag >> 3};
    switch (tag & 7) {
    case 0:
      return readVarint(field.value);
    case 1:
      return take(8, field.bytes);
    case 2:
      return readVarint(length) && take(length, field.bytes);
    case 5:
      return take(4, field.bytes);
    default:
      return false;
    }
  }
  bool take(uint64_t count, std::string_view &bytes) {
    if (count > rest.size())
      return false;
    bytes = rest.substr(0, size_t(count));
    rest.remove_prefix(size_t(count));
    return true;
  }

  std::string_view rest;
  bool hasFailed = false;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_WIREMESSAGE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes constants from their encoded form (invar-c/Encoding.h), a piece at a time:
//
//   EncodedConstant constant;
//   if (Status status = EncodedConstant::read(bytes, size, count, constant))
//     return status;
//   for (uint64_t piece = 0; piece < constant.countPieces(); ++piece)
//     if (Status status = constant.decode(piece, scratch, elements))
//       return status;
//
// read() checks the header and all sizes; decode() checks the compressed data.
// Whatever the bytes contain, neither reads or writes out of bounds or allocates more
// than one piece.
#ifndef INVAR_RUNTIME_ENCODEDCONSTANT_H
#define INVAR_RUNTIME_ENCODEDCONSTANT_H

#include "Status.h"
#include "invar-c/Encoding.h"

#include <cstdint>
#include <memory>
#include <span>

namespace invar::runtime {

/// Memory for decoding. One thread can use it for any number of pieces.
class DecodingScratch {
public:
  DecodingScratch();
  ~DecodingScratch();
  DecodingScratch(const DecodingScratch &) = delete;
  DecodingScratch &operator=(const DecodingScratch &) = delete;

  /// Decompresses a piece to `size` bytes. Returns an empty span if the piece does
  /// not have that size, or if there is not enough memory.
  std::span<const uint8_t> decompress(std::span<const uint8_t> piece,
                                      size_t size);

private:
  std::unique_ptr<uint8_t[]> memory;
  void *context = nullptr; ///< zstd's
};

class EncodedConstant {
public:
  /// Reads a constant of `count` elements. It refers to `bytes`, which must outlive
  /// it.
  static Status read(std::span<const uint8_t> bytes, size_t elementSize,
                     uint64_t count, EncodedConstant &constant);

  const InvarEncodedHeader &getHeader() const { return header; }
  uint64_t countPieces() const { return numPieces; }

  /// Writes the elements of a piece to their positions in `elements`, which must be
  /// aligned for them and have room for all elements.
  Status decode(uint64_t piece, DecodingScratch &scratch, void *elements) const;

private:
  Status check(std::span<const uint8_t> bytes, size_t elementSize,
               uint64_t count);
  Status checkEncoding() const;
  Status checkScales() const;
  Status checkEnds() const;

  /// Where the bytes of a piece end.
  uint64_t getEnd(uint64_t piece) const;
  void expand(std::span<const uint8_t> codes, uint64_t begin, size_t count,
              void *elements) const;
  template <typename Element>
  void expandTo(std::span<const uint8_t> codes, uint64_t begin, size_t count,
                Element *elements) const;
  void expandScaled(std::span<const uint8_t> codes, uint64_t begin,
                    size_t count, uint32_t *elements) const;

  InvarEncodedHeader header = {};
  uint64_t numPieces = 0;
  std::span<const uint8_t> parameters, ends, pieces;
};

/// The encoding's name, in lower case; "?" if no encoding has this number.
const char *getEncodingName(uint8_t encoding);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_ENCODEDCONSTANT_H

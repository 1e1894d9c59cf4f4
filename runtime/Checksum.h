// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checksums of file contents: XXH3 with 64 bits, which is faster than memory can be
// read. They detect accidental damage only: whoever forges a file can also forge its
// checksums.
//
// Constants may be gigabytes, so they are checked in blocks, each before it is first
// read. Code that writes constants piece by piece adds each piece to BlockChecksums:
//
//   BlockChecksums checksums;
//   checksums.add(piece.data(), piece.size());
//   …
//   std::vector<uint64_t> list = checksums.finish();
#ifndef INVAR_RUNTIME_CHECKSUM_H
#define INVAR_RUNTIME_CHECKSUM_H

#include "invar-c/Abi.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace invar::runtime {

uint64_t computeChecksum(const void *bytes, size_t size);

/// The number of checksums for `size` bytes of constants.
inline uint64_t countBlocks(uint64_t size) {
  return size / INVAR_CHECKSUM_BLOCK + (size % INVAR_CHECKSUM_BLOCK != 0);
}

class BlockChecksums {
public:
  void add(const char *bytes, size_t size);
  /// Returns the checksums of all added bytes.
  std::vector<uint64_t> finish();

private:
  void endBlock();

  std::vector<char> block;
  std::vector<uint64_t> checksums;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CHECKSUM_H

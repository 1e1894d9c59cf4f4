// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checksums of what lies in files: XXH3 of 64 bits, which is faster than memory is read.
// They tell damage that happens by accident; whoever makes a file on purpose can make them
// right.
//
// Constants may be gigabytes, so they are checked in blocks, each before it is first read.
// Who writes them piece by piece adds the pieces to BlockChecksums:
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

/// How many checksums so many bytes of constants have.
inline uint64_t countBlocks(uint64_t size) {
  return size / INVAR_CHECKSUM_BLOCK + (size % INVAR_CHECKSUM_BLOCK != 0);
}

class BlockChecksums {
public:
  void add(const char *bytes, size_t size);
  /// The checksums of all that was added.
  std::vector<uint64_t> finish();

private:
  void endBlock();

  std::vector<char> block;
  std::vector<uint64_t> checksums;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CHECKSUM_H

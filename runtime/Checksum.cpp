// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Checksum.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace invar::runtime;

uint64_t invar::runtime::computeChecksum(const void *bytes, size_t size) {
  return XXH3_64bits(bytes, size);
}

void BlockChecksums::endBlock() {
  checksums.push_back(computeChecksum(block.data(), block.size()));
  block.clear();
}

void BlockChecksums::add(const char *bytes, size_t size) {
  while (size) {
    size_t part = std::min<size_t>(size, INVAR_CHECKSUM_BLOCK - block.size());
    block.insert(block.end(), bytes, bytes + part);
    bytes += part;
    size -= part;
    if (block.size() == INVAR_CHECKSUM_BLOCK)
      endBlock();
  }
}

std::vector<uint64_t> BlockChecksums::finish() {
  if (!block.empty())
    endBlock();
  return std::move(checksums);
}

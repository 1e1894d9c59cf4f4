// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/MurmurHash.h"

#include <bit>

using namespace invar;

/// Up to four bytes as a little-endian number.
static uint32_t readWord(std::string_view bytes) {
  uint32_t word = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    word |= uint32_t(uint8_t(bytes[i])) << (8 * i);
  return word;
}

static uint32_t scramble(uint32_t word) {
  return std::rotl(word * 0xcc9e2d51u, 15) * 0x1b873593u;
}

uint32_t kernels::murmurHash3(std::string_view bytes, uint32_t seed) {
  constexpr size_t wordSize = sizeof(uint32_t);
  uint32_t hash = seed;
  auto length = uint32_t(bytes.size());
  for (; bytes.size() >= wordSize; bytes.remove_prefix(wordSize))
    hash = std::rotl(hash ^ scramble(readWord(bytes.substr(0, wordSize))), 13) *
               5 +
           0xe6546b64u;
  // This is 0 if there are no bytes left.
  hash ^= scramble(readWord(bytes));
  hash ^= length;
  // Mix the bits: each bit of the result depends on all bits.
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

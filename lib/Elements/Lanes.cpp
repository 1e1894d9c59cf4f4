// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/Lanes.h"

#include <cassert>
#include <cstring>

using namespace invar;

unsigned invar::getPackingGroup(DataType type) {
  switch (getBitWidth(type)) {
  case 2:
  case 6:
    return 4;
  case 4:
    return 2;
  default:
    return 1;
  }
}

// A packed element crosses at most one byte boundary: its bits are in the byte of its
// first bit and, for 6 bits, in the next one.
template <unsigned Width>
static uint8_t patternAt(const uint8_t *packed, uint64_t index) {
  uint64_t byte = index / 8 * Width + index % 8 * Width / 8;
  unsigned shift = index % 8 * Width % 8;
  unsigned bits = packed[byte] >> shift;
  if (shift + Width > 8)
    bits |= unsigned(packed[byte + 1]) << (8 - shift);
  return bits & ((1u << Width) - 1);
}

/// Calls `store(i, pattern)` for each element, for whole bytes at a time if possible.
template <unsigned Width, typename F>
static void unpack(const uint8_t *packed, uint64_t begin, size_t count,
                   F store) {
  constexpr unsigned group = Width == 4 ? 2 : 4;
  constexpr unsigned groupBytes = group * Width / 8;
  constexpr unsigned mask = (1u << Width) - 1;
  size_t i = 0;
  for (; i < count && (begin + i) % group != 0; ++i)
    store(i, patternAt<Width>(packed, begin + i));
  const uint8_t *from = packed + (begin + i) / group * groupBytes;
  for (; i + group <= count; i += group, from += groupBytes) {
    uint32_t bits = from[0];
    if constexpr (groupBytes == 3)
      bits |= uint32_t(from[1]) << 8 | uint32_t(from[2]) << 16;
    for (unsigned k = 0; k < group; ++k)
      store(i + k, static_cast<uint8_t>((bits >> (k * Width)) & mask));
  }
  for (; i < count; ++i)
    store(i, patternAt<Width>(packed, begin + i));
}

void invar::unpackLanes(DataType type, const uint8_t *packed, uint64_t begin,
                        size_t count, void *lanes) {
  assert(isPacked(type));
  auto *out = static_cast<uint8_t *>(lanes);
  auto plain = [out](size_t i, uint8_t pattern) { out[i] = pattern; };
  switch (type) {
  case DataType::Int4:
    return unpack<4>(packed, begin, count, [out](size_t i, uint8_t pattern) {
      out[i] = static_cast<uint8_t>((pattern ^ 8) - 8);
    });
  case DataType::Int2:
    return unpack<2>(packed, begin, count, [out](size_t i, uint8_t pattern) {
      out[i] = static_cast<uint8_t>((pattern ^ 2) - 2);
    });
  case DataType::UInt2:
    return unpack<2>(packed, begin, count, plain);
  case DataType::Float6E2M3:
  case DataType::Float6E3M2:
    return unpack<6>(packed, begin, count, plain);
  default:
    return unpack<4>(packed, begin, count, plain);
  }
}

template <unsigned Width>
static void pack(const uint8_t *lanes, size_t count, uint8_t *packed) {
  constexpr unsigned group = Width == 4 ? 2 : 4;
  constexpr unsigned groupBytes = group * Width / 8;
  constexpr unsigned mask = (1u << Width) - 1;
  for (size_t i = 0; i < count; i += group, packed += groupBytes) {
    unsigned here = count - i < group ? unsigned(count - i) : group;
    uint32_t bits = 0;
    for (unsigned k = 0; k < here; ++k)
      bits |= uint32_t(lanes[i + k] & mask) << (k * Width);
    std::memcpy(packed, &bits, (here * Width + 7) / 8);
  }
}

void invar::packLanes(DataType type, const void *lanes, size_t count,
                      uint8_t *packed) {
  assert(isPacked(type));
  const auto *in = static_cast<const uint8_t *>(lanes);
  switch (getBitWidth(type)) {
  case 2:
    return pack<2>(in, count, packed);
  case 4:
    return pack<4>(in, count, packed);
  default:
    return pack<6>(in, count, packed);
  }
}

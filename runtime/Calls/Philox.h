// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_CALLS_PHILOX_H
#define INVAR_RUNTIME_CALLS_PHILOX_H

#include <array>
#include <cstdint>

namespace invar::runtime {

/// The random generator Philox4x32-10 (Salmon and others, 2011): 128 random bits that
/// are a function of a key and a counter. So numbers can be drawn in any order and on
/// any thread.
class Philox {
public:
  using Block = std::array<uint32_t, 4>;

  explicit Philox(uint64_t key) : key(key) {}

  Block operator()(Block counter) const {
    uint32_t low = uint32_t(key), high = uint32_t(key >> 32);
    for (int round = 0; round < 10; ++round) {
      uint64_t even = uint64_t(0xd2511f53) * counter[0],
               odd = uint64_t(0xcd9e8d57) * counter[2];
      counter = {uint32_t(odd >> 32) ^ counter[1] ^ low, uint32_t(odd),
                 uint32_t(even >> 32) ^ counter[3] ^ high, uint32_t(even)};
      low += 0x9e3779b9;
      high += 0xbb67ae85;
    }
    return counter;
  }

private:
  uint64_t key;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_PHILOX_H

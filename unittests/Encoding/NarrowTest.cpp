// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the conversion of numbers to narrower types, bit by bit.
#include "Facts.h"
#include "Testing.h"

#include <bit>
#include <cmath>

using namespace invar;
using namespace invar::testing;

TEST(Narrow, EveryHalf) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    uint32_t single = invar_widen_half(uint16_t(half));
    EXPECT_EQ(narrowToHalf(single), uint16_t(half));
    if (half != 0)
      EXPECT_EQ(narrowToHalf(single + 1), std::nullopt);
    // The value is that of the half, if the half is a finite number.
    int exponent = int(half >> 10 & 31);
    if (exponent == 31)
      continue;
    double fraction = double(half & 1023) / 1024 + (exponent ? 1 : 0);
    double value = std::ldexp(fraction, std::max(exponent, 1) - 15);
    EXPECT_EQ(double(std::bit_cast<float>(single)),
              half & 0x8000 ? -value : value);
  }
}

TEST(Narrow, Singles) {
  std::vector<uint32_t> singles = randomWords<uint32_t>(200000, 1);
  for (uint32_t special : {0u, 1u, 0x7fffffu, 0x800000u, 0x7f7fffffu,
                           0x7f800000u, 0x7f800001u, 0x7fffffffu})
    singles.insert(singles.end(), {special, special | 0x80000000u});
  for (uint32_t single : singles) {
    uint64_t wide = invar_widen_single(single);
    EXPECT_EQ(narrowToSingle(wide), single);
    if (auto number = std::bit_cast<float>(single); !std::isnan(number))
      EXPECT_EQ(std::bit_cast<double>(wide), double(number));
    EXPECT_EQ(narrowToSingle(wide ^ 1), std::nullopt);
  }
  EXPECT_EQ(narrowToSingle(std::bit_cast<uint64_t>(1e300)), std::nullopt);
  EXPECT_EQ(narrowToSingle(std::bit_cast<uint64_t>(1e-300)), std::nullopt);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/WideNum.h"
#include "gtest/gtest.h"
#include <vector>

using namespace invar;

TEST(Lanes, SizesAreThoseOfTheTypes) {
  for (DataType type : allDataTypes)
    dispatch(type, [&](auto tag) {
      EXPECT_EQ(sizeof(typename decltype(tag)::Lane), getLaneSize(type));
      EXPECT_EQ(tag.type, type);
    });
}

TEST(Lanes, PackAsOnnxDoes) {
  uint8_t packed[3] = {};
  int8_t nibbles[] = {1, -2, 7};
  packLanes(DataType::Int4, nibbles, 3, packed);
  EXPECT_EQ(packed[0], 0xe1);
  EXPECT_EQ(packed[1], 0x07);
  uint8_t pairs[] = {1, 2, 3, 0, 2};
  packLanes(DataType::UInt2, pairs, 5, packed);
  EXPECT_EQ(packed[0], 0b00111001);
  EXPECT_EQ(packed[1], 0b10);
  uint8_t sixes[] = {0b000001, 0b100010, 0b111111, 0b010101};
  packLanes(DataType::Float6E2M3, sixes, 4, packed);
  EXPECT_EQ(packed[0], 0b10000001);
  EXPECT_EQ(packed[1], 0b11111000);
  EXPECT_EQ(packed[2], 0b01010111);
}

TEST(Lanes, UnpackFromAnywhere) {
  for (DataType type : allDataTypes) {
    if (!isPacked(type))
      continue;
    for (size_t count = 0; count < 20; ++count) {
      std::vector<uint8_t> lanes(count), packed(*getPackedSize(type, count));
      for (size_t i = 0; i < count; ++i)
        lanes[i] = dispatch(type, [&](auto tag) {
          auto pattern =
              static_cast<uint8_t>(i * 37 & ((1u << getBitWidth(type)) - 1));
          if constexpr (std::is_same_v<typename decltype(tag)::Lane, int8_t>)
            return uint8_t(wrapLane<decltype(tag)::type>(int8_t(pattern)));
          else
            return pattern;
        });
      packLanes(type, lanes.data(), count, packed.data());
      for (size_t begin = 0; begin < count; ++begin) {
        std::vector<uint8_t> read(count - begin);
        unpackLanes(type, packed.data(), begin, read.size(), read.data());
        EXPECT_TRUE(
            std::equal(read.begin(), read.end(), lanes.begin() + long(begin)));
      }
    }
  }
}

TEST(Lanes, PackedIntegersWrap) {
  EXPECT_EQ(wrapLane<DataType::Int4>(8), -8);
  EXPECT_EQ(wrapLane<DataType::Int4>(-9), 7);
  EXPECT_EQ(wrapLane<DataType::Int2>(2), -2);
  EXPECT_EQ(wrapLane<DataType::UInt4>(17), 1);
  EXPECT_EQ(wrapLane<DataType::UInt2>(7), 3);
  EXPECT_EQ(wrapLane<DataType::Int8>(-9), -9);
}

TEST(WideNum, KeepsEveryValue) {
  using I64 = TypeTag<DataType::Int64>;
  using U64 = TypeTag<DataType::UInt64>;
  EXPECT_EQ(narrow<I64>(widen<I64>(INT64_MIN)), INT64_MIN);
  EXPECT_EQ(narrow<U64>(widen<U64>(UINT64_MAX)), UINT64_MAX);
  EXPECT_EQ(narrow<TypeTag<DataType::Int4>>(WideNum::ofInt(9)), -7);
  EXPECT_EQ(narrow<TypeTag<DataType::Bool>>(WideNum::ofUnsigned(5)), true);
  for (unsigned bits = 0; bits < 65536; ++bits) {
    using F16 = TypeTag<DataType::Float16>;
    Float16 value = Float16::fromBits(uint16_t(bits));
    if (!value.isNaN()) {
      EXPECT_EQ(narrow<F16>(widen<F16>(value)).bits, bits);
    }
  }
}

TEST(WideNum, ReadsAsIntegerOrDouble) {
  EXPECT_EQ(WideNum::ofDouble(-2.7).toInt(DataType::Float16), -2);
  EXPECT_EQ(WideNum::ofDouble(1e300).toInt(DataType::Float64), INT64_MIN);
  EXPECT_EQ(WideNum::ofInt(-3).toDouble(DataType::Int8), -3.0);
  EXPECT_EQ(WideNum::ofUnsigned(UINT64_MAX).toDouble(DataType::UInt64), 0x1p64);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/DataType.h"
#include "gtest/gtest.h"

using namespace invar;

TEST(DataType, NumbersAndNamesReadBack) {
  for (DataType type : allDataTypes) {
    EXPECT_EQ(dataTypeFromNumber(static_cast<int64_t>(type)), type);
    EXPECT_EQ(dataTypeFromName(getName(type)), type);
  }
  EXPECT_FALSE(dataTypeFromNumber(0));
  EXPECT_FALSE(dataTypeFromNumber(29));
  EXPECT_FALSE(dataTypeFromNumber(-1));
  EXPECT_FALSE(dataTypeFromName("float7"));
}

TEST(DataType, PackedSizesRoundUpAndNeverOverflow) {
  EXPECT_EQ(getPackedSize(DataType::Int4, 3), 2u);
  EXPECT_EQ(getPackedSize(DataType::UInt2, 5), 2u);
  EXPECT_EQ(getPackedSize(DataType::Float6E2M3, 4), 3u);
  EXPECT_EQ(getPackedSize(DataType::Float6E2M3, 5), 4u);
  EXPECT_EQ(getPackedSize(DataType::Complex128, 2), 32u);
  EXPECT_FALSE(getPackedSize(DataType::Float64, UINT64_MAX / 8));
}

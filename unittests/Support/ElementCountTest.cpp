// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/ElementCount.h"

#include "gtest/gtest.h"

using namespace invar;

static bool canCount(std::initializer_list<int64_t> sizes) {
  ElementCount count;
  for (int64_t size : sizes)
    if (!count.multiply(size))
      return false;
  return true;
}

TEST(ElementCount, HasALimit) {
  EXPECT_TRUE(canCount({}));
  EXPECT_TRUE(canCount({ElementCount::most}));
  EXPECT_TRUE(canCount({ElementCount::most, 1, 1}));
  EXPECT_FALSE(canCount({ElementCount::most + 1}));
  EXPECT_FALSE(canCount({2, ElementCount::most}));
  EXPECT_FALSE(canCount({INT64_MAX}));
  // Products that wrap around to something small.
  EXPECT_FALSE(canCount({int64_t(1) << 32, int64_t(1) << 32}));
  EXPECT_FALSE(canCount({int64_t(1) << 40, int64_t(1) << 40, 3}));
}

TEST(ElementCount, EmptyTensorsHaveStridesToo) {
  EXPECT_TRUE(canCount({0, 5}));
  EXPECT_FALSE(canCount({0, INT64_MAX}));
  EXPECT_FALSE(canCount({int64_t(1) << 40, 0, int64_t(1) << 40}));
}

TEST(ElementCount, NegativeSizesAreNoneOrOpen) {
  EXPECT_FALSE(canCount({-1}));
  EXPECT_FALSE(canCount({INT64_MIN}));
  EXPECT_TRUE(ElementCount::allows({INT64_MIN, 5, INT64_MIN}));
  EXPECT_FALSE(ElementCount::allows({INT64_MIN, INT64_MAX}));
}

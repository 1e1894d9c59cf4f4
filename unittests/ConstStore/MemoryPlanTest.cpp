// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstStore/MemoryPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace invar;

namespace {
using Buffers = std::vector<BufferUse>;

/// Checks all properties of a plan.
void check(const Buffers &buffers, const MemoryPlan &plan) {
  ASSERT_EQ(plan.offsets.size(), buffers.size());
  uint64_t end = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    ASSERT_EQ(plan.offsets[i] % MemoryPlan::alignment, 0u);
    ASSERT_LE(plan.offsets[i] + buffers[i].bytes, plan.size);
    if (buffers[i].bytes)
      end = std::max(end, plan.offsets[i] + buffers[i].bytes);
  }
  EXPECT_EQ(llvm::alignTo(end, MemoryPlan::alignment), plan.size);
  // The buffers in use, by offset, in the order of time.
  std::vector<size_t> byFirst, byLast;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].bytes)
      byFirst.push_back(i);
  byLast = byFirst;
  llvm::sort(byFirst, [&](size_t a, size_t b) {
    return buffers[a].first < buffers[b].first;
  });
  llvm::sort(byLast, [&](size_t a, size_t b) {
    return buffers[a].last < buffers[b].last;
  });
  std::map<uint64_t, size_t> inUse;
  auto ending = byLast.begin();
  for (size_t i : byFirst) {
    for (; buffers[*ending].last < buffers[i].first; ++ending)
      inUse.erase(plan.offsets[*ending]);
    auto [place, isNew] = inUse.emplace(plan.offsets[i], i);
    ASSERT_TRUE(isNew) << i << " and " << place->second;
    if (auto next = std::next(place); next != inUse.end()) {
      ASSERT_LE(place->first + buffers[i].bytes, next->first) << i;
    }
    if (place != inUse.begin()) {
      auto [offset, before] = *std::prev(place);
      ASSERT_LE(offset + buffers[before].bytes, place->first) << i;
    }
  }
  // The bound by its definition: the bytes in use when a buffer begins.
  uint64_t bound = 0;
  if (buffers.size() <= 1000)
    for (const BufferUse &moment : buffers) {
      uint64_t live = 0;
      for (const BufferUse &buffer : buffers)
        if (buffer.first <= moment.first && moment.first <= buffer.last)
          live += llvm::alignTo(buffer.bytes, MemoryPlan::alignment);
      bound = std::max(bound, live);
    }
  if (bound) {
    EXPECT_EQ(plan.bound, bound);
  }
  EXPECT_GE(plan.size, plan.bound);
}

MemoryPlan mustPlan(const Buffers &buffers) {
  MemoryPlan plan = planMemory(buffers);
  check(buffers, plan);
  return plan;
}

/// Buffers as in programs: one step creates each, and some of the next steps use it.
Buffers makeProgram(unsigned seed, uint32_t count, uint32_t longest) {
  std::mt19937 random(seed);
  Buffers buffers;
  for (uint32_t i = 0; i < count; ++i)
    buffers.push_back(
        {random() % 3 ? uint64_t(64) << random() % 10 : random() % 5000, i,
         i + uint32_t(1 + random() % (random() % 8 ? 4 : longest))});
  return buffers;
}
} // namespace

TEST(MemoryPlan, ChainsTakeTwoPlaces) {
  Buffers buffers;
  for (uint32_t i = 0; i < 100; ++i)
    buffers.push_back({1000, i, i + 1});
  MemoryPlan plan = mustPlan(buffers);
  EXPECT_EQ(plan.size, 2048u);
  EXPECT_EQ(plan.bound, 2048u);
}

TEST(MemoryPlan, NothingAndEmptyBuffers) {
  EXPECT_EQ(mustPlan({}).size, 0u);
  EXPECT_EQ(mustPlan({{0, 0, 5}, {0, 2, 3}}).size, 0u);
  EXPECT_EQ(mustPlan({{0, 0, 5}, {1, 2, 3}, {0, 3, 3}}).size, 64u);
}

TEST(MemoryPlan, OrdersThatAllocateInTimeAreNotEnough) {
  // Allocating in the order of time leaves a hole that is too small.
  MemoryPlan plan = mustPlan({{128, 0, 1}, {64, 0, 3}, {192, 2, 3}});
  EXPECT_EQ(plan.size, 256u);
}

TEST(MemoryPlan, KeepsWhatIsInUseTogetherApart) {
  for (unsigned seed = 0; seed < 300; ++seed)
    mustPlan(makeProgram(seed, 1 + seed % 60, 1 + seed % 30));
}

TEST(MemoryPlan, IsNearTheBound) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    MemoryPlan plan = mustPlan(makeProgram(seed, 400, 40));
    EXPECT_LE(plan.size, plan.bound + plan.bound / 10) << seed;
  }
}

TEST(MemoryPlan, IsTheSameEachTime) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Buffers buffers = makeProgram(seed, 300, 50);
    MemoryPlan one = planMemory(buffers), other = planMemory(buffers);
    EXPECT_EQ(one.offsets, other.offsets);
    EXPECT_EQ(one.size, other.size);
    EXPECT_EQ(one.order, other.order);
  }
}

TEST(MemoryPlan, PlansManyBuffers) {
  // With few buffers in use at once, many, and all.
  for (uint32_t longest : {50u, 100'000u})
    mustPlan(makeProgram(1, 100'000, longest));
  Buffers together(100'000, {1000, 0, 7});
  EXPECT_EQ(mustPlan(together).size, 102'400'000u);
}

TEST(MemoryPlan, CountsTheLargestBuffersWithoutOverflow) {
  Buffers buffers(1000, {MemoryPlan::mostBytes, 3, 4});
  EXPECT_EQ(mustPlan(buffers).size, 1000 * MemoryPlan::mostBytes);
}

TEST(MemoryPlan, SaysWhatIsLive) {
  EXPECT_EQ(getLiveBytes(Buffers{{1, 0, 1}, {64, 1, 1}, {65, 3, 3}}),
            (std::vector<uint64_t>{64, 128, 0, 128}));
}

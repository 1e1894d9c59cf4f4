// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/Arena.h"
#include "gtest/gtest.h"

#include <cstring>
#include <random>
#include <thread>
#include <vector>

using namespace invar::runtime;

TEST(Arena, AlignsAndKeepsBlocksApart) {
  Arena::Owner arena = Arena::create(Arena::Blocks::Together);
  ASSERT_TRUE(arena);
  std::vector<char *> blocks;
  std::vector<size_t> sizes = {0, 1, 48, 49, 64, 1000, 100000, 5000000};
  for (size_t size : sizes) {
    blocks.push_back(static_cast<char *>(arena->allocate(size)));
    ASSERT_TRUE(blocks.back());
    EXPECT_EQ(size_t(blocks.back()) % 64, 0u);
    std::memset(blocks.back(), int(blocks.size()), size);
  }
  for (size_t i = 0; i < blocks.size(); ++i)
    for (size_t byte = 0; byte < sizes[i]; ++byte)
      ASSERT_EQ(blocks[i][byte], char(i + 1)) << i;
  for (char *block : blocks)
    arena->free(block);
  EXPECT_EQ(arena->getUsed(), 0u);
}

TEST(Arena, UsesWhatWasFreedLast) {
  Arena::Owner arena = Arena::create(Arena::Blocks::Together);
  void *first = arena->allocate(1000);
  void *second = arena->allocate(1000);
  arena->free(first);
  EXPECT_EQ(arena->allocate(1000), first);
  arena->free(first);
  arena->free(second);
}

TEST(Arena, MergesFreeNeighbours) {
  Arena::Owner arena = Arena::create(Arena::Blocks::Together);
  std::vector<void *> small;
  for (int i = 0; i < 1000; ++i)
    small.push_back(arena->allocate(10000));
  size_t before = arena->getCommitted();
  // In this order, most blocks have a free neighbour on one side, some on both.
  std::shuffle(small.begin(), small.end(), std::mt19937(1));
  for (void *block : small)
    arena->free(block);
  void *big = arena->allocate(9'000'000);
  EXPECT_EQ(arena->getCommitted(), before);
  arena->free(big);
}

TEST(Arena, DoesNotGrowUnderAChangingLoad) {
  Arena::Owner arena = Arena::create(Arena::Blocks::Together);
  std::mt19937 random(7);
  std::vector<std::pair<char *, size_t>> live;
  size_t most = 0;
  for (int step = 0; step < 200'000; ++step) {
    if (live.size() < 50 && (live.empty() || random() % 2)) {
      size_t size = size_t(1) << random() % 18;
      size += random() % size;
      auto *block = static_cast<char *>(arena->allocate(size));
      ASSERT_TRUE(block);
      // The first and last bytes detect overlapping blocks.
      block[0] = block[size - 1] = char(size);
      live.push_back({block, size});
    } else {
      size_t i = random() % live.size();
      auto [block, size] = live[i];
      ASSERT_EQ(block[0], char(size));
      ASSERT_EQ(block[size - 1], char(size));
      arena->free(block);
      live[i] = live.back();
      live.pop_back();
    }
    most = std::max(most, arena->getUsed());
  }
  // Fragmentation costs less than the used memory.
  EXPECT_LE(arena->getCommitted(), 2 * most + 1'000'000);
  for (auto [block, size] : live)
    arena->free(block);
  EXPECT_EQ(arena->getUsed(), 0u);
}

TEST(Arena, RefusesMoreThanThereIs) {
  Arena::Owner arena = Arena::create(Arena::Blocks::Together);
  EXPECT_FALSE(arena->allocate(SIZE_MAX));
  EXPECT_FALSE(arena->allocate(SIZE_MAX / 2));
  EXPECT_FALSE(arena->allocate(size_t(1) << 50));
  void *block = arena->allocate(100);
  EXPECT_TRUE(block);
  arena->free(block);
}

TEST(Arena, TakesBackWhatOtherThreadsFree) {
  Arena::Owner arena = Arena::create(Arena::Blocks::Together);
  size_t committed = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<void *> blocks;
    for (int i = 0; i < 8; ++i) {
      blocks.push_back(arena->allocate(100'000));
      std::memset(blocks.back(), 1, 100'000);
    }
    std::thread other([&] {
      for (size_t i = 0; i < blocks.size(); i += 2)
        arena->freeFromOutside(blocks[i]);
    });
    for (size_t i = 1; i < blocks.size(); i += 2)
      arena->free(blocks[i]);
    other.join();
    if (round == 1)
      committed = arena->getCommitted();
  }
  EXPECT_EQ(arena->getCommitted(), committed);
}

namespace {
void keepABlockAfter(Arena::Owner arena) {
  auto *kept = static_cast<char *>(arena->allocate(1'000'000));
  auto *other = static_cast<char *>(arena->allocate(1'000'000));
  arena->free(arena->allocate(10'000'000));
  std::memset(kept, 5, 1'000'000);
  Arena *pointer = arena.get();
  arena.reset();
  EXPECT_EQ(kept[999'999], 5);
  pointer->freeFromOutside(other);
  EXPECT_EQ(kept[0], 5);
  // Freeing the last block also frees the arena; otherwise the sanitizers report a leak.
  std::thread([&] { pointer->freeFromOutside(kept); }).join();
}
} // namespace

TEST(Arena, OutlivesItsOwnerAsLongAsBlocksDo) {
  keepABlockAfter(Arena::create(Arena::Blocks::Together));
  keepABlockAfter(Arena::create(Arena::Blocks::Apart));
}

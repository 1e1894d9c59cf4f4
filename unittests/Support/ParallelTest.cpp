// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/Parallel.h"
#include "gtest/gtest.h"
#include <atomic>
#include <mutex>
#include <vector>

using namespace invar;

TEST(Parallel, CoversTheRangeOnce) {
  for (uint64_t size : {0, 1, 7, 100, 1001}) {
    for (unsigned threads : {0, 1, 3, 16}) {
      std::vector<std::atomic<int>> visits(size);
      parallelFor(size, 7, threads, [&](uint64_t begin, uint64_t end) {
        EXPECT_LE(end - begin, 7u);
        for (uint64_t i = begin; i < end; ++i)
          ++visits[i];
      });
      for (const std::atomic<int> &count : visits)
        EXPECT_EQ(count, 1);
    }
  }
}

TEST(Parallel, EndOfTheNumbersDoesNotOverflow) {
  std::atomic<int> pieces{0};
  parallelFor(UINT64_MAX, UINT64_MAX / 2, 2,
              [&](uint64_t begin, uint64_t end) { pieces += begin < end; });
  EXPECT_EQ(pieces, 3);
}

TEST(Parallel, Nests) {
  std::atomic<int> sum{0};
  parallelFor(8, 1, 4, [&](uint64_t, uint64_t) {
    parallelFor(8, 1, 4, [&](uint64_t, uint64_t) { ++sum; });
  });
  EXPECT_EQ(sum, 64);
}

// Workers wait for a value that one of them computes with a nested loop.
TEST(Parallel, EndsWhenWorkersWaitForAnInnerLoop) {
  std::once_flag once;
  std::atomic<int> sum{0};
  parallelFor(16, 1, 8, [&](uint64_t, uint64_t) {
    std::call_once(once, [&] {
      parallelFor(64, 1, 8, [&](uint64_t, uint64_t) { ++sum; });
    });
    EXPECT_EQ(sum, 64);
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ThreadPool.h"
#include "gtest/gtest.h"

#include <thread>
#include <vector>

using namespace invar::runtime;
using std::chrono::microseconds;

namespace {
/// Counts how often each piece was done, and the numbers of the threads that did it.
struct Count {
  explicit Count(int64_t pieces) : pieces(size_t(pieces)) {}
  std::vector<std::atomic<int>> pieces;
  std::atomic<unsigned> highest = 0;

  static void work(void *context, int64_t piece, unsigned thread) {
    auto &count = *static_cast<Count *>(context);
    ++count.pieces[size_t(piece)];
    unsigned before = count.highest;
    while (thread > before &&
           !count.highest.compare_exchange_weak(before, thread))
      ;
  }
  void check(int times) const {
    for (const std::atomic<int> &piece : pieces)
      ASSERT_EQ(piece, times);
  }
};
} // namespace

TEST(Threads, DoEveryPieceOnce) {
  for (unsigned size : {2u, 3u, 8u})
    for (int spin : {0, 100}) {
      ThreadPool pool(size, microseconds(spin));
      Count count(100);
      for (int round = 1; round <= 200; ++round) {
        ASSERT_TRUE(pool.tryRun(100, &Count::work, &count));
        count.check(round);
      }
      EXPECT_LT(count.highest, size);
    }
}

TEST(Threads, WakeUpAgain) {
  // Workers that sleep must take part in later work: each piece waits for the other one
  // to begin, so a single thread would never end.
  ThreadPool pool(2, microseconds(0));
  struct Meeting {
    std::atomic<int> present = 0;
    static void work(void *context, int64_t, unsigned) {
      auto &meeting = *static_cast<Meeting *>(context);
      ++meeting.present;
      while (meeting.present < 2)
        std::this_thread::yield();
    }
  };
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Meeting meeting;
    ASSERT_TRUE(pool.tryRun(2, &Meeting::work, &meeting));
    EXPECT_EQ(meeting.present, 2);
  }
}

TEST(Threads, OneAloneIsNoPool) {
  ThreadPool pool(1, microseconds(100));
  Count count(4);
  EXPECT_FALSE(pool.tryRun(4, &Count::work, &count));
  count.check(0);
}

TEST(Threads, ZeroStandsForAll) {
  ThreadPool pool(0, microseconds(100));
  EXPECT_GE(pool.getSize(), 1u);
}

TEST(Threads, WorkInsideOfWorkIsDoneAlone) {
  ThreadPool pool(4, microseconds(10));
  struct Nested {
    ThreadPool *pool;
    std::atomic<int> refused = 0;
    static void work(void *context, int64_t, unsigned) {
      auto &nested = *static_cast<Nested *>(context);
      Count count(2);
      nested.refused += !nested.pool->tryRun(2, &Count::work, &count);
    }
  } nested{&pool};
  ASSERT_TRUE(pool.tryRun(50, &Nested::work, &nested));
  EXPECT_EQ(nested.refused, 50);
}

TEST(Threads, ManyCallersNeverWaitForEachOther) {
  ThreadPool pool(3, microseconds(20));
  std::atomic<int> alone = 0, together = 0;
  auto call = [&] {
    for (int round = 0; round < 500; ++round) {
      Count count(16);
      if (pool.tryRun(16, &Count::work, &count)) {
        ++together;
        count.check(1);
      } else {
        ++alone;
        count.check(0);
      }
    }
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < 6; ++i)
    callers.emplace_back(call);
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(alone + together, 3000);
  EXPECT_GT(together, 0);
}

TEST(Threads, PiecesMakeUpTheWhole) {
  for (int64_t units : {1, 2, 7, 100, 1000, 12345})
    for (int64_t grain : {0, 1, 3, 50, 20000})
      for (unsigned threads : {1u, 2u, 16u}) {
        Pieces pieces(units, grain, threads);
        ASSERT_GE(pieces.count, 1);
        EXPECT_LE(pieces.count, int64_t(threads) * 4);
        int64_t at = 0;
        for (int64_t piece = 0; piece < pieces.count; ++piece) {
          EXPECT_EQ(pieces.begin(piece), at);
          int64_t size = pieces.begin(piece + 1) - at;
          EXPECT_GE(size, std::min(grain, units));
          at += size;
        }
        EXPECT_EQ(at, units);
      }
  Pieces huge(INT64_MAX, 1, 64);
  EXPECT_EQ(huge.begin(huge.count), INT64_MAX);
}

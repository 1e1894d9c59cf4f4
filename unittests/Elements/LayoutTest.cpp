// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/Layout.h"
#include "gtest/gtest.h"

using namespace invar;
using Sizes = llvm::ArrayRef<int64_t>;

static constexpr int64_t huge = int64_t(1) << 62;

TEST(Layout, CountsOrRefuses) {
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({2, 3}), 6);
  EXPECT_EQ(countElements({huge, huge, 0}), 0);
  EXPECT_EQ(countElements({0, huge, huge}), 0);
  EXPECT_EQ(countElements({INT64_MAX}), INT64_MAX);
  EXPECT_FALSE(countElements({huge, 2}));
  EXPECT_FALSE(countElements({-1}));
  EXPECT_FALSE(countElements({0, -1}));
  EXPECT_FALSE(countElements({INT64_MIN, INT64_MIN}));
  EXPECT_FALSE(Layout::contiguous({huge, huge}));
}

TEST(Layout, ExamplesOfTheHeader) {
  Layout x = *Layout::contiguous({2, 3});
  EXPECT_EQ(x.getStrides(), Sizes({3, 1}));
  Layout t = x.transpose({1, 0});
  EXPECT_EQ(t.getShape(), Sizes({3, 2}));
  EXPECT_EQ(t.getStrides(), Sizes({1, 3}));
  Layout s = t.slice({2, 0}, {2, 2}, {-2, 1});
  EXPECT_EQ(s.getOffset(), 2);
  EXPECT_EQ(s.getStrides(), Sizes({-2, 3}));
  Layout e = Layout::contiguous({})->expand({2, 3});
  EXPECT_EQ(e.getStrides(), Sizes({0, 0}));
  EXPECT_TRUE(e.isSplat());
  EXPECT_EQ(s.locate(3), 3);
}

TEST(Layout, ReshapesWhatStridesExpress) {
  Layout x = *Layout::contiguous({4, 6});
  EXPECT_TRUE(x.reshape({2, 2, 3, 2})->isContiguous());
  EXPECT_FALSE(x.transpose({1, 0}).reshape({24}));
  EXPECT_EQ(x.transpose({1, 0}).reshape({2, 3, 1, 4})->getStrides(),
            Sizes({3, 1, 0, 6}));
  // A repeated row of a matrix: its columns can be split, but not merged with the rows.
  Layout r = Layout::contiguous({6})->expand({4, 6});
  EXPECT_EQ(r.reshape({2, 2, 2, 3})->getStrides(), Sizes({0, 0, 3, 1}));
  EXPECT_FALSE(r.reshape({24}));
  EXPECT_FALSE(r.reshape({8, 3}));
  EXPECT_EQ(Layout::contiguous({1})->expand({4, 6}).reshape({24})->getStrides(),
            Sizes({0}));
  EXPECT_EQ(Layout::contiguous({2, 0})->reshape({0, 7})->getShape(),
            Sizes({0, 7}));
  EXPECT_EQ(Layout::contiguous({})->reshape({1, 1})->getShape(), Sizes({1, 1}));
  EXPECT_EQ(Layout::contiguous({1, 1})->reshape({})->getShape(), Sizes({}));
}

TEST(Layout, CoalescesToTheLongestRuns) {
  EXPECT_EQ(Layout::contiguous({2, 1, 3})->coalesce().getShape(), Sizes({6}));
  Layout t = Layout::contiguous({2, 3, 4})->transpose({2, 0, 1});
  EXPECT_EQ(t.coalesce().getShape(), Sizes({4, 6}));
  EXPECT_EQ(t.coalesce().getStrides(), Sizes({1, 4}));
  EXPECT_EQ(Layout::contiguous({})->coalesce().getShape(), Sizes({}));
}

TEST(Layout, ChecksSlices) {
  EXPECT_TRUE(isValidSlice({5}, {4}, {3}, {-2}));
  EXPECT_FALSE(isValidSlice({5}, {4}, {4}, {-2}));
  EXPECT_FALSE(isValidSlice({5}, {5}, {1}, {1}));
  EXPECT_FALSE(isValidSlice({5}, {-1}, {1}, {1}));
  EXPECT_FALSE(isValidSlice({5}, {0}, {2}, {0}));
  EXPECT_FALSE(isValidSlice({5}, {0}, {-1}, {1}));
  EXPECT_FALSE(isValidSlice({5}, {0, 0}, {1}, {1}));
  EXPECT_FALSE(isValidSlice({5}, {1}, {INT64_MAX}, {INT64_MAX}));
  EXPECT_FALSE(isValidSlice({5}, {1}, {3}, {INT64_MIN}));
  EXPECT_TRUE(isValidSlice({5}, {1}, {1}, {INT64_MIN}));
  EXPECT_TRUE(isValidSlice({5}, {99}, {0}, {1}));
  // Unused steps must not overflow a stride.
  Layout x = Layout::contiguous({4, huge / 4})
                 ->slice({1, 0}, {1, 1}, {INT64_MIN, INT64_MAX});
  EXPECT_EQ(x.getStrides(), Sizes({0, 0}));
}

TEST(Layout, Broadcasts) {
  EXPECT_EQ(
      llvm::cantFail(broadcastShapes({Sizes({3, 1}), Sizes({4}), Sizes({})})),
      Shape({3, 4}));
  EXPECT_EQ(llvm::cantFail(broadcastShapes({Sizes({1}), Sizes({0})})),
            Shape({0}));
  auto wrong = broadcastShapes({Sizes({3}), Sizes({4})});
  EXPECT_EQ(llvm::toString(wrong.takeError()),
            "expected shapes that broadcast to one another, but got 3 and 4");
  EXPECT_TRUE(isExpandable({1, 3}, {2, 5, 3}));
  EXPECT_FALSE(isExpandable({2, 3}, {3}));
  EXPECT_FALSE(isExpandable({2}, {3}));
}

TEST(Layout, KnowsItsTransposes) {
  Layout whole = *Layout::contiguous({2, 3, 1, 4});
  EXPECT_EQ(*whole.findTransposeOf(whole), Sizes({0, 1, 2, 3}));
  EXPECT_EQ(*whole.transpose({3, 2, 0, 1}).findTransposeOf(whole),
            Sizes({3, 2, 0, 1}));
  EXPECT_EQ(*whole.findTransposeOf(whole.transpose({3, 2, 0, 1})),
            Sizes({2, 3, 1, 0}));
  EXPECT_FALSE(whole.slice({0, 0, 0, 1}, {2, 3, 1, 3}, {1, 1, 1, 1})
                   .findTransposeOf(whole));
  EXPECT_FALSE(whole.reshape({6, 4})->findTransposeOf(whole));
  Layout rows = *Layout::contiguous({4, 4});
  EXPECT_EQ(*rows.transpose({1, 0}).findTransposeOf(rows), Sizes({1, 0}));
  EXPECT_FALSE(rows.slice({1, 0}, {2, 4}, {1, 1})
                   .findTransposeOf(rows.slice({0, 0}, {2, 4}, {1, 1})));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/ConstantGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace invar;

static std::vector<unsigned> toList(const llvm::BitVector &bits) {
  return {bits.set_bits_begin(), bits.set_bits_end()};
}
using List = std::vector<unsigned>;

TEST(ConstantGraph, NeutralChainsFoldToTheirEnd) {
  ConstantGraph graph;
  unsigned w = graph.add(1000, {});
  unsigned moved = graph.add(1000, w);
  unsigned last = graph.add(1000, moved);
  graph.need(last);
  EXPECT_EQ(toList(graph.choose(0)), List({last}));
}

TEST(ConstantGraph, WhatExpandsStays) {
  ConstantGraph graph;
  unsigned w = graph.add(1000, {});
  unsigned cast = graph.add(4000, w);
  unsigned tile = graph.add(16000, cast);
  unsigned scale = graph.add(4, {});
  unsigned mul = graph.add(16000, {tile, scale});
  graph.need(mul);
  EXPECT_EQ(toList(graph.choose(0)), List({w, scale}));
}

TEST(ConstantGraph, WhatShrinksAgainIsFolded) {
  ConstantGraph graph;
  unsigned w = graph.add(1000, {});
  unsigned tile = graph.add(100000, w);
  unsigned sum = graph.add(10, tile);
  graph.need(sum);
  EXPECT_EQ(toList(graph.choose(0)), List({sum}));
}

TEST(ConstantGraph, TiedWeightsStayOne) {
  ConstantGraph graph;
  unsigned w = graph.add(5000, {});
  unsigned transposed = graph.add(5000, w);
  graph.need(w);
  graph.need(transposed);
  EXPECT_EQ(toList(graph.choose(0)), List({w}));
}

TEST(ConstantGraph, TheAllowanceGoesToAllOfOneSize) {
  ConstantGraph graph;
  unsigned a = graph.add(8, {}), b = graph.add(8, {});
  unsigned small = graph.add(400, a), big = graph.add(2000, b);
  graph.need(small);
  graph.need(big);
  EXPECT_EQ(toList(graph.choose(10)), List({a, b}));
  EXPECT_EQ(toList(graph.choose(1000)), List({b, small}));
  EXPECT_EQ(toList(graph.choose(4000)), List({small, big}));
  // One of this size is small enough, two are too much.
  unsigned other = graph.add(401, a);
  graph.need(other);
  EXPECT_EQ(toList(graph.choose(1000)), List({a, b}));
}

TEST(ConstantGraph, WhatCannotBeStoredIsComputed) {
  ConstantGraph graph;
  unsigned w = graph.add(100, {});
  unsigned sequence = graph.add(ConstantGraph::never, w);
  unsigned item = graph.add(50, sequence);
  graph.need(item);
  graph.need(sequence);
  EXPECT_EQ(toList(graph.choose(0)), List({w}));
}

namespace {
/// A random graph that can compute whether a set of stored values is sufficient, and its
/// cost.
struct Random {
  std::vector<uint64_t> bytes;
  std::vector<std::vector<unsigned>> operands;
  std::vector<bool> needed;

  explicit Random(std::mt19937 &engine) {
    unsigned count = 2 + engine() % 9;
    for (unsigned i = 0; i < count; ++i) {
      bytes.push_back(engine() % 2000);
      std::vector<unsigned> from;
      if (i > 1)
        for (unsigned k = engine() % 3; k > 0; --k)
          from.push_back(unsigned(engine() % i));
      operands.push_back(from);
      needed.push_back(engine() % 3 == 0);
    }
  }

  ConstantGraph build() const {
    ConstantGraph graph;
    for (size_t i = 0; i < bytes.size(); ++i) {
      graph.add(bytes[i], operands[i]);
      if (needed[i])
        graph.need(unsigned(i));
    }
    return graph;
  }

  bool isEnough(uint64_t set) const {
    std::vector<bool> known(bytes.size());
    for (size_t i = 0; i < bytes.size(); ++i) {
      known[i] =
          (set >> i & 1) ||
          (!operands[i].empty() &&
           llvm::all_of(operands[i], [&](unsigned o) { return known[o]; }));
      if (needed[i] && !known[i])
        return false;
    }
    return true;
  }

  /// The cost of the stored values, and of the operators that compute the other needed
  /// ones.
  uint64_t cost(uint64_t set) const {
    uint64_t sum = 0;
    std::vector<bool> wanted = needed;
    for (size_t i = bytes.size(); i-- > 0;) {
      bool isStored = set >> i & 1;
      sum += isStored ? bytes[i] + 64 : 0;
      if (!wanted[i] || isStored)
        continue;
      sum += 96;
      for (unsigned operand : operands[i])
        wanted[operand] = true;
    }
    return sum;
  }
};
} // namespace

TEST(ConstantGraph, IsTheCheapestOfAllChoices) {
  std::mt19937 engine(7);
  for (int round = 0; round < 2000; ++round) {
    Random random(engine);
    uint64_t best = UINT64_MAX;
    for (uint64_t set = 0; set < uint64_t(1) << random.bytes.size(); ++set)
      if (random.isEnough(set))
        best = std::min(best, random.cost(set));
    uint64_t chosen = 0;
    llvm::BitVector stored = random.build().choose(0);
    for (unsigned value : stored.set_bits())
      chosen |= uint64_t(1) << value;
    ASSERT_TRUE(random.isEnough(chosen));
    ASSERT_EQ(random.cost(chosen), best);
  }
}

TEST(ConstantGraph, ChoosingAgainChangesNothing) {
  std::mt19937 engine(11);
  for (int round = 0; round < 5000; ++round) {
    Random random(engine);
    uint64_t allowance = engine() % 20000;
    llvm::BitVector chosen = random.build().choose(allowance);
    for (unsigned value : chosen.set_bits())
      random.operands[value].clear();
    ASSERT_EQ(toList(random.build().choose(allowance)), toList(chosen));
  }
}

TEST(ConstantGraph, DeepGraphsNeedNoStack) {
  ConstantGraph graph;
  unsigned last = graph.add(100, {});
  for (unsigned i = 0; i < 40000; ++i)
    last = graph.add(100 + i % 7, last);
  graph.need(last);
  EXPECT_EQ(graph.choose(0).count(), 1u);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTesting.h"
#include "runtime/Calls/Philox.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace invar;
using namespace invar::testing;

TEST(RandomCalls, PhiloxGivesKnownAnswers) {
  using Block = runtime::Philox::Block;
  // Published test values of the generator.
  EXPECT_EQ(runtime::Philox(0)({}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(runtime::Philox(UINT64_MAX)(
                {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(runtime::Philox(0x299f31d0a4093822)(
                {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

static Call random(const char *name,
                   std::vector<ProgramBuilder::Attribute> attributes,
                   int threads = 1) {
  attributes.push_back({"high", Doubles{1}});
  attributes.push_back({"scale", Doubles{1}});
  return {name, {INVAR_FLOAT32}, std::move(attributes), threads};
}

TEST(RandomCalls, SeedsDecide) {
  rt::Value sizes = vectorOf<int64_t>({100, 100});
  for (const char *name : {"RandomUniform", "RandomNormal"}) {
    Call seeded = random(name, {{"seed", Doubles{7}}});
    Floats first = elementsOf<float>(seeded({sizes}));
    // With another session, several threads, another seed, and a second run.
    EXPECT_EQ(elementsOf<float>(seeded({sizes})), first);
    Call shared = random(name, {{"seed", Doubles{7}}}, 3);
    EXPECT_EQ(elementsOf<float>(shared({sizes})), first);
    Call other = random(name, {{"seed", Doubles{8}}});
    EXPECT_NE(elementsOf<float>(other({sizes})), first);
    auto second = seeded.run({sizes}, 2), again = seeded.run({sizes}, 2);
    ASSERT_TRUE(second && again);
    EXPECT_NE(elementsOf<float>(second->front()), first);
    EXPECT_EQ(elementsOf<float>(second->front()),
              elementsOf<float>(again->front()));
    Call open = random(name, {});
    EXPECT_NE(elementsOf<float>(open({sizes})),
              elementsOf<float>(open({sizes})));
  }
}

namespace {
struct Moments {
  double mean = 0, variance = 0;

  template <typename T> explicit Moments(const std::vector<T> &numbers) {
    for (T x : numbers)
      mean += double(x) / double(numbers.size());
    for (T x : numbers)
      variance +=
          (double(x) - mean) * (double(x) - mean) / double(numbers.size());
  }
};
} // namespace

TEST(RandomCalls, UniformFillsItsRange) {
  Call call = {
      "RandomUniform",
      {INVAR_FLOAT64},
      {{"low", Doubles{-1}}, {"high", Doubles{3}}, {"seed", Doubles{1}}}};
  rt::Value drawn = call({vectorOf<int64_t>({300, 301})});
  EXPECT_EQ(drawn.sizes(), (Ints{300, 301}));
  Doubles numbers = elementsOf<double>(drawn);
  auto [least, greatest] = std::ranges::minmax(numbers);
  EXPECT_GE(least, -1);
  EXPECT_LT(least, -0.999);
  EXPECT_LT(greatest, 3);
  EXPECT_GT(greatest, 2.999);
  Moments moments(numbers);
  EXPECT_NEAR(moments.mean, 1, 0.02);
  EXPECT_NEAR(moments.variance, 16.0 / 12, 0.02);
}

TEST(RandomCalls, NormalHasItsMoments) {
  Call call = {
      "RandomNormal",
      {INVAR_FLOAT32},
      {{"mean", Doubles{5}}, {"scale", Doubles{2}}, {"seed", Doubles{1}}}};
  Floats numbers = elementsOf<float>(call({vectorOf<int64_t>({100001})}));
  Moments moments(numbers);
  EXPECT_NEAR(moments.mean, 5, 0.04);
  EXPECT_NEAR(moments.variance, 4, 0.08);
  auto within = std::ranges::count_if(
      numbers, [](float x) { return std::abs(x - 5) < 2; });
  EXPECT_NEAR(double(within) / 100001, 0.6827, 0.006);
  // Adjacent numbers, which come from one block, are independent.
  double product = 0;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2)
    product += double(numbers[i] - 5) * double(numbers[i + 1] - 5) / 4 / 50000;
  EXPECT_NEAR(product, 0, 0.03);
}

TEST(RandomCalls, BernoulliIsZeroOrOne) {
  std::vector<double> chances(30000, 0.25);
  chances[0] = 0;
  chances[1] = 1;
  Call call = {"Bernoulli", {INVAR_INT32}, {{"seed", Doubles{3}}}};
  auto drawn = elementsOf<int32_t>(call({vectorOf(chances)}));
  EXPECT_EQ(drawn[0], 0);
  EXPECT_EQ(drawn[1], 1);
  EXPECT_TRUE(
      std::ranges::all_of(drawn, [](int32_t x) { return x == (x & 1); }));
  EXPECT_NEAR(Moments(drawn).mean, 0.25, 0.015);
}

TEST(RandomCalls, MultinomialFollowsWeights) {
  float none = -INFINITY;
  rt::Value x = tensor<float>(
      {2, 3}, {std::log(1.0f), none, std::log(3.0f), none, 1000, none});
  Call call = {"Multinomial",
               {INVAR_INT64},
               {{"samples", Ints{20000}}, {"seed", Doubles{0}}}};
  rt::Value drawn = call({x});
  EXPECT_EQ(drawn.sizes(), (Ints{2, 20000}));
  std::map<int64_t, int> counts[2];
  for (int64_t i = 0; i < drawn.count(); ++i)
    ++counts[i / 20000][drawn.data<int64_t>()[i]];
  EXPECT_EQ(counts[0].size(), 2u);
  EXPECT_NEAR(counts[0][0], 5000, 250);
  EXPECT_EQ(counts[1][1], 20000);
  EXPECT_EQ(call.whyFails({countUp<float>({2, 0})}),
            "expected classes to draw from, but got tensor(float)[2,0]");
}

TEST(RandomCalls, DropoutScalesWhatItKeeps) {
  Call call = {"Dropout", {INVAR_FLOAT32, INVAR_BOOL}, {{"seed", Ints{5}}}};
  rt::Value x = vectorOf(Floats(20000, 3));
  rt::Value isTraining = patterns<uint8_t>(INVAR_BOOL, {1});
  auto dropped = call.mustRun({x, scalar(0.25f), isTraining});
  Floats numbers = elementsOf<float>(dropped[0]);
  auto mask = patternsOf<uint8_t>(dropped[1]);
  for (size_t i = 0; i < numbers.size(); ++i)
    ASSERT_EQ(numbers[i], mask[i] ? 4 : 0);
  EXPECT_NEAR(Moments(mask).mean, 0.75, 0.02);
  // Without training, or with ratio 0, nothing changes.
  rt::Value isNot = patterns<uint8_t>(INVAR_BOOL, {0});
  EXPECT_EQ(elementsOf<float>(call({x, scalar(0.25f), isNot})),
            elementsOf<float>(x));
  auto all = call.mustRun({x, scalar(0.0f), isTraining});
  EXPECT_EQ(elementsOf<float>(all[0]), elementsOf<float>(x));
  EXPECT_EQ(patternsOf<uint8_t>(all[1]), std::vector<uint8_t>(20000, 1));
  EXPECT_EQ(call.whyFails({x, scalar(1.0f), isTraining}),
            "expected 'ratio' to be from 0 to below 1, but got 1.000000");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Testing.h"

using namespace invar;
using namespace invar::testing;

static Elements ints(llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int32_t> lanes) {
  return get(ElementsBuilder().fromArray<DataType::Int32>(shape, lanes));
}

TEST(Recipe, IsThatOfTheContentNotOfThePlace) {
  ElementsBuilder builder;
  int32_t memory[] = {1, 2, 3, 4, 5, 6};
  Elements copied = ints({2, 3}, memory);
  Elements inPlace = get(builder.fromBuffer(
      get(Buffer::unowned(
          DataType::Int32, 6,
          {reinterpret_cast<const uint8_t *>(memory), sizeof(memory)})),
      {2, 3}));
  EXPECT_TRUE(sameRecipe(copied, inPlace));
  EXPECT_TRUE(sameRecipe(get(builder.transpose(copied, {1, 0})),
                         get(builder.transpose(inPlace, {1, 0}))));
  EXPECT_TRUE(sameRecipe(get(builder.cast(copied, DataType::Float32)),
                         get(builder.cast(inPlace, DataType::Float32))));
}

TEST(Recipe, TellsApartWhatDiffers) {
  ElementsBuilder builder;
  Elements x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  Elements y = ints({2, 3}, {1, 2, 3, 4, 5, 7});
  int32_t lanes[] = {1, 2, 3, 4, 5, 6};
  Elements otherType = get(builder.fromRaw(
      DataType::UInt32, {2, 3},
      {reinterpret_cast<const uint8_t *>(lanes), sizeof(lanes)}));
  float alpha = 0.5f, beta = 0.25f;
  auto scaled = [&](const float &factor) {
    auto f = ElementwiseFunction::typed<DataType::Int32, DataType::Int32>(
        "Scale", [factor](int32_t a) { return int32_t(float(a) * factor); },
        bytesOf(factor));
    return get(builder.transform(f, x));
  };
  auto sub = ElementwiseFunction::typed<DataType::Int32, DataType::Int32,
                                        DataType::Int32>(
      "Sub", [](int32_t a, int32_t b) { return a - b; });
  const Elements all[] = {
      x,
      y,
      otherType,
      get(builder.reshape(x, {3, 2})),
      get(builder.transpose(x, {1, 0})),
      get(builder.reverse(x, {0})),
      get(builder.reverse(x, {1})),
      get(builder.slice(x, {0, 0}, {1, 3}, {1, 1})),
      get(builder.slice(x, {1, 0}, {1, 3}, {1, 1})),
      scaled(alpha),
      scaled(beta),
      get(builder.combine(sub, {x, y})),
      get(builder.combine(sub, {y, x})),
      get(builder.combine(sub, {x, x})),
      get(builder.cast(x, DataType::Float8E4M3FN, {true})),
      get(builder.cast(x, DataType::Float8E4M3FN, {false})),
      get(builder.concat({x, y}, 0)),
      get(builder.concat({y, x}, 0)),
      get(builder.concat({x, y}, 1)),
      get(builder.splat<DataType::Int32>({2, 3}, 1)),
      get(builder.splat<DataType::Int32>({2, 3}, 2)),
      get(builder.slice(x, {0, 0}, {0, 3}, {1, 1})),
  };
  for (const Elements &a : all)
    for (const Elements &b : all)
      EXPECT_EQ(sameRecipe(a, b), &a == &b);
  EXPECT_TRUE(sameRecipe(scaled(alpha), scaled(alpha)));
}

TEST(Recipe, OfASplatIsItsValue) {
  ElementsBuilder builder;
  Elements x = ints({3}, {4, 5, 6});
  Elements five =
      get(builder.expand(get(builder.slice(x, {1}, {1}, {1})), {8, 8}));
  EXPECT_TRUE(sameRecipe(five, get(builder.splat<DataType::Int32>({8, 8}, 5))));
  EXPECT_FALSE(sameRecipe(five, get(builder.splat<DataType::Int32>({64}, 5))));
  llvm::StringRef texts[] = {"a", "b"};
  Elements strings = get(builder.fromStrings({2}, texts));
  llvm::StringRef a = "a";
  EXPECT_TRUE(sameRecipe(get(builder.slice(strings, {0}, {1}, {1})),
                         get(builder.fromStrings({1}, a))));
}

TEST(Recipe, OfStringsSeesTheirBounds) {
  ElementsBuilder builder;
  llvm::StringRef a[] = {"ab", "c"}, b[] = {"a", "bc"};
  EXPECT_FALSE(sameRecipe(get(builder.fromStrings({2}, a)),
                          get(builder.fromStrings({2}, b))));
}

TEST(Recipe, InterningMakesEqualOnesOne) {
  ElementsBuilder builder;
  Elements x = builder.intern(ints({2}, {1, 2}));
  EXPECT_TRUE(builder.intern(ints({2}, {1, 2})) == x);
  EXPECT_FALSE(builder.intern(ints({2}, {1, 3})) == x);
  Elements cast = builder.intern(get(builder.cast(x, DataType::Int8)));
  EXPECT_TRUE(builder.intern(get(
                  builder.cast(ints({2}, {1, 2}), DataType::Int8))) == cast);
}

TEST(Recipe, InterningKeepsNothingAlive) {
  ElementsBuilder builder;
  auto owner = std::make_shared<std::vector<uint8_t>>(8, 1);
  std::weak_ptr<std::vector<uint8_t>> alive = owner;
  builder.intern(get(builder.fromBuffer(
      get(Buffer::unowned(DataType::Int32, 2, *owner, owner)), {2})));
  owner.reset();
  EXPECT_TRUE(alive.expired());
  // Live entries survive many dead ones.
  Elements kept = builder.intern(ints({1}, {-1}));
  for (int32_t i = 0; i < 1000; ++i)
    builder.intern(ints({1}, {i}));
  EXPECT_TRUE(builder.intern(ints({1}, {-1})) == kept);
}

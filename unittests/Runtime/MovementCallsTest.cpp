// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTesting.h"

using namespace invar;
using namespace invar::testing;

// Concat

static Call concat(InvarDataType type, int64_t axis, int threads = 1) {
  return {"Concat", {type}, {{"axis", Ints{axis}}}, threads};
}

TEST(MovementCalls, ConcatJoinsAlongAnyAxis) {
  rt::Value a = tensor<float>({2, 1}, {1, 2});
  rt::Value b = tensor<float>({2, 2}, {3, 4, 5, 6});
  rt::Value joined = concat(INVAR_FLOAT32, -1)({a, b, a});
  EXPECT_EQ(joined.sizes(), (Ints{2, 4}));
  EXPECT_EQ(elementsOf<float>(joined), (Floats{1, 3, 4, 1, 2, 5, 6, 2}));
  EXPECT_EQ(
      concat(INVAR_FLOAT32, 0).whyFails({a, b}),
      "expected tensors to join along axis 0 with tensor(float)[2,1], but got "
      "tensor(float)[2,2]");
  EXPECT_EQ(concat(INVAR_FLOAT32, 2).whyFails({a, b}),
            "expected an axis from -2 to 1, but got 2");
  EXPECT_EQ(stringsOf(concat(INVAR_STRING, 1)(
                {strings({2, 1}, {"a", "b"}), strings({2, 1}, {"c", "d"})})),
            (Strings{"a", "c", "b", "d"}));
}

TEST(MovementCalls, ConcatSkipsWhatIsEmpty) {
  rt::Value empty = tensor<float>({0}, {}), flat = tensor<float>({2, 0}, {});
  rt::Value x = tensor<float>({2, 1}, {1, 2});
  // What is left alone is not copied.
  EXPECT_EQ(concat(INVAR_FLOAT32, 1)({empty, x, flat}).get(), x.get());
  EXPECT_EQ(concat(INVAR_FLOAT32, 0)({flat, flat, empty}).sizes(),
            (Ints{4, 0}));
  EXPECT_EQ(elementsOf<float>(concat(INVAR_FLOAT32, 1)({empty, x, flat, x})),
            (Floats{1, 1, 2, 2}));
}

TEST(MovementCalls, ConcatOfMuchIsShared) {
  // Whole parts, long rows, and rows of one element.
  for (Ints sizes : {Ints{3, 1 << 16}, Ints{1 << 16, 3}, Ints{1 << 18, 1}})
    for (int64_t axis : {0, 1}) {
      rt::Value x = countUp<int32_t>(sizes);
      rt::Value joined = concat(INVAR_INT32, axis, 3)({x, x});
      const auto *from = x.data<int32_t>(), *to = joined.data<int32_t>();
      int64_t rows = axis ? sizes[0] : 1, length = x.count() / rows;
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t half : {0, 1})
          ASSERT_TRUE(std::equal(from + row * length, from + (row + 1) * length,
                                 to + (2 * row + half) * length));
    }
}

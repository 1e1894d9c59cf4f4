// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that the builder checks external input: shapes and data that do not fit are
// errors.
#include "Testing.h"

using namespace invar;
using namespace invar::testing;

static constexpr int64_t huge = int64_t(1) << 62;

TEST(Builder, RefusesDataThatDoesNotFitItsShape) {
  ElementsBuilder builder;
  uint8_t bytes[8] = {};
  EXPECT_EQ(failure(builder.fromRaw(DataType::Float32, {3}, bytes)),
            "expected raw data of 3 elements of type float, but got 8 bytes");
  EXPECT_EQ(failure(builder.fromRaw(DataType::Float32, {1}, bytes)),
            "expected raw data of 1 elements of type float, but got 8 bytes");
  EXPECT_EQ(failure(builder.fromRaw(DataType::Float32, {-2}, bytes)),
            "expected a shape whose bytes can be counted, but got -2");
  EXPECT_EQ(failure(builder.fromRaw(DataType::Float32, {huge, huge}, bytes)),
            "expected a shape whose bytes can be counted, but got "
            "4611686018427387904x4611686018427387904");
  EXPECT_NE(failure(builder.fromRaw(DataType::String, {8}, bytes)), "no error");
  EXPECT_EQ(failure(builder.fromArray<DataType::Int8>({2, 2}, {1, 2, 3})),
            "expected 4 elements for shape 2x2, but got 3");
  EXPECT_EQ(failure(builder.fromWideNums(DataType::Complex64, {1},
                                         WideNum::ofInt(1))),
            "expected a numeric type, but got complex64");
  EXPECT_EQ(failure(builder.fromStrings({2}, {})),
            "expected 2 elements for shape 2, but got 0");
}

TEST(Builder, RefusesShapesThatOverflow) {
  ElementsBuilder builder;
  EXPECT_NE(failure(builder.splat<DataType::Int8>({huge, 4}, 1)), "no error");
  EXPECT_NE(failure(builder.splat<DataType::Float64>({huge}, 1)), "no error");
  EXPECT_NE(failure(builder.splat<DataType::Float64>({int64_t(1) << 59}, 1)),
            "no error");
  EXPECT_EQ(
      get(builder.splat<DataType::Int8>({0, huge, huge}, 1)).numElements(), 0);
  Elements half = get(builder.splat<DataType::Int8>({int64_t(1) << 59}, 1));
  EXPECT_NE(failure(builder.concat(std::vector<Elements>(20, half), 0)),
            "no error");
}

TEST(Builder, RefusesViewsThatDoNotFit) {
  ElementsBuilder builder;
  Elements x =
      get(builder.fromArray<DataType::Int8>({2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(failure(builder.transpose(x, {0, 0})),
            "expected a permutation of 2 axes, but got 0x0");
  EXPECT_NE(failure(builder.transpose(x, {0})), "no error");
  EXPECT_EQ(failure(builder.slice(x, {0, 3}, {2, 1}, {1, 1})),
            "expected a slice that lies within 2x3, but got starts 0x3, sizes "
            "2x1, steps 1x1");
  EXPECT_EQ(failure(builder.expand(x, {4, 3})),
            "expected a shape that 2x3 broadcasts to, but got 4x3");
  EXPECT_NE(failure(builder.expand(x, {huge, 2, 3})), "no error");
  EXPECT_EQ(failure(builder.reshape(x, {4})),
            "expected a shape of 6 elements, but got 4");
  EXPECT_NE(failure(builder.reshape(x, {-2, -3})), "no error");
  EXPECT_EQ(failure(builder.reverse(x, {2})),
            "expected an axis below 2, but got 2");
  Elements row = get(builder.fromArray<DataType::Int8>({3}, {1, 2, 3}));
  EXPECT_EQ(failure(builder.concat({x, row}, 0)),
            "expected parts like 2x3 of type int8, but got 3 of type int8");
  EXPECT_EQ(failure(builder.concat({x, x}, 2)),
            "expected an axis below 2, but got 2");
  EXPECT_NE(failure(builder.concat({}, 0)), "no error");
  EXPECT_NE(failure(builder.concat(
                {row, get(builder.cast(row, DataType::Int16))}, 0)),
            "no error");
}

TEST(Builder, EmptyAndScalarTensorsAreTensors) {
  ElementsBuilder builder;
  for (DataType type : allDataTypes) {
    Elements empty = get(builder.fromLanes(type, {2, 0}, nullptr, 0));
    EXPECT_EQ(empty.numElements(), 0);
    EXPECT_EQ(empty.sizeInBytes(), 0u);
    empty.read(0, 0, nullptr);
    EXPECT_EQ(get(builder.transpose(empty, {1, 0})).getShape(),
              llvm::ArrayRef<int64_t>({0, 2}));
    EXPECT_EQ(get(builder.concat({empty, empty}, 0)).getShape(),
              llvm::ArrayRef<int64_t>({4, 0}));
    EXPECT_EQ(get(builder.reshape(empty, {0, 5, 7})).numElements(), 0);
    EXPECT_EQ(get(empty.materialize()).numElements(), 0);
    EXPECT_EQ(empty.getRecipe(),
              get(builder.fromLanes(type, {2, 0}, nullptr, 0)).getRecipe());
  }
  Elements scalar = get(builder.splat<DataType::Float32>({}, 2.5f));
  EXPECT_EQ(scalar.getRank(), 0);
  EXPECT_EQ(scalar.at<float>(0), 2.5f);
  EXPECT_EQ(get(builder.transpose(scalar, {})).at<float>(0), 2.5f);
  EXPECT_EQ(get(builder.cast(scalar, DataType::Int32)).at<int32_t>(0), 2);
  Elements empty = get(builder.fromLanes(DataType::Float32, {0}, nullptr, 0));
  EXPECT_EQ(get(builder.cast(empty, DataType::Int32)).getType(),
            DataType::Int32);
  EXPECT_EQ(get(empty.getArray<float>()).get().size(), 0u);
}

// Any numbers lead to a tensor or an error.
TEST(Builder, KernelsMayFail) {
  ElementsBuilder builder;
  auto compute = [&] {
    return get(builder.compute(DataType::Float32, {4}, Hash128(), {},
                               [](void *, const EvalOptions &) {
                                 return badInput("there is no result");
                               }));
  };
  auto prepare = [](const Elements &x) { return llvm::toString(x.prepare()); };
  EXPECT_EQ(prepare(compute()), "there is no result");
  EXPECT_EQ(failure(compute().materialize()), "there is no result");
  EXPECT_EQ(failure(compute().getArray<float>()), "there is no result");
  // Also what is made of it, and also the second time.
  Elements made = get(
      builder.cast(get(builder.reshape(
                       get(builder.slice(compute(), {0}, {4}, {1})), {2, 2})),
                   DataType::Int8));
  EXPECT_EQ(prepare(made), "there is no result");
  EXPECT_EQ(prepare(made), "there is no result");
  EXPECT_EQ(failure(made.materialize()), "there is no result");
  EXPECT_DEATH(made.at<int8_t>(0), "cannot compute a constant: there is no");
}

TEST(Builder, SurvivesHostileNumbers) {
  ElementsBuilder builder;
  std::mt19937_64 random(99);
  const int64_t numbers[] = {0,
                             1,
                             2,
                             3,
                             -1,
                             7,
                             INT64_MAX,
                             INT64_MIN,
                             huge,
                             INT32_MAX,
                             INT64_MAX / 2,
                             -huge,
                             4,
                             6};
  auto any = [&](size_t most) {
    Shape result;
    for (size_t i = random() % (most + 1); i > 0; --i)
      result.push_back(numbers[random() % std::size(numbers)]);
    return result;
  };
  int made = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Elements x =
        get(builder.fromArray<DataType::UInt4>({2, 3}, {1, 2, 3, 4, 5, 6}));
    for (int step = 0; step < 4; ++step) {
      llvm::Expected<Elements> y = [&]() -> llvm::Expected<Elements> {
        switch (random() % 6) {
        case 0:
          return builder.transpose(x, any(3));
        case 1:
          return builder.slice(x, any(3), any(3), any(3));
        case 2:
          return builder.expand(x, any(4));
        case 3:
          return builder.reshape(x, any(4));
        case 4:
          return builder.reverse(x, any(2));
        default:
          return builder.concat({x, x, x},
                                numbers[random() % std::size(numbers)]);
        }
      }();
      if (!y) {
        llvm::consumeError(y.takeError());
        continue;
      }
      ++made;
      x = *y;
      uint8_t lanes[16];
      int64_t count = std::min<int64_t>(16, x.numElements());
      x.read(0, count, lanes);
      x.read(x.numElements() - count, count, lanes);
    }
  }
  EXPECT_GT(made, 1000);
}

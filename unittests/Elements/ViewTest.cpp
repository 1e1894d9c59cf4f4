// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests views of stored and of lazy tensors against copies made by simple loops.
#include "Testing.h"
#include "llvm/ADT/STLExtras.h"

using namespace invar;
using namespace invar::testing;

namespace {
/// Applies the same random views to a pair of tensors.
class RandomViews {
public:
  explicit RandomViews(std::mt19937_64 &random) : random(random) {}

  void step(Elements &x, Dense &dense) {
    switch (random() % 6) {
    case 0:
      return transpose(x, dense);
    case 1:
    case 2:
      return slice(x, dense);
    case 3:
      return expand(x, dense);
    case 4:
      return reshape(x, dense);
    default:
      return concat(x, dense);
    }
  }

private:
  int64_t below(int64_t bound) { return int64_t(random() % uint64_t(bound)); }

  void transpose(Elements &x, Dense &dense) {
    Shape permutation(dense.shape.size());
    for (size_t d = 0; d < permutation.size(); ++d)
      permutation[d] = int64_t(d);
    std::shuffle(permutation.begin(), permutation.end(), random);
    Shape shape;
    for (int64_t axis : permutation)
      shape.push_back(dense.shape[size_t(axis)]);
    x = get(builder.transpose(x, permutation));
    dense = gather(dense, shape, [&](const Shape &index) {
      Shape from(index.size());
      for (size_t d = 0; d < index.size(); ++d)
        from[size_t(permutation[d])] = index[d];
      return from;
    });
  }

  void slice(Elements &x, Dense &dense) {
    Shape starts, sizes, steps;
    for (int64_t size : dense.shape) {
      int64_t step = below(3) + 1;
      int64_t most = size == 0 ? 0 : (size - 1) / step + 1;
      int64_t count = below(8) == 0 ? below(most + 1)
                                    : std::max<int64_t>(1, most - below(2));
      count = std::min(count, most);
      int64_t span = count == 0 ? 0 : (count - 1) * step + 1;
      int64_t start = size == span ? 0 : below(size - span + 1);
      if (below(3) == 0 && count > 0) {
        start += span - 1;
        step = -step;
      }
      starts.push_back(start);
      sizes.push_back(count);
      steps.push_back(step);
    }
    x = get(builder.slice(x, starts, sizes, steps));
    dense = gather(dense, sizes, [&](const Shape &index) {
      Shape from;
      for (size_t d = 0; d < index.size(); ++d)
        from.push_back(starts[d] + index[d] * steps[d]);
      return from;
    });
  }

  void expand(Elements &x, Dense &dense) {
    Shape shape = dense.shape;
    for (int64_t &size : shape)
      if (size == 1)
        size = below(4);
    if (shape.size() < 10 && below(2))
      shape.insert(shape.begin(), 1 + below(2));
    if (*countElements(shape) > 4000)
      return;
    size_t lead = shape.size() - dense.shape.size();
    x = get(builder.expand(x, shape));
    dense = gather(dense, shape, [&](const Shape &index) {
      Shape from(llvm::ArrayRef<int64_t>(index).drop_front(lead));
      for (size_t d = 0; d < from.size(); ++d)
        if (dense.shape[d] == 1)
          from[d] = 0;
      return from;
    });
  }

  void reshape(Elements &x, Dense &dense) {
    int64_t count = int64_t(dense.lanes.size());
    Shape shape;
    if (count == 0) {
      shape = {3, 0, 2};
    } else {
      for (int64_t rest = count; rest > 1;) {
        int64_t size = rest;
        for (int64_t trial : {2, 3, 4, 5, 6})
          if (rest % trial == 0 && below(2))
            size = trial;
        shape.push_back(size);
        rest /= size;
      }
      if (below(3) == 0)
        shape.insert(shape.begin() + below(int64_t(shape.size()) + 1), 1);
      std::shuffle(shape.begin(), shape.end(), random);
    }
    x = get(builder.reshape(x, shape));
    dense.shape = shape;
  }

  void concat(Elements &x, Dense &dense) {
    if (dense.shape.empty() || dense.lanes.size() > 1500)
      return;
    size_t axis = size_t(below(int64_t(dense.shape.size())));
    Shape reversed = dense.shape;
    Dense flipped = gather(dense, reversed, [&](const Shape &index) {
      Shape from = index;
      from[axis] = dense.shape[axis] - 1 - index[axis];
      return from;
    });
    Elements other = get(builder.reverse(x, int64_t(axis)));
    x = get(builder.concat({x, other}, int64_t(axis)));
    Shape shape = dense.shape;
    shape[axis] *= 2;
    int64_t half = dense.shape[axis];
    Dense both{dense.type, dense.shape, dense.lanes};
    both.lanes.insert(both.lanes.end(), flipped.lanes.begin(),
                      flipped.lanes.end());
    both.shape.insert(both.shape.begin(), 2);
    dense = gather(both, shape, [&](const Shape &index) {
      Shape from = index;
      from[axis] %= half;
      from.insert(from.begin(), index[axis] / half);
      return from;
    });
  }

  std::mt19937_64 &random;
  ElementsBuilder builder;
};
} // namespace

static const Shape startShapes[] = {
    {},     {1},       {5},          {4, 6},
    {2, 0}, {3, 4, 5}, {2, 3, 2, 3}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}};

TEST(View, ChainsOfAnyTypeReadAsCopies) {
  std::mt19937_64 random(20240229);
  RandomViews views(random);
  for (DataType type : allDataTypes)
    for (const Shape &shape : startShapes)
      for (int trial = 0; trial < 4; ++trial) {
        auto [x, dense] = randomTensor(type, shape, random);
        for (int step = 0; step < 6; ++step) {
          views.step(x, dense);
          expectSame(x, dense);
          if (::testing::Test::HasFatalFailure())
            return;
        }
      }
}

TEST(View, ChainsOverLazyTensorsReadAsCopies) {
  std::mt19937_64 random(42);
  RandomViews views(random);
  ElementsBuilder builder;
  auto addOne = ElementwiseFunction::typed<DataType::Int32, DataType::Int32>(
      "AddOne", [](int32_t a) { return int32_t(uint32_t(a) + 1); });
  for (const Shape &shape : startShapes)
    for (int trial = 0; trial < 60; ++trial) {
      auto [x, dense] = randomTensor(DataType::Int32, shape, random);
      for (int step = 0; step < 8; ++step) {
        if (random() % 2) {
          x = get(builder.transform(addOne, x));
          for (auto &lane : dense.lanes) {
            uint32_t value;
            std::memcpy(&value, lane.data(), 4);
            ++value;
            std::memcpy(lane.data(), &value, 4);
          }
        }
        views.step(x, dense);
        if (random() % 3 == 0)
          expectSame(x, dense);
      }
      expectSame(x, dense);
      Elements stored = get(x.materialize());
      EXPECT_TRUE(stored.isStored());
      expectSame(stored, dense);
      if (::testing::Test::HasFatalFailure())
        return;
    }
}

// Nothing can be materialized: every way of reading must work without it.
TEST(View, ReadsTheSameWithoutKeeping) {
  std::mt19937_64 random(7);
  RandomViews views(random);
  ElementsBuilder builder;
  auto negate = ElementwiseFunction::typed<DataType::Int16, DataType::Int16>(
      "Flip", [](int16_t a) { return int16_t(~a); });
  for (int trial = 0; trial < 100; ++trial) {
    auto [x, dense] = randomTensor(DataType::Int16, {3, 4, 5}, random);
    for (int step = 0; step < 5; ++step) {
      views.step(x, dense);
      x = get(builder.transform(negate, x));
      for (auto &lane : dense.lanes)
        lane[0] = uint8_t(~lane[0]), lane[1] = uint8_t(~lane[1]);
    }
    views.step(x, dense);
    EvalOptions nothing;
    nothing.keepLimit = 0;
    std::vector<int16_t> lanes(size_t(x.numElements()));
    x.read<int16_t>(0, lanes, nothing);
    for (size_t i = 0; i < lanes.size(); ++i)
      ASSERT_EQ(std::memcmp(&lanes[i], dense.lanes[i].data(), 2), 0);
  }
}

TEST(View, RawBytesAreThoseOfTheMaterialized) {
  std::mt19937_64 random(11);
  RandomViews views(random);
  for (DataType type : allDataTypes) {
    if (type == DataType::String)
      continue;
    for (int trial = 0; trial < 10; ++trial) {
      auto [x, dense] = randomTensor(type, {3, 5, 3}, random);
      for (int step = 0; step < 2; ++step)
        views.step(x, dense);
      std::vector<uint8_t> streamed;
      llvm::cantFail(x.streamBytes([&](llvm::ArrayRef<uint8_t> piece) {
        streamed.insert(streamed.end(), piece.begin(), piece.end());
        return llvm::Error::success();
      }));
      ASSERT_EQ(streamed.size(), x.sizeInBytes());
      ElementsBuilder builder;
      expectSame(get(builder.fromRaw(type, x.getShape(), streamed)), dense);
      // Any range of bytes, including one that begins within an element.
      for (size_t begin = 0; begin < streamed.size();
           begin += 1 + random() % 9) {
        std::vector<uint8_t> some(random() % (streamed.size() - begin + 1));
        x.readBytes(begin, some);
        ASSERT_TRUE(std::equal(some.begin(), some.end(),
                               streamed.begin() + long(begin)));
      }
    }
  }
}

TEST(View, BigTransposesAgree) {
  ElementsBuilder builder;
  std::vector<float> lanes(257 * 1031);
  for (size_t i = 0; i < lanes.size(); ++i)
    lanes[i] = float(i);
  Elements x = get(builder.fromArray<DataType::Float32>({257, 1031}, lanes));
  Elements t = get(builder.transpose(x, {1, 0}));
  auto twice = ElementwiseFunction::typed<DataType::Float32, DataType::Float32>(
      "Twice", [](float a) { return a + a; });
  std::vector<float> plain = lanesOf<float>(t);
  std::vector<float> doubled = lanesOf<float>(get(builder.transform(twice, t)));
  for (size_t i = 0; i < plain.size(); ++i) {
    float expected = float(i % 257 * 1031 + i / 257);
    ASSERT_EQ(plain[i], expected);
    ASSERT_EQ(doubled[i], 2 * expected);
  }
}

TEST(View, HugeBroadcastsAllocateNothing) {
  ElementsBuilder builder;
  int64_t size = int64_t(1) << 40;
  Elements x = get(builder.splat<DataType::Float32>({size}, 1.5f));
  EXPECT_EQ(x.numElements(), size);
  EXPECT_EQ(x.sizeInBytes(), uint64_t(size) * 4);
  std::vector<float> lanes(1000);
  x.read<float>(size - 1000, lanes);
  EXPECT_TRUE(llvm::all_of(lanes, [](float lane) { return lane == 1.5f; }));
  EXPECT_EQ(x.getSplat<float>(), 1.5f);

  // A lazy tensor that is not a splat, is too big to materialize, and is reshaped so that
  // strides cannot express it.
  std::vector<int32_t> ramp(1024);
  for (int i = 0; i < 1024; ++i)
    ramp[size_t(i)] = i;
  Elements column = get(builder.fromArray<DataType::Int32>({1024, 1}, ramp));
  Elements wide = get(builder.expand(column, {1024, int64_t(1) << 30}));
  Elements flat = get(builder.reshape(wide, {int64_t(1) << 40}));
  Elements odd = get(builder.slice(flat, {size - 1}, {size / 2}, {-2}));
  std::vector<int32_t> some(100);
  odd.read<int32_t>((int64_t(1) << 29) - 50, some);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(some[size_t(i)], i < 50 ? 1023 : 1022);
}

TEST(View, ArraysAreInPlaceWhereTheyCanBe) {
  ElementsBuilder builder;
  float lanes[] = {1, 2, 3, 4, 5, 6};
  Elements x = get(builder.fromArray<DataType::Float32>({2, 3}, lanes));
  EXPECT_TRUE(get(x.getArray<float>()).isInPlace());
  Elements row = get(builder.slice(x, {1, 0}, {1, 3}, {1, 1}));
  ElementsArray<float> rowArray = get(row.getArray<float>());
  EXPECT_TRUE(rowArray.isInPlace());
  EXPECT_EQ(rowArray.get(), llvm::ArrayRef<float>({4, 5, 6}));
  ElementsArray<float> turned =
      get(get(builder.transpose(x, {1, 0})).getArray<float>());
  EXPECT_FALSE(turned.isInPlace());
  EXPECT_EQ(turned.get(), llvm::ArrayRef<float>({1, 4, 2, 5, 3, 6}));

  // Unaligned memory, as in a mapped file.
  alignas(8) uint8_t memory[9] = {0, 0, 0, 128, 63, 0, 0, 0, 64};
  BufferRef unaligned = get(Buffer::unowned(
      DataType::Float32, 2, llvm::ArrayRef(memory).drop_front()));
  ElementsArray<float> copied =
      get(get(builder.fromBuffer(unaligned, {2})).getArray<float>());
  EXPECT_FALSE(copied.isInPlace());
  EXPECT_EQ(copied.get(), llvm::ArrayRef<float>({1, 2}));

  // Bytes that are not a valid C++ bool are normalized.
  uint8_t bools[] = {0, 1, 2, 255};
  Elements truth = get(builder.fromRaw(DataType::Bool, {4}, bools));
  EXPECT_EQ(get(truth.getArray<bool>()).get(),
            llvm::ArrayRef<bool>({false, true, true, true}));
  EXPECT_FALSE(get(truth.getArray<bool>()).isInPlace());
  EXPECT_TRUE(get(get(builder.slice(truth, {0}, {2}, {1})).getArray<bool>())
                  .isInPlace());
}

TEST(View, SplatsAreKnownAndFound) {
  ElementsBuilder builder;
  int64_t same[] = {7, 7, 7};
  Elements x = get(builder.fromArray<DataType::Int64>({3}, same));
  EXPECT_FALSE(x.isSplat());
  EXPECT_TRUE(x.detectSplat());
  EXPECT_FALSE(x.getSplatNum());
  Elements one = get(builder.slice(x, {1}, {1}, {1}));
  EXPECT_EQ(one.getSplatNum()->i, 7);
  EXPECT_EQ(get(builder.expand(one, {2, 5})).getSplat<int64_t>(), 7);
  EXPECT_FALSE(get(builder.slice(x, {0}, {0}, {1})).isSplat());
  EXPECT_FALSE(get(builder.slice(x, {0}, {0}, {1})).detectSplat());
  std::vector<float> almost(10000, 0.0f);
  almost.back() = -0.0f;
  EXPECT_FALSE(
      get(builder.fromArray<DataType::Float32>({10000}, almost)).detectSplat());
  llvm::StringRef texts[] = {"x", "x"};
  EXPECT_TRUE(get(builder.fromStrings({2}, texts)).detectSplat());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests lazy elementwise expressions against immediate computation, and the bounds that
// keep evaluation cost independent of the graph's shape.
#include "Testing.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>

using namespace invar;
using namespace invar::testing;

static ElementwiseFunction addInts() {
  return ElementwiseFunction::typed<DataType::Int64, DataType::Int64,
                                    DataType::Int64>(
      "Add",
      [](int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); });
}

static std::vector<int64_t> ramp(int64_t count) {
  std::vector<int64_t> lanes(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    lanes[size_t(i)] = i;
  return lanes;
}

TEST(Function, OperandsBroadcast) {
  ElementsBuilder builder;
  Elements column =
      get(builder.fromArray<DataType::Int64>({3, 1}, {10, 20, 30}));
  Elements row = get(builder.fromArray<DataType::Int64>({4}, {1, 2, 3, 4}));
  Elements sum = get(builder.combine(addInts(), {column, row}));
  EXPECT_EQ(sum.getShape(), llvm::ArrayRef<int64_t>({3, 4}));
  EXPECT_EQ(
      lanesOf<int64_t>(sum),
      (std::vector<int64_t>{11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34}));
  Elements turned = get(builder.transpose(sum, {1, 0}));
  EXPECT_EQ(
      lanesOf<int64_t>(turned),
      (std::vector<int64_t>{11, 21, 31, 12, 22, 32, 13, 23, 33, 14, 24, 34}));
}

TEST(Function, RoundsAtEveryStepInTheStepsOwnType) {
  ElementsBuilder builder;
  auto add = ElementwiseFunction::typed<DataType::Float16, DataType::Float16,
                                        DataType::Float16>(
      "Add", [](Float16 a, Float16 b) {
        return Float16::fromFloat(a.toFloat() + b.toFloat());
      });
  // 2048 + 1 is a tie and rounds to even; without rounding, the second sum would be 2050.
  Float16 lanes[] = {Float16::fromFloat(2048), Float16::fromFloat(2048)};
  Elements big = get(builder.fromArray<DataType::Float16>({2}, lanes));
  Elements one =
      get(builder.splat(DataType::Float16, {2}, WideNum::ofDouble(1)));
  Elements sum =
      get(builder.combine(add, {get(builder.combine(add, {big, one})), one}));
  EXPECT_EQ(sum.at<Float16>(0).toFloat(), 2048.0f);
}

TEST(Function, WideOnesServeEveryNumericType) {
  ElementsBuilder builder;
  for (DataType type : allDataTypes) {
    if (!isNumeric(type))
      continue;
    auto same = ElementwiseFunction::wide(
        "Same", type, type, [](llvm::ArrayRef<WideNum> x) { return x[0]; });
    WideNum one = getKind(type) == NumberKind::Float ? WideNum::ofDouble(1)
                                                     : WideNum::ofInt(1);
    WideNum two = getKind(type) == NumberKind::Float ? WideNum::ofDouble(2)
                                                     : WideNum::ofInt(2);
    std::vector<WideNum> numbers(150, one);
    numbers[77] = type == DataType::Bool ? WideNum::ofBool(false) : two;
    Elements x = get(builder.fromWideNums(type, {150}, numbers));
    Elements y = get(builder.transform(same, x));
    std::vector<WideNum> before(150), after(150);
    x.readWideNums(0, before);
    y.readWideNums(0, after);
    for (size_t i = 0; i < 150; ++i)
      EXPECT_EQ(before[i].u, after[i].u);
    EXPECT_EQ(after[0].u, one.u);
    EXPECT_NE(after[77].u, one.u);
  }
}

TEST(Function, OfSplatsIsASplat) {
  ElementsBuilder builder;
  Elements a = get(builder.splat<DataType::Int64>({3, 1}, 5));
  Elements b = get(builder.splat<DataType::Int64>({1, int64_t(1) << 40}, 6));
  Elements sum = get(builder.combine(addInts(), {a, b}));
  EXPECT_EQ(sum.getSplat<int64_t>(), 11);
  EXPECT_TRUE(sum.isStored());
  EXPECT_EQ(sum.getShape(), llvm::ArrayRef<int64_t>({3, int64_t(1) << 40}));
}

TEST(Function, ComputesOnlyWhatIsRead) {
  ElementsBuilder builder;
  auto calls = std::make_shared<std::atomic<int64_t>>(0);
  ElementwiseFunction counted(
      "Counted", DataType::Int64, DataType::Int64,
      [calls](llvm::ArrayRef<const void *> operands, void *result, size_t n) {
        std::memcpy(result, operands[0], n * sizeof(int64_t));
        *calls += int64_t(n);
      });
  Elements x =
      get(builder.fromArray<DataType::Int64>({100, 1000}, ramp(100000)));
  Elements y = get(builder.transform(counted, x));
  Elements t = get(builder.transpose(y, {1, 0}));
  Elements r = get(
      builder.reshape(get(builder.slice(t, {5, 0}, {2, 100}, {1, 1})), {200}));
  EXPECT_EQ(*calls, 0);
  EXPECT_EQ(r.at<int64_t>(101), 1006);
  EXPECT_EQ(*calls, 1);
  // A broadcast operand is computed once, not once per place.
  *calls = 0;
  Elements row = get(builder.transform(
      counted, get(builder.slice(x, {0, 0}, {1, 1000}, {1, 1}))));
  Elements sum = get(builder.combine(addInts(), {x, row}));
  EXPECT_EQ(get(sum.getArray<int64_t>())[99999], 99999 + 999);
  EXPECT_EQ(*calls, 1000);
}

// Each tensor is used twice by the next: 2^200 paths, 200 steps.
TEST(Function, SharedOperandsAreComputedOnce) {
  ElementsBuilder builder;
  Elements x = get(builder.fromArray<DataType::Int64>({3}, {1, 2, 3}));
  for (int i = 0; i < 200; ++i)
    x = get(builder.combine(
        addInts(), {x, i % 7 == 6 ? get(builder.reverse(x, {0})) : x}));
  EXPECT_EQ(lanesOf<int64_t>(x), (std::vector<int64_t>{0, 0, 0}));
  // Shifted against itself.
  Elements y = get(builder.fromArray<DataType::Int64>({64}, ramp(64)));
  std::vector<int64_t> expected = ramp(64);
  for (int i = 0; i < 50; ++i) {
    int64_t n = y.numElements() - 1;
    y = get(builder.combine(addInts(), {get(builder.slice(y, {0}, {n}, {1})),
                                        get(builder.slice(y, {1}, {n}, {1}))}));
    for (int64_t k = 0; k < n; ++k)
      expected[size_t(k)] = int64_t(uint64_t(expected[size_t(k)]) +
                                    uint64_t(expected[size_t(k + 1)]));
    expected.pop_back();
  }
  EXPECT_EQ(lanesOf<int64_t>(y), expected);
}

// Doubled forty times: forty nodes, but 2^40 paths through them.
TEST(Function, SharedPartsAreNotVisitedOneByOne) {
  ElementsBuilder builder;
  Elements x = get(builder.fromArray<DataType::Int64>({3, 1}, {1, 2, 3}));
  for (int i = 0; i < 40; ++i)
    x = get(builder.concat({x, x}, 0));
  Elements back = get(builder.reverse(get(builder.transpose(x, {1, 0})), {1}));
  std::vector<int64_t> lanes(6);
  back.read<int64_t>(x.numElements() - 6, lanes);
  EXPECT_EQ(lanes, (std::vector<int64_t>{3, 2, 1, 3, 2, 1}));
  // Reading on several threads prepares the operands first; that also visits each node
  // once.
  Elements sum = get(builder.combine(addInts(), {x, x}));
  std::vector<int64_t> more(200000);
  EvalOptions options;
  options.threads = 2;
  sum.read<int64_t>(0, more, options);
  EXPECT_EQ(more[199999], 2 * (1 + 199999 % 3));
}

TEST(Function, LongChainsNeitherRecurseNorSlowDown) {
  ElementsBuilder builder;
  Elements one =
      get(builder.fromArray<DataType::Int64>({2, 3}, {1, 1, 1, 1, 1, 1}));
  Elements x = get(builder.fromArray<DataType::Int64>({2, 3}, ramp(6)));
  for (int i = 0; i < 20000; ++i) {
    x = get(builder.combine(addInts(), {x, one}));
    // Strides cannot express a flattened transposed tensor.
    if (i % 3 == 0)
      x = get(builder.reshape(get(builder.transpose(x, {1, 0})), {2, 3}));
    if (i % 101 == 0)
      x = get(builder.concat({get(builder.slice(x, {0, 0}, {1, 3}, {1, 1})),
                              get(builder.slice(x, {1, 0}, {1, 3}, {1, 1}))},
                             0));
  }
  std::vector<int64_t> lanes = lanesOf<int64_t>(x);
  llvm::sort(lanes);
  EXPECT_EQ(lanes,
            (std::vector<int64_t>{20000, 20001, 20002, 20003, 20004, 20005}));
}

TEST(Function, LongChainsOverHugeTensorsAreRefused) {
  ElementsBuilder builder;
  int64_t size = int64_t(1) << 40;
  Elements x = get(builder.expand(
      get(builder.fromArray<DataType::Int64>({2, 1}, {1, 2})), {2, size}));
  std::string error = "no error";
  for (int i = 0; i < 100 && error == "no error"; ++i) {
    llvm::Expected<Elements> next =
        builder.reshape(get(builder.transpose(x, {1, 0})), {2, size});
    if (next)
      x = *next;
    else
      error = llvm::toString(next.takeError());
  }
  EXPECT_EQ(error, "expected a long expression to be small enough to keep, but "
                   "got 2x1099511627776 elements of type int64");
  EXPECT_GT(x.at<int64_t>(2 * size - 1), 0);
}

TEST(Function, TilesOfBigTensorsFitTogether) {
  ElementsBuilder builder;
  int64_t rows = 301, columns = 777;
  Elements x = get(builder.fromArray<DataType::Int64>({rows, columns},
                                                      ramp(rows * columns)));
  Elements t =
      get(builder.transpose(get(builder.fromArray<DataType::Int64>(
                                {columns, rows}, ramp(rows * columns))),
                            {1, 0}));
  Elements half = get(builder.slice(x, {0, 0}, {rows, 400}, {1, 1}));
  Elements rest =
      get(builder.slice(x, {0, 400}, {rows, columns - 400}, {1, 1}));
  Elements joined = get(builder.concat({half, rest}, 1));
  Elements narrow = get(builder.cast(joined, DataType::Int16));
  Elements wide = get(builder.cast(narrow, DataType::Int64));
  Elements sum = get(builder.combine(
      addInts(), {get(builder.combine(addInts(), {x, t})), wide}));
  for (unsigned threads : {1u, 3u}) {
    EvalOptions options;
    options.threads = threads;
    ElementsArray<int64_t> lanes = get(sum.getArray<int64_t>(options));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c) {
        int64_t at = r * columns + c;
        ASSERT_EQ(lanes[size_t(at)], at + (c * rows + r) + int16_t(at));
      }
  }
}

TEST(Function, SelectsAmongStrings) {
  ElementsBuilder builder;
  auto where = ElementwiseFunction::typed<DataType::String, DataType::Bool,
                                          DataType::String, DataType::String>(
      "Where",
      [](bool c, llvm::StringRef a, llvm::StringRef b) { return c ? a : b; });
  llvm::StringRef yes[] = {"x", "y"};
  llvm::StringRef no[] = {"z"};
  uint8_t which[] = {1, 0};
  Elements result = get(
      builder.combine(where, {get(builder.fromRaw(DataType::Bool, {2}, which)),
                              get(builder.fromStrings({2}, yes)),
                              get(builder.fromStrings({1}, no))}));
  Elements stored = get(result.materialize());
  EXPECT_EQ(lanesOf<llvm::StringRef>(stored),
            (std::vector<llvm::StringRef>{"x", "z"}));
}

TEST(Function, RefusesOperandsThatDoNotFit) {
  ElementsBuilder builder;
  Elements ints = get(builder.fromArray<DataType::Int64>({2}, {1, 2}));
  Elements three = get(builder.fromArray<DataType::Int64>({3}, {1, 2, 3}));
  Elements floats = get(builder.cast(ints, DataType::Float32));
  EXPECT_EQ(failure(builder.combine(addInts(), {ints})),
            "expected 2 operands of 'Add', but got 1");
  EXPECT_EQ(failure(builder.combine(addInts(), {ints, floats})),
            "expected an operand of 'Add' of type int64, but got float");
  EXPECT_EQ(failure(builder.combine(addInts(), {ints, three})),
            "expected shapes that broadcast to one another, but got 2 and 3");
  int64_t huge = int64_t(1) << 40;
  Elements a =
      get(builder.expand(get(builder.reshape(ints, {2, 1, 1})), {2, huge, 1}));
  Elements b = get(builder.splat<DataType::Int64>({huge}, 1));
  EXPECT_EQ(failure(builder.combine(addInts(), {a, b})),
            "expected a shape whose bytes can be counted, but got "
            "2x1099511627776x1099511627776");
}

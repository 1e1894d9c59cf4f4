// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions along the lines of an axis, or over the axes of an image.
#include "CallTesting.h"
#include "invar/Kernels/Resample.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;

// Running sums and products

TEST(LineCalls, SumsRunAlongAnyAxis) {
  rt::Value x = countUp<int32_t>({2, 3});
  auto sum = [&](int64_t axis, int64_t exclusive, int64_t reverse) {
    Call call = {"CumSum",
                 {INVAR_INT32},
                 {{"exclusive", Ints{exclusive}}, {"reverse", Ints{reverse}}}};
    return elementsOf<int32_t>(call({x, scalar(axis)}));
  };
  EXPECT_EQ(sum(1, 0, 0), (std::vector<int32_t>{0, 1, 3, 3, 7, 12}));
  EXPECT_EQ(sum(0, 0, 0), (std::vector<int32_t>{0, 1, 2, 3, 5, 7}));
  EXPECT_EQ(sum(-1, 1, 0), (std::vector<int32_t>{0, 0, 1, 0, 3, 7}));
  EXPECT_EQ(sum(0, 0, 1), (std::vector<int32_t>{3, 5, 7, 3, 4, 5}));
  EXPECT_EQ(sum(1, 1, 1), (std::vector<int32_t>{3, 2, 0, 9, 5, 0}));
  Call call = {"CumSum", {INVAR_INT32}};
  EXPECT_EQ(call.whyFails({x, scalar(int64_t(2))}),
            "expected an axis from -2 to 1, but got 2");
  EXPECT_EQ(call.whyFails({x, vectorOf<int64_t>({0, 1})}),
            "expected operand 1 of CumSum to have 1 elements, but got "
            "tensor(int64)[2]");
}

TEST(LineCalls, SumsOfManyLinesAreShared) {
  rt::Value x = countUp<float>({3, 100, 200});
  for (int64_t axis : {0, 1, 2}) {
    Call call = {"CumSum", {INVAR_FLOAT32}, {}, 3};
    rt::Value sums = call({x, scalar(axis)});
    int64_t sizes[] = {3, 100, 200}, strides[] = {20000, 200, 1};
    for (int64_t i = 0; i < x.count(); ++i) {
      bool isFirst = i / strides[axis] % sizes[axis] == 0;
      float before = isFirst ? 0 : sums.data<float>()[i - strides[axis]];
      ASSERT_FLOAT_EQ(sums.data<float>()[i], before + x.data<float>()[i]);
    }
  }
}

TEST(LineCalls, ProductsRunInTheirOwnType) {
  Call call = {"CumProd", {INVAR_INT64}};
  EXPECT_EQ(elementsOf<int64_t>(call(
                {vectorOf<int64_t>({3, INT64_MAX, 2}), scalar(int64_t(0))})),
            (Ints{3, INT64_MAX - 2, -6}));
  Call halves = {"CumProd", {INVAR_FLOAT16}};
  EXPECT_EQ(patternsOf<uint16_t>(
                halves({patterns<uint16_t>(INVAR_FLOAT16, {0x4000, 0x4200}),
                        scalar(int64_t(0))})),
            (std::vector<uint16_t>{0x4000, 0x4600}));
}

// TopK

static Call topK(InvarDataType type, int64_t largest) {
  return {"TopK", {type, INVAR_INT64}, {{"largest", Ints{largest}}}};
}
/// The operands for the first axis.
static std::vector<rt::Value> best(const rt::Value &x, int64_t k) {
  return {x, scalar(k), scalar(int64_t(0))};
}

TEST(LineCalls, TheBestComeFirst) {
  // Equal elements keep their order, and NaN is greater than all numbers.
  rt::Value x = vectorOf<float>({1, 3, NAN, 3, -INFINITY});
  auto greatest = topK(INVAR_FLOAT32, 1).mustRun(best(x, 4));
  EXPECT_EQ(elementsOf<int64_t>(greatest[1]), (Ints{2, 1, 3, 0}));
  EXPECT_EQ(greatest[0].data<float>()[1], 3);
  auto least = topK(INVAR_FLOAT32, 0).mustRun(best(x, 3));
  EXPECT_EQ(elementsOf<int64_t>(least[1]), (Ints{4, 0, 1}));
  EXPECT_EQ(topK(INVAR_FLOAT32, 1).mustRun(best(x, 0))[0].count(), 0);
  EXPECT_EQ(topK(INVAR_FLOAT32, 1).whyFails(best(x, 6)),
            "expected 'K' to be from 0 to 5, but got 6");
  EXPECT_EQ(topK(INVAR_FLOAT32, 1)
                .whyFails({x, scalar(int64_t(1)), scalar(int64_t(-2))}),
            "expected an axis from -1 to 0, but got -2");

  // Only the indices are requested.
  Call indices = topK(INVAR_FLOAT32, 1);
  indices.results = {INVAR_INT64};
  indices.attributes.push_back({"results", Ints{1}});
  EXPECT_EQ(elementsOf<int64_t>(indices(best(x, 1))), Ints{2});
}

TEST(LineCalls, AFewOfManyAreThoseOfASort) {
  // Unsorted numbers, along the first of two axes.
  std::vector<int64_t> numbers(2 * 1000);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int64_t(i * 7919 % 499);
  rt::Value x = tensor<int64_t>({1000, 2}, numbers);
  auto all = topK(INVAR_INT64, 1).mustRun(best(x, 1000));
  auto few = topK(INVAR_INT64, 1).mustRun(best(x, 17));
  for (int64_t i = 0; i < 2 * 17; ++i) {
    ASSERT_EQ(few[0].data<int64_t>()[i], all[0].data<int64_t>()[i]);
    ASSERT_EQ(few[1].data<int64_t>()[i], all[1].data<int64_t>()[i]);
  }
  for (int64_t i = 2; i < 2000; ++i)
    ASSERT_GE(all[0].data<int64_t>()[i - 2], all[0].data<int64_t>()[i]);
}

// Unique

TEST(LineCalls, DistinctRowsAreFound) {
  Call call = {"Unique",
               {INVAR_STRING, INVAR_INT64, INVAR_INT64, INVAR_INT64},
               {{"sorted", Ints{1}}}};
  auto found = call.mustRun({vectorOf(Strings{"b", "a", "b", ""})});
  EXPECT_EQ(stringsOf(found[0]), (Strings{"", "a", "b"}));
  EXPECT_EQ(elementsOf<int64_t>(found[1]), (Ints{3, 1, 0}));
  EXPECT_EQ(elementsOf<int64_t>(found[2]), (Ints{2, 1, 2, 0}));
  EXPECT_EQ(elementsOf<int64_t>(found[3]), (Ints{1, 1, 2}));

  // Columns, in the order of first occurrence; only they and their counts.
  Call columns = {
      "Unique",
      {INVAR_FLOAT32, INVAR_INT64},
      {{"axis", Ints{1}}, {"sorted", Ints{0}}, {"results", Ints{0, 3}}}};
  auto some = columns.mustRun({tensor<float>({2, 3}, {9, 1, 9, 8, 2, 8})});
  EXPECT_EQ(some[0].sizes(), (Ints{2, 2}));
  EXPECT_EQ(elementsOf<float>(some[0]), (Floats{9, 1, 8, 2}));
  EXPECT_EQ(elementsOf<int64_t>(some[1]), (Ints{2, 1}));

  Call pairs = {"Unique", {INVAR_COMPLEX64}};
  EXPECT_EQ(pairs({patterns<uint64_t>(INVAR_COMPLEX64, {1, 2, 1})}).sizes(),
            Ints{2});
  EXPECT_EQ(call.mustRun({vectorOf(Strings{})})[0].sizes(), Ints{0});
}

// Resize

static Call resize(InvarDataType type,
                   std::vector<ProgramBuilder::Attribute> attributes) {
  attributes.push_back({"cubic_coefficient", Doubles{-0.75}});
  return {"Resize", {type}, std::move(attributes)};
}

TEST(LineCalls, ResizeTakesTheNearestOfAnyType) {
  Call call =
      resize(INVAR_STRING, {{"takes_nearest", Ints{1}}, {"axes", Ints{0, 1}}});
  rt::Value x = strings({1, 2}, {"a", "b"});
  rt::Value none, scales = vectorOf<float>({2, 1.5f});
  EXPECT_EQ(stringsOf(call({x, vectorOf<int64_t>({2, 3}), scales})),
            (Strings{"a", "a", "b", "a", "a", "b"}));
  rt::Value same = vectorOf<int64_t>({1, 2}), empty = vectorOf<int64_t>({0, 5});
  EXPECT_EQ(call({x, same, none, none, same}).get(), x.get());
  EXPECT_EQ(call({x, empty, none, none, empty}).sizes(), (Ints{0, 5}));
  EXPECT_EQ(call.whyFails({x, same}),
            "expected scales or sizes, but got neither");
  EXPECT_EQ(
      call.whyFails({x, vectorOf<int64_t>({1, int64_t(1) << 40}), scales}),
      "expected an axis of up to 67108864 places, but got 1099511627776");
  EXPECT_EQ(call.whyFails({x, same, vectorOf<float>({1, 0})}),
            "expected scales greater than 0, but got 0.000000");
  EXPECT_EQ(call.whyFails({x, same, vectorOf<float>({1})}),
            "expected operand 2 of Resize to have 2 elements, but got "
            "tensor(float)[1]");
  EXPECT_EQ(call.whyFails({strings({1, 0}, {}), same, none, none, same}),
            "expected something to resize to 2, but axis 1 is empty");

  Call last =
      resize(INVAR_STRING, {{"takes_nearest", Ints{1}}, {"axes", Ints{1}}});
  EXPECT_EQ(last.whyFails({x, vectorOf<int64_t>({2, 2}), vectorOf<float>({1})}),
            "expected the sizes of tensor(string)[1,2] for axes that are not "
            "resized, but got tensor(string)[2,2]");
  EXPECT_EQ(resize(INVAR_STRING, {{"axes", Ints{1, 1}}}).whyFails({x, same}),
            "expected different axes from 0 to 1, but got 1");
  EXPECT_EQ(resize(INVAR_STRING, {{"axes", Ints{0, 1}}})
                .whyFails({x, vectorOf<int64_t>({2, 3}), scales}),
            "expected numbers, but got tensor(string)[1,2]");
}

TEST(LineCalls, ResizeCropsWithAValueOutside) {
  auto crop = int64_t(invar::kernels::Coordinates::TfCropAndResize);
  for (int64_t takesNearest : {0, 1}) {
    Call call = resize(INVAR_FLOAT32, {{"takes_nearest", Ints{takesNearest}},
                                       {"axes", Ints{0}},
                                       {"coordinates", Ints{crop}},
                                       {"outside", Doubles{-7}}});
    rt::Value x = vectorOf<float>({1, 2, 3}), three = vectorOf<int64_t>({3});
    EXPECT_EQ(elementsOf<float>(call(
                  {x, three, rt::Value(), vectorOf<float>({0, 2}), three})),
              (Floats{1, 3, -7}))
        << takesNearest;
  }
}

TEST(LineCalls, ResizeOfIntegersTruncatesOrSaturates) {
  rt::Value x = vectorOf<uint8_t>({0, 255, 0}), two = vectorOf<float>({2});
  Call linear = resize(INVAR_UINT8, {{"axes", Ints{0}}});
  EXPECT_EQ(elementsOf<uint8_t>(linear({x, vectorOf<int64_t>({6}), two})),
            (std::vector<uint8_t>{0, 63, 191, 191, 63, 0}));
  // A cubic filter overshoots.
  auto isCubic = int64_t(invar::kernels::Interpolation::Cubic);
  Call cubic = resize(INVAR_UINT8,
                      {{"axes", Ints{0}}, {"interpolation", Ints{isCubic}}});
  rt::Value y = cubic({vectorOf<uint8_t>({0, 0, 255, 255, 255, 0, 0}),
                       vectorOf<int64_t>({14}), two});
  for (uint8_t element : elementsOf<uint8_t>(y))
    EXPECT_TRUE(element <= 80 || element >= 180) << int(element);
}

TEST(LineCalls, ResizeOfManyAxesIsShared) {
  rt::Value x = countUp<float>({2, 64, 48});
  for (int threads : {1, 3}) {
    Call call = resize(INVAR_FLOAT32, {{"axes", Ints{0, 1, 2}}});
    call.threads = threads;
    rt::Value sizes = vectorOf<int64_t>({2, 128, 24}),
              y = call({x, sizes, rt::Value(), rt::Value(), sizes});
    ASSERT_EQ(y.sizes(), (Ints{2, 128, 24}));
    // Linear data stay linear inside: row 20 is at 9.75, column 10 at 20.5.
    EXPECT_FLOAT_EQ(y.data<float>()[(128 + 20) * 24 + 10],
                    (64 + 9.75f) * 48 + 20.5f);
  }
}

// GridSample

TEST(LineCalls, GridsSampleEvenFarOutside) {
  rt::Value x = tensor<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  rt::Value grid = tensor<float>(
      {1, 1, 5, 2}, {-1, -1, 1, 1, 1e30f, 0, NAN, NAN, -INFINITY, INFINITY});
  for (const char *mode : {"takes_nearest", "is_cubic", "neither"})
    for (int64_t outside : {0, 1, 2}) {
      Call call = {"GridSample",
                   {INVAR_FLOAT32},
                   {{mode, Ints{1}},
                    {"outside", Ints{outside}},
                    {"align_corners", Ints{1}}}};
      rt::Value y = call({x, grid});
      EXPECT_EQ(y.sizes(), (Ints{1, 1, 1, 5}));
      EXPECT_EQ(y.data<float>()[0], 1) << mode << outside;
      EXPECT_EQ(y.data<float>()[1], 4) << mode << outside;
    }
  Call nearest = {"GridSample", {INVAR_STRING}, {{"takes_nearest", Ints{1}}}};
  EXPECT_EQ(stringsOf(nearest({strings({1, 1, 1, 2}, {"a", "b"}),
                               tensor<float>({1, 1, 2, 2}, {.5f, 0, 3, 0})})),
            (Strings{"b", ""}));
  Call call = {"GridSample", {INVAR_FLOAT32}};
  EXPECT_EQ(call.whyFails({x, tensor<float>({1, 1, 1, 3}, {0, 0, 0})}),
            "expected positions for images of tensor(float)[1,1,2,2], but got "
            "tensor(float)[1,1,1,3]");
  EXPECT_EQ(call.whyFails({tensor<float>({1, 1, 0, 2}, {}), grid}),
            "expected something to sample, but got tensor(float)[1,1,0,2]");
}

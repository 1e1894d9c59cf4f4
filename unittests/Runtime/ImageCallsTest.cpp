// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions over images N x C x D…: windows and boxes.
#include "CallTesting.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;
using Attributes = std::vector<ProgramBuilder::Attribute>;

/// A window: rows of image, kernel, output, stride, dilation and pads.
static rt::Value window(const std::vector<Ints> &axes) {
  Ints numbers;
  for (const Ints &axis : axes)
    numbers.insert(numbers.end(), axis.begin(), axis.end());
  return tensor<int64_t>({int64_t(axes.size()), 7}, numbers);
}

// MaxPool

static Call maxPool(InvarDataType type, Attributes attributes = {}) {
  return {"MaxPool", {type, INVAR_INT64}, std::move(attributes)};
}

TEST(ImageCalls, MaxPoolSaysWhere) {
  rt::Value x = tensor<float>({1, 2, 2, 3}, {1, 5, 2, 4, 3, 6, //
                                             0, NAN, 1, 2, 2, 2});
  rt::Value square = window({{2, 2, 1, 1, 1, 0, 0}, {3, 2, 2, 1, 1, 0, 0}});
  auto found = maxPool(INVAR_FLOAT32).mustRun({x, square});
  EXPECT_EQ(found[0].sizes(), (Ints{1, 2, 1, 2}));
  EXPECT_EQ(found[0].data<float>()[1], 6);
  EXPECT_TRUE(std::isnan(found[0].data<float>()[2]));
  EXPECT_EQ(elementsOf<int64_t>(found[1]), (Ints{1, 5, 7, 7}));
  auto byColumns =
      maxPool(INVAR_FLOAT32, {{"by_columns", Ints{1}}}).mustRun({x, square});
  EXPECT_EQ(elementsOf<int64_t>(byColumns[1]), (Ints{2, 5, 8, 8}));

  // Bytes, and only one result.
  Call bytes = maxPool(INVAR_INT8);
  bytes.results.pop_back();
  EXPECT_EQ(elementsOf<int8_t>(bytes({tensor<int8_t>({1, 1, 3}, {-128, -3, -2}),
                                      window({{3, 2, 2, 2, 1, 1, 0}})})),
            (std::vector<int8_t>{-128, -2}));
}

TEST(ImageCalls, WindowsAreChecked) {
  rt::Value x = countUp<float>({1, 1, 4});
  // A window may extend beyond the end; a window within the padding has no index.
  EXPECT_EQ(maxPool(INVAR_FLOAT32)
                .mustRun({x, window({{4, 3, 2, 2, 1, 0, 0}})})[0]
                .sizes(),
            (Ints{1, 1, 2}));
  auto padded =
      maxPool(INVAR_FLOAT32).mustRun({x, window({{4, 1, 5, 1, 1, 1, 0}})});
  EXPECT_EQ(padded[0].data<float>()[0], -INFINITY);
  EXPECT_EQ(padded[1].data<int64_t>()[0], -1);
  EXPECT_EQ(maxPool(INVAR_FLOAT32)
                .mustRun({x, window({{4, 9, 0, 1, 1, 0, 0}})})[0]
                .count(),
            0);

  auto whyNot = [&](const rt::Value &rows) {
    return maxPool(INVAR_FLOAT32).whyFails({x, rows});
  };
  EXPECT_EQ(whyNot(vectorOf<int64_t>({4})),
            "expected a window of 7 numbers for each axis, but got "
            "tensor(int64)[1]");
  EXPECT_EQ(whyNot(window({{4, 3, 2, 0, 1, 0, 0}})),
            "expected a window whose places can be counted, but got one of 3 "
            "with stride 0, dilation 1 and pads 0 and 0 over spatial axis 0 "
            "of 4");
  EXPECT_NE(whyNot(window({{4, INT64_MAX, 1, 1, INT64_MAX, 0, 0}})), "");
  EXPECT_NE(whyNot(window({{4, 1, 1, 1, 1, INT64_MAX, INT64_MAX}})), "");
  EXPECT_EQ(whyNot(window({{5, 1, 5, 1, 1, 0, 0}})),
            "expected a window over 1 axes of the image's sizes, but got "
            "tensor(int64)[1,7]");
  EXPECT_EQ(maxPool(INVAR_FLOAT32).whyFails({vectorOf<float>({1}), window({})}),
            "expected images N x C x …, but got tensor(float)[1]");
  EXPECT_EQ(maxPool(INVAR_STRING)
                .whyFails({strings({1, 1, 1}, {"a"}),
                           window({{1, 1, 1, 1, 1, 0, 0}})}),
            "expected floats of 16 to 64 bits, but got elements of string");
}

TEST(ImageCalls, MaxUnpoolPutsBack) {
  Call call = {"MaxUnpool", {INVAR_FLOAT32}};
  rt::Value x = tensor<float>({1, 1, 1, 2}, {5, 6});
  rt::Value places = tensor<int64_t>({1, 1, 1, 2}, {0, 7});
  rt::Value pooled = vectorOf<int64_t>({1, 1, 2, 4});
  rt::Value shape = vectorOf<int64_t>({1, 1, 2, 5});
  EXPECT_EQ(elementsOf<float>(call({x, places, pooled, pooled})),
            (Floats{5, 0, 0, 0, 0, 0, 0, 6}));
  EXPECT_EQ(elementsOf<float>(call({x, places, pooled, shape})),
            (Floats{5, 0, 0, 0, 0, 0, 0, 0, 6, 0}));
  EXPECT_EQ(
      call.whyFails({x, tensor<int64_t>({1, 1, 1, 2}, {0, 8}), pooled, pooled}),
      "expected places from 0 to 7, but got 8");
  EXPECT_EQ(call.whyFails({x, vectorOf<int64_t>({0, 1}), pooled, pooled}),
            "expected a place for each of tensor(float)[1,1,1,2], but got "
            "tensor(int64)[2]");
  EXPECT_EQ(call.whyFails({x, places, pooled, vectorOf<int64_t>({1, 1, 1, 9})}),
            "expected an 'output_shape' of at least tensor(float)[1,1,2,4], "
            "but got tensor(float)[1,1,1,9]");
  EXPECT_EQ(call.whyFails({x, places, vectorOf<int64_t>({2, 1, 2, 4}), pooled}),
            "expected sizes of images like tensor(float)[1,1,1,2], but got "
            "tensor(float)[2,1,2,4]");
}

// Boxes

TEST(ImageCalls, BoxesArePooled) {
  rt::Value x = countUp<float>({2, 1, 4, 4});
  Call max = {"MaxRoiPool",
              {INVAR_FLOAT32},
              {{"height", Ints{1}}, {"width", Ints{2}}, {"scale", Doubles{1}}}};
  EXPECT_EQ(elementsOf<float>(max({x, tensor<float>({1, 5}, {1, 0, 0, 3, 1})})),
            (Floats{21, 23}));
  EXPECT_EQ(max.whyFails({x, tensor<float>({1, 5}, {2, 0, 0, 3, 1})}),
            "expected images from 0 to 1, but got 2");
  EXPECT_EQ(max.whyFails({x, tensor<float>({1, 5}, {NAN, 0, 0, 3, 1})}),
            "expected images from 0 to 1, but got -9223372036854775808");

  Call align = {"RoiAlign",
                {INVAR_FLOAT32},
                {{"height", Ints{1}},
                 {"width", Ints{1}},
                 {"scale", Doubles{1}},
                 {"samples", Ints{1}},
                 {"half_pixel", Ints{1}}}};
  rt::Value box = tensor<float>({1, 4}, {0, 0, 2, 2});
  EXPECT_EQ(elementsOf<float>(align({x, box, vectorOf<int64_t>({1})})),
            Floats{16 + 2.5f});
  EXPECT_EQ(align.whyFails({x, box, vectorOf<int64_t>({-1})}),
            "expected images from 0 to 1, but got -1");
  EXPECT_EQ(align.whyFails({x, x, vectorOf<int64_t>({0})}),
            "expected images N x C x H x W and boxes of 4 numbers, but got "
            "tensor(float)[2,1,4,4] and tensor(float)[2,1,4,4]");
  // The adaptive number of samples depends on the box's size and is limited.
  Call adaptive = align;
  adaptive.attributes.erase(adaptive.attributes.begin() + 3);
  rt::Value endless = tensor<float>({1, 4}, {0, 0, 1e30f, 1e30f});
  EXPECT_EQ(adaptive.whyFails({x, endless, vectorOf<int64_t>({0})}),
            "expected boxes of up to 68719476736 samples, but got more");
}

// Convolutions

TEST(ImageCalls, BlocksAreAdded) {
  Call call = {"Col2Im", {INVAR_INT32}};
  rt::Value columns = tensor<int32_t>({1, 2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(
      elementsOf<int32_t>(call({columns, window({{3, 2, 2, 1, 1, 0, 0}})})),
      (std::vector<int32_t>{1, 5, 4}));
  EXPECT_EQ(call.whyFails({columns, window({{4, 2, 3, 1, 1, 0, 0}})}),
            "expected blocks of 2 elements at 3 places, but got "
            "tensor(int32)[1,2,2]");
}

TEST(ImageCalls, TapsAreMoved) {
  Call call = {"DeformConv",
               {INVAR_FLOAT32},
               {{"groups", Ints{1}}, {"offset_groups", Ints{1}}}};
  rt::Value x = countUp<float>({1, 1, 2, 2});
  rt::Value w = tensor<float>({1, 1, 1, 1}, {2});
  auto offsets = [](Floats numbers) {
    return tensor<float>({1, 2, 2, 2}, numbers);
  };
  rt::Value still = offsets(Floats(8));
  rt::Value own = window({{2, 1, 2, 1, 1, 0, 0}, {2, 1, 2, 1, 1, 0, 0}}), none;
  EXPECT_EQ(elementsOf<float>(call({x, w, still, none, none, own})),
            (Floats{0, 2, 4, 6}));
  // Half a row down; outside of the image there are zeros; NaN is outside.
  EXPECT_EQ(elementsOf<float>(
                call({x, w, offsets({.5f, NAN, .5f, 0, 0, 0, 0, INFINITY}),
                      none, none, own})),
            (Floats{2, 0, 2, 0}));
  rt::Value bias = vectorOf<float>({1});
  rt::Value mask = tensor<float>({1, 1, 2, 2}, {0, 1, 2, 0.5f});
  EXPECT_EQ(elementsOf<float>(call({x, w, still, bias, mask, own})),
            (Floats{1, 3, 9, 4}));
  // A scalar is a vector of one element.
  EXPECT_EQ(elementsOf<float>(call({x, w, still, scalar(1.0f), mask, own})),
            (Floats{1, 3, 9, 4}));
  EXPECT_EQ(call.whyFails({x, w, mask, none, none, own}),
            "expected operand 2 to be tensor(float)[1,2,2,2], but got "
            "tensor(float)[1,1,2,2]");
  EXPECT_EQ(
      call.whyFails({x, countUp<float>({1, 2, 1, 1}), still, none, none, own}),
      "expected weights for 1 groups and 1 groups of offsets of "
      "tensor(float)[1,1,2,2], but got tensor(float)[1,2,1,1]");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions over images N x C x D…: windows and boxes.
#include "CallTesting.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;
using Attributes = std::vector<ProgramBuilder::Attribute>;

// MaxPool

static Call maxPool(InvarDataType type, Attributes attributes) {
  return {"MaxPool", {type, INVAR_INT64}, std::move(attributes)};
}

TEST(ImageCalls, MaxPoolSaysWhere) {
  rt::Value x = tensor<float>({1, 2, 2, 3}, {1, 5, 2, 4, 3, 6, //
                                             0, NAN, 1, 2, 2, 2});
  auto found =
      maxPool(INVAR_FLOAT32, {{"kernel_shape", Ints{2, 2}}}).mustRun({x});
  EXPECT_EQ(found[0].sizes(), (Ints{1, 2, 1, 2}));
  EXPECT_EQ(found[0].data<float>()[1], 6);
  EXPECT_TRUE(std::isnan(found[0].data<float>()[2]));
  EXPECT_EQ(elementsOf<int64_t>(found[1]), (Ints{1, 5, 7, 7}));
  auto byColumns = maxPool(INVAR_FLOAT32, {{"kernel_shape", Ints{2, 2}},
                                           {"storage_order", Ints{1}}})
                       .mustRun({x});
  EXPECT_EQ(elementsOf<int64_t>(byColumns[1]), (Ints{2, 5, 8, 8}));

  // Bytes, and only one result.
  Call bytes = maxPool(INVAR_INT8, {{"kernel_shape", Ints{2}},
                                    {"strides", Ints{2}},
                                    {"auto_pad", Strings{"SAME_LOWER"}}});
  bytes.results.pop_back();
  EXPECT_EQ(
      elementsOf<int8_t>(bytes({tensor<int8_t>({1, 1, 3}, {-128, -3, -2})})),
      (std::vector<int8_t>{-128, -2}));
}

TEST(ImageCalls, WindowsAreChecked) {
  rt::Value x = countUp<float>({1, 1, 4});
  // With ceil_mode, a window may extend beyond the end; a window within the padding has
  // no index.
  Attributes wide = {{"kernel_shape", Ints{3}}, {"strides", Ints{2}}};
  EXPECT_EQ(maxPool(INVAR_FLOAT32, wide).mustRun({x})[0].sizes(),
            (Ints{1, 1, 1}));
  wide.push_back({"ceil_mode", Ints{1}});
  EXPECT_EQ(maxPool(INVAR_FLOAT32, wide).mustRun({x})[0].sizes(),
            (Ints{1, 1, 2}));
  auto padded =
      maxPool(INVAR_FLOAT32, {{"kernel_shape", Ints{1}}, {"pads", Ints{1, 0}}})
          .mustRun({x});
  EXPECT_EQ(padded[0].data<float>()[0], -INFINITY);
  EXPECT_EQ(padded[1].data<int64_t>()[0], -1);
  EXPECT_EQ(maxPool(INVAR_FLOAT32, {{"kernel_shape", Ints{9}}})
                .mustRun({x})[0]
                .count(),
            0);

  auto whyNot = [&](Attributes attributes) {
    return maxPool(INVAR_FLOAT32, std::move(attributes)).whyFails({x});
  };
  EXPECT_EQ(whyNot({{"kernel_shape", Ints{3, 3}}}),
            "expected a window over 1 axes, but got 2 sizes, 0 strides, 0 "
            "dilations and 0 pads");
  EXPECT_EQ(whyNot({{"kernel_shape", Ints{3}}, {"strides", Ints{0}}}),
            "expected a window whose places can be counted, but got one of 3 "
            "with stride 0, dilation 1 and pads 0 and 0 over spatial axis 0 "
            "of 4");
  EXPECT_NE(whyNot({{"kernel_shape", Ints{INT64_MAX}},
                    {"dilations", Ints{INT64_MAX}}}),
            "");
  EXPECT_NE(
      whyNot({{"kernel_shape", Ints{1}}, {"pads", Ints{INT64_MAX, INT64_MAX}}}),
      "");
  EXPECT_EQ(maxPool(INVAR_FLOAT32, {{"kernel_shape", Ints{}}})
                .whyFails({vectorOf<float>({1})}),
            "expected images N x C x …, but got tensor(float)[1]");
  EXPECT_EQ(maxPool(INVAR_STRING, {{"kernel_shape", Ints{1}}})
                .whyFails({strings({1, 1, 1}, {"a"})}),
            "expected floats of 16 to 64 bits, but got elements of string");
}

TEST(ImageCalls, MaxUnpoolPutsBack) {
  Call call = {"MaxUnpool",
               {INVAR_FLOAT32},
               {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}}};
  rt::Value x = tensor<float>({1, 1, 1, 2}, {5, 6});
  rt::Value places = tensor<int64_t>({1, 1, 1, 2}, {0, 7});
  rt::Value shape = vectorOf<int64_t>({1, 1, 2, 5});
  EXPECT_EQ(elementsOf<float>(call({x, places})),
            (Floats{5, 0, 0, 0, 0, 0, 0, 6}));
  EXPECT_EQ(elementsOf<float>(call({x, places, shape})),
            (Floats{5, 0, 0, 0, 0, 0, 0, 0, 6, 0}));
  EXPECT_EQ(call.whyFails({x, tensor<int64_t>({1, 1, 1, 2}, {0, 8})}),
            "expected places from 0 to 7, but got 8");
  EXPECT_EQ(call.whyFails({x, vectorOf<int64_t>({0, 1})}),
            "expected a place for each of tensor(float)[1,1,1,2], but got "
            "tensor(int64)[2]");
  EXPECT_EQ(call.whyFails({x, places, vectorOf<int64_t>({1, 1, 1, 9})}),
            "expected an 'output_shape' of at least tensor(float)[1,1,2,4], "
            "but got tensor(float)[1,1,1,9]");
}

// Boxes

TEST(ImageCalls, BoxesArePooled) {
  rt::Value x = countUp<float>({2, 1, 4, 4});
  Call max = {"MaxRoiPool", {INVAR_FLOAT32}, {{"pooled_shape", Ints{1, 2}}}};
  EXPECT_EQ(elementsOf<float>(max({x, tensor<float>({1, 5}, {1, 0, 0, 3, 1})})),
            (Floats{21, 23}));
  EXPECT_EQ(max.whyFails({x, tensor<float>({1, 5}, {2, 0, 0, 3, 1})}),
            "expected images from 0 to 1, but got 2");
  EXPECT_EQ(max.whyFails({x, tensor<float>({1, 5}, {NAN, 0, 0, 3, 1})}),
            "expected images from 0 to 1, but got -9223372036854775808");

  Call align = {"RoiAlign",
                {INVAR_FLOAT32},
                {{"output_height", Ints{1}},
                 {"output_width", Ints{1}},
                 {"sampling_ratio", Ints{1}}}};
  rt::Value box = tensor<float>({1, 4}, {0, 0, 2, 2});
  EXPECT_EQ(elementsOf<float>(align({x, box, vectorOf<int64_t>({1})})),
            Floats{16 + 2.5f});
  EXPECT_EQ(align.whyFails({x, box, vectorOf<int64_t>({-1})}),
            "expected images from 0 to 1, but got -1");
  EXPECT_EQ(align.whyFails({x, x, vectorOf<int64_t>({0})}),
            "expected images N x C x H x W and boxes of 4 numbers, but got "
            "tensor(float)[2,1,4,4] and tensor(float)[2,1,4,4]");
  // The adaptive number of samples depends on the box's size and is limited.
  Call adaptive = {"RoiAlign", {INVAR_FLOAT32}};
  rt::Value endless = tensor<float>({1, 4}, {0, 0, 1e30f, 1e30f});
  EXPECT_EQ(adaptive.whyFails({x, endless, vectorOf<int64_t>({0})}),
            "expected boxes of up to 1073741824 samples, but got more");
}

// Convolutions

TEST(ImageCalls, BlocksAreAdded) {
  Call call = {"Col2Im", {INVAR_INT32}};
  rt::Value columns = tensor<int32_t>({1, 2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(elementsOf<int32_t>(call(
                {columns, vectorOf<int64_t>({3}), vectorOf<int64_t>({2})})),
            (std::vector<int32_t>{1, 5, 4}));
  EXPECT_EQ(
      call.whyFails({columns, vectorOf<int64_t>({4}), vectorOf<int64_t>({2})}),
      "expected blocks of 2 elements at 3 places, but got "
      "tensor(int32)[1,2,2]");
  EXPECT_EQ(
      call.whyFails({columns, vectorOf<int64_t>({1}), vectorOf<int64_t>({2})}),
      "expected a window that fits into the padded size 1 of spatial "
      "axis 0, but got 2");
}

TEST(ImageCalls, TapsAreMoved) {
  Call call = {"DeformConv", {INVAR_FLOAT32}};
  rt::Value x = countUp<float>({1, 1, 2, 2});
  rt::Value w = tensor<float>({1, 1, 1, 1}, {2});
  auto offsets = [](Floats numbers) {
    return tensor<float>({1, 2, 2, 2}, numbers);
  };
  rt::Value still = offsets(Floats(8));
  EXPECT_EQ(elementsOf<float>(call({x, w, still})), (Floats{0, 2, 4, 6}));
  // Half a row down; outside of the image there are zeros; NaN is outside.
  EXPECT_EQ(elementsOf<float>(
                call({x, w, offsets({.5f, NAN, .5f, 0, 0, 0, 0, INFINITY})})),
            (Floats{2, 0, 2, 0}));
  rt::Value bias = vectorOf<float>({1});
  rt::Value mask = tensor<float>({1, 1, 2, 2}, {0, 1, 2, 0.5f});
  EXPECT_EQ(elementsOf<float>(call({x, w, still, bias, mask})),
            (Floats{1, 3, 9, 4}));
  EXPECT_EQ(call.whyFails({x, w, mask}),
            "expected operand 2 to be tensor(float)[1,2,2,2], but got "
            "tensor(float)[1,1,2,2]");
  EXPECT_EQ(call.whyFails({x, countUp<float>({1, 2, 1, 1}), still}),
            "expected weights for 1 groups and 1 groups of offsets of "
            "tensor(float)[1,1,2,2], but got tensor(float)[1,2,1,1]");
}

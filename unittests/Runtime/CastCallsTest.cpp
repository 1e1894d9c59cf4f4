// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTesting.h"

#include <cmath>
#include <limits>

using namespace invar;
using namespace invar::testing;

static Call castTo(InvarDataType type) { return {"Cast", {type}}; }

TEST(CastCalls, NumbersRoundAndWrap) {
  rt::Value x = tensor<float>({2, 2}, {1.5f, -1.5f, 300, NAN});
  rt::Value bytes = castTo(INVAR_UINT8)({x});
  EXPECT_EQ(bytes.sizes(), (Ints{2, 2}));
  // The low bits of an int32; NaN is the lowest one.
  EXPECT_EQ(elementsOf<uint8_t>(bytes), (std::vector<uint8_t>{1, 255, 44, 0}));
  EXPECT_EQ(elementsOf<int64_t>(castTo(INVAR_INT64)({x})),
            (Ints{1, -1, 300, INT64_MIN}));
  EXPECT_EQ(patternsOf<uint16_t>(
                castTo(INVAR_FLOAT16)({vectorOf<float>({1, 65520, 1e-8f})})),
            (std::vector<uint16_t>{0x3c00, 0x7c00, 0}));
  // A byte that is neither 0 nor 1 is true.
  EXPECT_EQ(elementsOf<int64_t>(castTo(INVAR_INT64)(
                {patterns<uint8_t>(INVAR_BOOL, {0, 1, 7})})),
            (Ints{0, 1, 1}));
}

TEST(CastCalls, SmallTypesTakeAByteEach) {
  EXPECT_EQ(patternsOf<int8_t>(
                castTo(INVAR_INT4)({vectorOf<int64_t>({7, 8, -8, -9, 16})})),
            (std::vector<int8_t>{7, -8, -8, 7, 0}));
  EXPECT_EQ(
      patternsOf<uint8_t>(castTo(INVAR_UINT2)({vectorOf<int64_t>({3, 4, -1})})),
      (std::vector<uint8_t>{3, 0, 3}));
  EXPECT_EQ(elementsOf<float>(castTo(INVAR_FLOAT32)(
                {patterns<uint8_t>(INVAR_FLOAT4E2M1, {0, 1, 7, 15})})),
            (Floats{0, 0.5f, 6, -6}));
}

TEST(CastCalls, FloatsOfEightBitsSaturateUnlessToldNotTo) {
  rt::Value x = vectorOf<float>({1, 1000, -INFINITY});
  Call call = castTo(INVAR_FLOAT8E4M3FN);
  EXPECT_EQ(patternsOf<uint8_t>(call({x})),
            (std::vector<uint8_t>{0x38, 0x7e, 0xfe}));
  call.attributes.push_back({"wraps", Ints{1}});
  EXPECT_EQ(patternsOf<uint8_t>(call({x})),
            (std::vector<uint8_t>{0x38, 0x7f, 0xff}));

  Call scale = castTo(INVAR_FLOAT8E8M0);
  rt::Value five = vectorOf<float>({5});
  EXPECT_EQ(patternsOf<uint8_t>(scale({five})), std::vector<uint8_t>{130});
  scale.attributes.push_back({"scale_rounding", Ints{1}});
  EXPECT_EQ(patternsOf<uint8_t>(scale({five})), std::vector<uint8_t>{129});
}

TEST(CastCalls, TextsAreWrittenAndRead) {
  rt::Value texts = castTo(INVAR_STRING)(
      {tensor<float>({5}, {0.1f, -0.0f, -INFINITY, NAN, 1e8f})});
  EXPECT_EQ(stringsOf(texts), (Strings{"0.1", "-0", "-INF", "NaN", "1e+08"}));
  EXPECT_EQ(
      stringsOf(castTo(INVAR_STRING)({vectorOf<uint64_t>({UINT64_MAX, 0})})),
      (Strings{"18446744073709551615", "0"}));

  rt::Value floats = castTo(INVAR_FLOAT32)(
      {vectorOf(Strings{"1.5", " -2e3 ", "+INF", "1e-45", "0x1p3"})});
  EXPECT_EQ(elementsOf<float>(floats),
            (Floats{1.5f, -2000, INFINITY, 1e-45f, 8}));
  EXPECT_EQ(
      elementsOf<int8_t>(castTo(INVAR_INT8)({vectorOf(Strings{"-128", "+7"})})),
      (std::vector<int8_t>{-128, 7}));
  auto whyNot = [](InvarDataType type, const char *text) {
    return castTo(type).whyFails({vectorOf(Strings{text})});
  };
  auto refusal = [](const std::string &text) {
    return "expected a number that the type holds, but got '" + text + "'";
  };
  EXPECT_EQ(whyNot(INVAR_INT8, "128"), refusal("128"));
  EXPECT_EQ(whyNot(INVAR_UINT4, "16"), refusal("16"));
  EXPECT_EQ(whyNot(INVAR_UINT32, "-1"), refusal("-1"));
  EXPECT_EQ(whyNot(INVAR_INT32, "1.5"), refusal("1.5"));
  EXPECT_EQ(whyNot(INVAR_FLOAT32, "1e40"), refusal("1e40"));
  EXPECT_EQ(whyNot(INVAR_FLOAT32, "+-1"), refusal("+-1"));
  EXPECT_EQ(whyNot(INVAR_FLOAT32, ""), refusal(""));
  EXPECT_EQ(whyNot(INVAR_FLOAT32, "1 apple"), refusal("1 apple"));
}

TEST(CastCalls, WhatIsNoNumberIsRefused) {
  rt::Value pair;
  EXPECT_FALSE(rt::Value::create(INVAR_COMPLEX64, {1}).moveInto(pair));
  EXPECT_EQ(castTo(INVAR_FLOAT32).whyFails({pair}),
            "expected numbers, but got tensor(complex64)[1]");
}

TEST(CastCalls, ManyElementsAreShared) {
  rt::Value x = countUp<int32_t>({1 << 18});
  Call call = castTo(INVAR_FLOAT64);
  call.threads = 3;
  EXPECT_EQ(elementsOf<double>(call({x})),
            elementsOf<double>(countUp<double>({1 << 18})));
}

TEST(CastCalls, BitsAreKept) {
  auto bitCastTo = [](InvarDataType type) { return Call{"BitCast", {type}}; };
  EXPECT_EQ(elementsOf<int32_t>(
                bitCastTo(INVAR_INT32)({vectorOf<float>({1, -0.0f})})),
            (std::vector<int32_t>{0x3f800000, INT32_MIN}));
  EXPECT_EQ(patternsOf<int8_t>(bitCastTo(INVAR_INT4)(
                {patterns<uint8_t>(INVAR_UINT4, {7, 8, 15})})),
            (std::vector<int8_t>{7, -8, -1}));
  EXPECT_EQ(bitCastTo(INVAR_INT64).whyFails({vectorOf<float>({1})}),
            "expected elements of 64 bits to see as int64, but got "
            "tensor(float)[1]");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the small floats against LLVM's APFloat, which rounds by a different algorithm.
#include "invar/Kernels/MiniFloat.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace invar;
using llvm::APFloat;

namespace {
template <typename T> const llvm::fltSemantics &semanticsOf();
#define INVAR_SEMANTICS(TYPE, SEMANTICS)                                       \
  template <> const llvm::fltSemantics &semanticsOf<TYPE>() {                  \
    return APFloat::SEMANTICS();                                               \
  }
INVAR_SEMANTICS(Float16, IEEEhalf)
INVAR_SEMANTICS(BFloat16, BFloat)
INVAR_SEMANTICS(Float8E4M3FN, Float8E4M3FN)
INVAR_SEMANTICS(Float8E4M3FNUZ, Float8E4M3FNUZ)
INVAR_SEMANTICS(Float8E5M2, Float8E5M2)
INVAR_SEMANTICS(Float8E5M2FNUZ, Float8E5M2FNUZ)
INVAR_SEMANTICS(Float6E2M3, Float6E2M3FN)
INVAR_SEMANTICS(Float6E3M2, Float6E3M2FN)
INVAR_SEMANTICS(Float4E2M1, Float4E2M1FN)
#undef INVAR_SEMANTICS

template <typename T> double referenceDecode(unsigned bits) {
  APFloat value(semanticsOf<T>(), llvm::APInt(T::width, bits));
  bool lossy = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  EXPECT_FALSE(lossy);
  return value.convertToDouble();
}

template <typename T>
unsigned referenceEncode(double value, Overflow overflow) {
  APFloat result(value);
  bool lossy = false;
  APFloat::opStatus status =
      result.convert(semanticsOf<T>(), APFloat::rmNearestTiesToEven, &lossy);
  bool isTooBig = std::isinf(value) || (status & APFloat::opOverflow);
  bool hasSpecials = T::width >= 8;
  if (isTooBig && (overflow == Overflow::Saturate || !hasSpecials))
    result = APFloat::getLargest(semanticsOf<T>(), std::signbit(value));
  return unsigned(result.bitcastToAPInt().getZExtValue());
}

template <typename T> class MiniFloatTest : public ::testing::Test {};
using AllFormats = ::testing::Types<Float16, BFloat16, Float8E4M3FN,
                                    Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ,
                                    Float6E2M3, Float6E3M2, Float4E2M1>;
TYPED_TEST_SUITE(MiniFloatTest, AllFormats);

template <typename T> void expectRounded(double value) {
  for (Overflow overflow : {Overflow::Saturate, Overflow::Special}) {
    unsigned expected = referenceEncode<T>(value, overflow);
    ASSERT_EQ(unsigned(T::fromDouble(value, overflow).bits), expected) << value;
    float single = static_cast<float>(value);
    if (static_cast<double>(single) == value) {
      ASSERT_EQ(unsigned(T::fromFloat(single, overflow).bits), expected)
          << value;
    }
  }
}
} // namespace

TYPED_TEST(MiniFloatTest, DecodesEveryPattern) {
  for (unsigned bits = 0; bits < (1u << TypeParam::width); ++bits) {
    TypeParam value = TypeParam::fromBits(typename TypeParam::Bits(bits));
    double expected = referenceDecode<TypeParam>(bits);
    if (std::isnan(expected)) {
      EXPECT_TRUE(value.isNaN());
      EXPECT_TRUE(std::isnan(value.toFloat()));
    } else {
      EXPECT_FALSE(value.isNaN());
      EXPECT_EQ(value.toDouble(), expected);
      EXPECT_EQ(std::signbit(value.toFloat()), std::signbit(expected));
    }
  }
}

// At each number, at the midpoint to the next, and on both sides of each of these.
TYPED_TEST(MiniFloatTest, RoundsOnceToNearestEven) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double max = TypeParam::max().toDouble();
  for (unsigned bits = 0; bits <= TypeParam::maxFinite; ++bits) {
    double value =
        TypeParam::fromBits(typename TypeParam::Bits(bits)).toDouble();
    double next =
        bits == TypeParam::maxFinite
            ? max +
                  (max - TypeParam::fromBits(typename TypeParam::Bits(bits - 1))
                             .toDouble())
            : TypeParam::fromBits(typename TypeParam::Bits(bits + 1))
                  .toDouble();
    for (double at : {value, value + (next - value) / 2, next})
      for (double near :
           {at, std::nextafter(at, 0.0), std::nextafter(at, infinity),
            double(std::nextafterf(float(at), 0.0f)),
            double(std::nextafterf(float(at), INFINITY))}) {
        expectRounded<TypeParam>(near);
        expectRounded<TypeParam>(-near);
      }
    if (this->HasFatalFailure())
      return;
  }
  for (double value :
       {0.0, infinity, 1e300, 1e-300, 4e-324, max * 2, 3.4e38, 1e-45})
    for (double sign : {1.0, -1.0})
      expectRounded<TypeParam>(sign * value);
}

TYPED_TEST(MiniFloatTest, RoundsRandomNumbers) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 20000; ++trial) {
    uint64_t bits = random();
    double value = std::bit_cast<double>(bits);
    double close =
        std::ldexp(double(int64_t(bits)) * 0x1p-63, int(random() % 40) - 24);
    float single = std::bit_cast<float>(uint32_t(bits));
    for (double each : {value, close, double(single), double(float(close))})
      if (!std::isnan(each))
        expectRounded<TypeParam>(each);
    if (this->HasFatalFailure())
      return;
  }
}

TYPED_TEST(MiniFloatTest, NaNStaysNaNWhereThereIsOne) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  bool hasNaN = TypeParam::width >= 8;
  for (Overflow overflow : {Overflow::Saturate, Overflow::Special})
    for (double value : {nan, -nan}) {
      TypeParam fromDouble = TypeParam::fromDouble(value, overflow);
      TypeParam fromFloat = TypeParam::fromFloat(float(value), overflow);
      EXPECT_EQ(fromDouble.bits, fromFloat.bits);
      EXPECT_EQ(fromDouble.isNaN(), hasNaN);
      if (!hasNaN) {
        EXPECT_EQ(fromDouble.toFloat(), 0.0f);
      }
    }
}

TEST(Float8E8M0, FollowsTheTableOfCast) {
  using F = Float8E8M0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (unsigned bits = 0; bits < 255; ++bits) {
    double value = F::fromBits(uint8_t(bits)).toDouble();
    EXPECT_EQ(value, std::ldexp(1.0, int(bits) - 127));
    EXPECT_EQ(F::fromDouble(value).bits, bits);
  }
  EXPECT_TRUE(std::isnan(F::fromBits(255).toFloat()));
  // saturate + up
  EXPECT_EQ(F::fromDouble(0.0).bits, 0);
  EXPECT_TRUE(F::fromDouble(NAN).isNaN());
  EXPECT_EQ(F::fromDouble(infinity).bits, 254);
  EXPECT_EQ(F::fromDouble(0x1.8p127).bits, 254);
  EXPECT_EQ(F::fromDouble(0x1p-140).bits, 0);
  // non-saturate + nearest
  auto nearest = [](double value) {
    return F::fromDouble(value, Overflow::Special, ScaleRounding::Nearest);
  };
  EXPECT_TRUE(nearest(0.0).isNaN());
  EXPECT_TRUE(nearest(infinity).isNaN());
  EXPECT_TRUE(nearest(0x1p128).isNaN());
  EXPECT_TRUE(nearest(0x1p-140).isNaN());
  // rounding
  EXPECT_EQ(F::fromDouble(1.0000001).toFloat(), 2.0f);
  EXPECT_EQ(
      F::fromDouble(1.99, Overflow::Saturate, ScaleRounding::Down).toFloat(),
      1.0f);
  EXPECT_EQ(nearest(1.49).toFloat(), 1.0f);
  EXPECT_EQ(nearest(1.5).toFloat(), 2.0f);
  EXPECT_EQ(nearest(3.0).toFloat(), 4.0f);
}

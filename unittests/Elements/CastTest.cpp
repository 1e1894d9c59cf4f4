// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests casts between all pairs of numeric types, on special and random values, against a
// reference that converts by value: exact integers in 128 bits, and APFloat for rounding.
#include "Testing.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <cmath>
#include <limits>

using namespace invar;
using namespace invar::testing;
using llvm::APFloat;

static const llvm::fltSemantics *semanticsOf(DataType type) {
  switch (type) {
  case DataType::Float32:
    return &APFloat::IEEEsingle();
  case DataType::Float64:
    return &APFloat::IEEEdouble();
  case DataType::Float16:
    return &APFloat::IEEEhalf();
  case DataType::BFloat16:
    return &APFloat::BFloat();
  case DataType::Float8E4M3FN:
    return &APFloat::Float8E4M3FN();
  case DataType::Float8E4M3FNUZ:
    return &APFloat::Float8E4M3FNUZ();
  case DataType::Float8E5M2:
    return &APFloat::Float8E5M2();
  case DataType::Float8E5M2FNUZ:
    return &APFloat::Float8E5M2FNUZ();
  case DataType::Float6E2M3:
    return &APFloat::Float6E2M3FN();
  case DataType::Float6E3M2:
    return &APFloat::Float6E3M2FN();
  case DataType::Float4E2M1:
    return &APFloat::Float4E2M1FN();
  default:
    return nullptr; // Integers, and float8e8m0, which MiniFloatTest covers.
  }
}

static bool isInteger(DataType type) {
  return getKind(type) == NumberKind::Signed ||
         getKind(type) == NumberKind::Unsigned;
}

/// The value of an element, independent of its type.
struct Value {
  bool isFloat;
  APFloat real;     // If it is a float, in its own format.
  __int128 integer; // If it is an integer or a bool.
};

static Value valueOf(DataType type, uint64_t pattern) {
  unsigned width = getBitWidth(type);
  if (const llvm::fltSemantics *semantics = semanticsOf(type))
    return {true, APFloat(*semantics, llvm::APInt(width, pattern)), 0};
  llvm::APInt bits(width, pattern, /*isSigned=*/false, /*implicitTrunc=*/true);
  if (type == DataType::Bool)
    return {false, APFloat(0.0), pattern != 0};
  return {false, APFloat(0.0),
          getKind(type) == NumberKind::Signed ? __int128(bits.getSExtValue())
                                              : __int128(bits.getZExtValue())};
}

/// Truncates as cvtt* of x86 does: values that do not fit become the lowest number.
static int64_t truncated(const APFloat &value, unsigned width) {
  llvm::APSInt result(width, /*isUnsigned=*/false);
  bool isExact = false;
  if (value.convertToInteger(result, APFloat::rmTowardZero, &isExact) &
      APFloat::opInvalidOp)
    return llvm::APInt::getSignedMinValue(width).getSExtValue();
  return result.getSExtValue();
}

static uint64_t referenceToInteger(const Value &from, DataType to) {
  unsigned width = getBitWidth(to);
  uint64_t mask = width == 64 ? UINT64_MAX : (uint64_t(1) << width) - 1;
  if (to == DataType::Bool)
    return from.isFloat ? !from.real.isZero() : from.integer != 0;
  if (!from.isFloat)
    return uint64_t(from.integer) & mask;
  if (to == DataType::UInt64) {
    llvm::APSInt result(64, /*isUnsigned=*/true);
    bool isExact = false;
    bool isInvalid =
        from.real.convertToInteger(result, APFloat::rmTowardZero, &isExact) &
        APFloat::opInvalidOp;
    if (!isInvalid)
      return result.getZExtValue();
    return from.real.isNaN() || from.real.isNegative()
               ? uint64_t(truncated(from.real, 64))
               : 0;
  }
  bool viaInt64 = width == 64 || to == DataType::UInt32;
  return uint64_t(truncated(from.real, viaInt64 ? 64 : 32)) & mask;
}

/// Returns the bit pattern, or nullopt for any NaN.
static std::optional<uint64_t> referenceToFloat(const Value &from, DataType to,
                                                bool saturate) {
  const llvm::fltSemantics &semantics = *semanticsOf(to);
  bool isSmall = getBitWidth(to) <= 8;
  bool canBeSpecial = getBitWidth(to) >= 8;
  bool lossy = false;
  APFloat value = APFloat(semantics, 0);
  APFloat::opStatus status;
  if (from.isFloat) {
    value = from.real;
    if (value.isNaN())
      return canBeSpecial ? std::nullopt : std::optional<uint64_t>(0);
    status = value.convert(semantics, APFloat::rmNearestTiesToEven, &lossy);
  } else {
    llvm::APInt bits(128,
                     {uint64_t(from.integer), uint64_t(from.integer >> 64)});
    // APFloat converts integers only to formats with an infinity; use an exact one first.
    APFloat exact(APFloat::IEEEquad());
    exact.convertFromAPInt(bits, /*IsSigned=*/true,
                           APFloat::rmNearestTiesToEven);
    value = exact;
    status = value.convert(semantics, APFloat::rmNearestTiesToEven, &lossy);
  }
  bool isTooBig = (from.isFloat && from.real.isInfinity()) ||
                  (status & APFloat::opOverflow);
  if (isTooBig && isSmall && (saturate || !canBeSpecial))
    value = APFloat::getLargest(semantics, from.isFloat ? from.real.isNegative()
                                                        : from.integer < 0);
  if (value.isNaN())
    return std::nullopt;
  return value.bitcastToAPInt().getZExtValue();
}

static std::vector<uint64_t> patternsOf(DataType type,
                                        std::mt19937_64 &random) {
  unsigned width = getBitWidth(type);
  std::vector<uint64_t> patterns;
  if (type == DataType::Bool)
    return {0, 1};
  if (width <= 8) {
    for (uint64_t pattern = 0; pattern < (uint64_t(1) << width); ++pattern)
      patterns.push_back(pattern);
    return patterns;
  }
  uint64_t mask = width == 64 ? UINT64_MAX : (uint64_t(1) << width) - 1;
  auto add = [&](uint64_t pattern) { patterns.push_back(pattern & mask); };
  if (isInteger(type)) {
    for (unsigned bit = 0; bit <= width; ++bit) {
      uint64_t power = bit == 64 ? 0 : uint64_t(1) << bit;
      for (int64_t off = -2; off <= 2; ++off) {
        add(power + uint64_t(off));
        add(0 - power + uint64_t(off));
        // Close to the midpoint between two bfloat16 values.
        if (bit > 9)
          add(power + (power >> 8) + uint64_t(off));
      }
    }
  } else {
    const double specials[] = {0.0,
                               0.4,
                               0.5,
                               1.0,
                               1.5,
                               126.9,
                               127.5,
                               128.0,
                               255.9,
                               256.0,
                               32767.9,
                               32768.0,
                               65503.9,
                               65504.0,
                               65519.9,
                               65520.0,
                               65535.9,
                               65536.0,
                               2147483647.0,
                               2147483647.5,
                               2147483648.0,
                               2147483649.0,
                               4294967295.5,
                               4294967296.0,
                               9223372036854774784.0,
                               0x1p63,
                               0x1.8p63,
                               18446744073709549568.0,
                               0x1p64,
                               1e30,
                               1e300,
                               448.0,
                               464.0,
                               465.0,
                               480.0,
                               57344.0,
                               61440.0,
                               1e-8,
                               1e-40,
                               1e-310,
                               INFINITY,
                               NAN};
    for (double special : specials)
      for (double value : {special, -special, std::nextafter(special, 0.0)}) {
        APFloat converted(value);
        bool lossy = false;
        converted.convert(*semanticsOf(type), APFloat::rmNearestTiesToEven,
                          &lossy);
        add(converted.bitcastToAPInt().getZExtValue());
      }
  }
  for (int i = 0; i < 500; ++i)
    add(random() >> (random() % width));
  return patterns;
}

static Elements tensorOf(DataType type, llvm::ArrayRef<uint64_t> patterns) {
  ElementsBuilder builder;
  std::vector<uint8_t> lanes;
  for (uint64_t pattern : patterns) {
    if (getKind(type) == NumberKind::Signed && isPacked(type))
      pattern = uint64_t(llvm::SignExtend64(pattern, getBitWidth(type)));
    const auto *bytes = reinterpret_cast<const uint8_t *>(&pattern);
    lanes.insert(lanes.end(), bytes, bytes + getLaneSize(type));
  }
  return get(builder.fromLanes(type, int64_t(patterns.size()), lanes.data(),
                               patterns.size()));
}

TEST(Cast, AllPairsAgreeWithTheReference) {
  std::mt19937_64 random(3);
  ElementsBuilder builder;
  for (DataType from : allDataTypes) {
    if (!isNumeric(from) || from == DataType::Float8E8M0)
      continue;
    std::vector<uint64_t> patterns = patternsOf(from, random);
    Elements source = tensorOf(from, patterns);
    for (DataType to : allDataTypes) {
      if (!isNumeric(to) || to == DataType::Float8E8M0 || to == from)
        continue;
      for (bool saturate : {true, false}) {
        Elements result =
            get(get(builder.cast(source, to, {saturate})).materialize());
        size_t size = getLaneSize(to);
        std::vector<uint8_t> lanes(patterns.size() * size);
        result.read(0, result.numElements(), lanes.data());
        uint64_t mask = getBitWidth(to) == 64
                            ? UINT64_MAX
                            : (uint64_t(1) << getBitWidth(to)) - 1;
        for (size_t i = 0; i < patterns.size(); ++i) {
          uint64_t got = 0;
          std::memcpy(&got, &lanes[i * size], size);
          got &= mask;
          Value value = valueOf(from, patterns[i]);
          if (semanticsOf(to)) {
            std::optional<uint64_t> expected =
                referenceToFloat(value, to, saturate);
            bool isNaN =
                APFloat(*semanticsOf(to), llvm::APInt(getBitWidth(to), got))
                    .isNaN();
            // A type without NaN represents it by zero of either sign.
            if (value.isFloat && value.real.isNaN() && expected)
              got &= mask >> 1;
            ASSERT_EQ(isNaN, !expected)
                << getName(from).str() << " to " << getName(to).str()
                << " of pattern " << patterns[i];
            if (expected) {
              ASSERT_EQ(got, *expected)
                  << getName(from).str() << " to " << getName(to).str()
                  << " of pattern " << patterns[i];
            }
          } else {
            ASSERT_EQ(got, referenceToInteger(value, to))
                << getName(from).str() << " to " << getName(to).str()
                << " of pattern " << patterns[i];
          }
        }
      }
    }
  }
}

// Expected values observed with onnxruntime on x86-64.
TEST(Cast, OutOfRangeIsAsOnnxruntimeHasIt) {
  ElementsBuilder builder;
  float values[] = {NAN,    INFINITY, -INFINITY, 3e9f, -3e9f,
                    300.7f, -300.7f,  1e19f,     -1.7f};
  Elements x = get(builder.fromArray<DataType::Float32>({9}, values));
  auto as = [&]<DataType T>() {
    return lanesOf<LaneOf<T>>(get(builder.cast(x, T)));
  };
  EXPECT_EQ(as.operator()<DataType::Int8>(),
            (std::vector<int8_t>{0, 0, 0, 0, 0, 44, -44, 0, -1}));
  EXPECT_EQ(as.operator()<DataType::UInt16>(),
            (std::vector<uint16_t>{0, 0, 0, 0, 0, 300, 65236, 0, 65535}));
  EXPECT_EQ(as.operator()<DataType::Int32>(),
            (std::vector<int32_t>{INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN,
                                  INT32_MIN, 300, -300, INT32_MIN, -1}));
  EXPECT_EQ(as.operator()<DataType::Int64>(),
            (std::vector<int64_t>{INT64_MIN, INT64_MIN, INT64_MIN, 3000000000,
                                  -3000000000, 300, -300, INT64_MIN, -1}));
  EXPECT_EQ(as.operator()<DataType::UInt32>(),
            (std::vector<uint32_t>{0, 0, 0, 3000000000, 1294967296, 300,
                                   4294966996, 0, UINT32_MAX}));
  EXPECT_EQ(as.operator()<DataType::UInt64>(),
            (std::vector<uint64_t>{uint64_t(1) << 63, 0, uint64_t(1) << 63,
                                   3000000000, 18446744070709551616ull, 300,
                                   18446744073709551316ull,
                                   9999999980506447872ull, UINT64_MAX}));
}

TEST(Cast, ScalesRoundAsTold) {
  ElementsBuilder builder;
  float values[] = {1.5f, 3.0f, 0.0f};
  Elements x = get(builder.fromArray<DataType::Float32>({3}, values));
  auto bits = [&](CastOptions options) {
    std::vector<int> result;
    for (Float8E8M0 lane : lanesOf<Float8E8M0>(
             get(builder.cast(x, DataType::Float8E8M0, options))))
      result.push_back(lane.bits);
    return result;
  };
  EXPECT_EQ(bits({true, ScaleRounding::Up}), (std::vector<int>{128, 129, 0}));
  EXPECT_EQ(bits({true, ScaleRounding::Down}), (std::vector<int>{127, 128, 0}));
  EXPECT_EQ(bits({false, ScaleRounding::Nearest}),
            (std::vector<int>{128, 129, 255}));
}

TEST(Cast, RefusesWhatIsNoNumber) {
  ElementsBuilder builder;
  llvm::StringRef text[] = {"1"};
  Elements x = get(builder.fromStrings({1}, text));
  EXPECT_EQ(failure(builder.cast(x, DataType::Int32)),
            "expected a cast between numeric types, but got string to int32");
}

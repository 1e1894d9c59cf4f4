// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats that C++ has no type for: float16, bfloat16, and ONNX's 8-, 6- and 4-bit
// floats. Each is a bit pattern described by four numbers. One algorithm decodes all of
// them and one encodes them. For example float8e4m3fn:
//
//   using F = MiniFloat<4, 3, 7, Specials::FN>;
//
// has 4 exponent bits, 3 mantissa bits, bias 7, no infinity, and NaN only at
// S.1111.111. Its greatest number is 448; 480 does not exist. Between them:
//
//   F::fromDouble(464).bits == 0x7e     halfway: to even, which is 448
//   F::fromDouble(465).bits == 0x7e     too large: saturates, as ONNX's Cast does
//   F::fromDouble(465, Overflow::Special).bits == 0x7f   or NaN: saturate=0
//
// Invariant: toFloat() is exact, and every conversion to a MiniFloat rounds once, to
// nearest with ties to even. A float is converted directly or after widening to double,
// never rounded in between.
#ifndef INVAR_KERNELS_MINIFLOAT_H
#define INVAR_KERNELS_MINIFLOAT_H

#include <bit>
#include <cstdint>
#include <type_traits>

namespace invar {

/// How a format represents infinity and NaN.
enum class Specials : uint8_t {
  IEEE, ///< the top exponent holds infinity and the NaNs
  FN,   ///< no infinity; NaN is the pattern of all ones
  FNUZ, ///< no infinity, no negative zero; NaN is the pattern of -0
  None, ///< finite numbers only
};

/// The result for numbers too large for the format, and for infinity. Formats of
/// Specials::None always saturate.
enum class Overflow : uint8_t {
  Saturate, ///< the largest finite number of its sign
  Special,  ///< infinity, or NaN in a format without it
};

template <unsigned ExponentBits, unsigned MantissaBits, int Bias, Specials S>
struct MiniFloat {
  static constexpr unsigned width = 1 + ExponentBits + MantissaBits;
  using Bits = std::conditional_t<(width > 8), uint16_t, uint8_t>;

  Bits bits = 0;

  static constexpr uint32_t signBit = 1u << (width - 1);
  static constexpr uint32_t topExponent = ((1u << ExponentBits) - 1)
                                          << MantissaBits;
  /// Patterns without the sign. They ascend with the magnitude.
  static constexpr uint32_t maxFinite = S == Specials::IEEE ? topExponent - 1
                                        : S == Specials::FN ? signBit - 2
                                                            : signBit - 1;

  static constexpr MiniFloat fromBits(Bits bits) { return {bits}; }

  static constexpr MiniFloat max() { return {Bits(maxFinite)}; }

  constexpr bool isNaN() const {
    if constexpr (S == Specials::IEEE)
      return (bits & (signBit - 1)) > topExponent;
    else if constexpr (S == Specials::FN)
      return (bits & (signBit - 1)) == signBit - 1;
    else if constexpr (S == Specials::FNUZ)
      return bits == signBit;
    else
      return false;
  }

  /// Exact: moves the fields to their positions in a float and corrects the bias by one
  /// multiplication, which also normalizes subnormal numbers.
  constexpr float toFloat() const {
    constexpr unsigned shift = 23 - MantissaBits;
    constexpr float scale = std::bit_cast<float>(uint32_t(254 - Bias) << 23);
    uint32_t magnitude = bits & (signBit - 1);
    uint32_t sign = uint32_t(bits & signBit) << (32 - width);
    uint32_t result = 0;
    if constexpr (Bias == 127)
      result = magnitude << shift;
    else
      result = std::bit_cast<uint32_t>(
          std::bit_cast<float>(magnitude << shift) * scale);
    if constexpr (S == Specials::IEEE)
      result = magnitude >= topExponent ? (magnitude << shift) | 0x7f800000u
                                        : result;
    else
      result = isNaN() ? 0x7fc00000u : result;
    return std::bit_cast<float>(result | sign);
  }

  constexpr double toDouble() const { return static_cast<double>(toFloat()); }

  /// Rounds with integer arithmetic and the float adder, without a branch, so that
  /// loops vectorize.
  static constexpr MiniFloat fromFloat(float value,
                                       Overflow overflow = defaultOverflow) {
    constexpr unsigned shift = 23 - MantissaBits;
    // Adding 2^(lowest exponent - mantissa + 23) leaves the subnormal pattern,
    // rounded, in the low bits of the sum.
    constexpr uint32_t magic = uint32_t(1 - Bias - int(MantissaBits) + 23 + 127)
                               << 23;
    constexpr uint32_t minNormal = uint32_t(1 - Bias + 127) << 23;
    uint32_t all = std::bit_cast<uint32_t>(value);
    uint32_t magnitude = all & 0x7fffffffu;
    uint32_t odd = (magnitude >> shift) & 1;
    uint32_t normal = ((magnitude + ((1u << (shift - 1)) - 1) + odd) >> shift) -
                      (uint32_t(127 - Bias) << MantissaBits);
    uint32_t subnormal =
        std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) +
                                std::bit_cast<float>(magic)) -
        magic;
    uint32_t rounded = magnitude < minNormal ? subnormal : normal;
    return finish(all >> 31, rounded, magnitude >= 0x7f800000u,
                  magnitude > 0x7f800000u, overflow);
  }

  static constexpr MiniFloat fromDouble(double value,
                                        Overflow overflow = defaultOverflow) {
    constexpr int minExponent = 1 - Bias;
    uint64_t all = std::bit_cast<uint64_t>(value);
    uint64_t magnitude = all & ~(uint64_t(1) << 63);
    int exponent = static_cast<int>(magnitude >> 52) - 1023;
    uint64_t significand =
        (magnitude & ((uint64_t(1) << 52) - 1)) | (uint64_t(1) << 52);
    int below = exponent < minExponent ? minExponent - exponent : 0;
    int shift = 52 - int(MantissaBits) + below;
    uint32_t rounded = 0;
    if (shift < 54) {
      uint64_t odd = (significand >> shift) & 1;
      uint64_t half = uint64_t(1) << (shift - 1);
      rounded = static_cast<uint32_t>((significand + half - 1 + odd) >> shift);
    }
    // `rounded` includes the hidden bit, which is worth one exponent; a carry
    // increments the exponent.
    if (exponent > minExponent)
      rounded += static_cast<uint32_t>(exponent - minExponent) << MantissaBits;
    constexpr uint64_t infinity = uint64_t(0x7ff) << 52;
    return finish(static_cast<uint32_t>(all >> 63), rounded,
                  magnitude >= infinity, magnitude > infinity, overflow);
  }

  /// ONNX's defaults: 16-bit floats overflow to infinity, smaller ones saturate.
  static constexpr Overflow defaultOverflow =
      width == 16 ? Overflow::Special : Overflow::Saturate;

  friend constexpr bool operator==(MiniFloat a, MiniFloat b) {
    return a.toFloat() == b.toFloat();
  }

private:
  static constexpr uint32_t overflowPattern = S == Specials::IEEE ? topExponent
                                              : S == Specials::FN ? signBit - 1
                                              : S == Specials::FNUZ ? signBit
                                                                    : maxFinite;
  static constexpr uint32_t nanPattern =
      S == Specials::IEEE   ? topExponent | (1u << (MantissaBits - 1))
      : S == Specials::FN   ? signBit - 1
      : S == Specials::FNUZ ? signBit
                            // Undefined in ONNX; its reference returns zero.
                            : 0;

  static constexpr MiniFloat finish(uint32_t sign, uint32_t rounded,
                                    bool isSpecial, bool isNaN,
                                    Overflow overflow) {
    uint32_t limit =
        overflow == Overflow::Saturate ? maxFinite : overflowPattern;
    uint32_t pattern = (isSpecial || rounded > maxFinite) ? limit : rounded;
    pattern = isNaN ? nanPattern : pattern;
    if constexpr (S == Specials::FNUZ)
      sign = (pattern & (signBit - 1)) == 0 ? 0 : sign;
    return {static_cast<Bits>(pattern | (sign << (width - 1)))};
  }
};

using Float16 = MiniFloat<5, 10, 15, Specials::IEEE>;
using BFloat16 = MiniFloat<8, 7, 127, Specials::IEEE>;
using Float8E4M3FN = MiniFloat<4, 3, 7, Specials::FN>;
using Float8E4M3FNUZ = MiniFloat<4, 3, 8, Specials::FNUZ>;
using Float8E5M2 = MiniFloat<5, 2, 15, Specials::IEEE>;
using Float8E5M2FNUZ = MiniFloat<5, 2, 16, Specials::FNUZ>;
using Float6E2M3 = MiniFloat<2, 3, 1, Specials::None>;
using Float6E3M2 = MiniFloat<3, 2, 3, Specials::None>;
using Float4E2M1 = MiniFloat<2, 1, 1, Specials::None>;

/// How Cast rounds to float8e8m0, whose numbers are powers of two.
enum class ScaleRounding : uint8_t { Up, Down, Nearest };

/// float8e8m0: a scale, 2^(bits - 127), or NaN at 255. It has neither sign nor zero. As
/// in ONNX's reference, a negative number is replaced by its magnitude.
struct Float8E8M0 {
  using Bits = uint8_t;
  static constexpr unsigned width = 8;
  static constexpr Overflow defaultOverflow = Overflow::Saturate;

  uint8_t bits = 0;

  static constexpr Float8E8M0 fromBits(uint8_t bits) { return {bits}; }
  constexpr bool isNaN() const { return bits == 0xff; }

  constexpr float toFloat() const {
    uint32_t pattern = bits == 0xff ? 0x7fc00000u
                       : bits == 0  ? 0x00400000u
                                    : uint32_t(bits) << 23;
    return std::bit_cast<float>(pattern);
  }
  constexpr double toDouble() const { return static_cast<double>(toFloat()); }

  static constexpr Float8E8M0
  fromDouble(double value, Overflow overflow = defaultOverflow,
             ScaleRounding rounding = ScaleRounding::Up) {
    uint64_t magnitude = std::bit_cast<uint64_t>(value) & ~(uint64_t(1) << 63);
    constexpr uint64_t infinity = uint64_t(0x7ff) << 52;
    constexpr uint64_t lowest = uint64_t(1023 - 127) << 52;
    if (magnitude > infinity)
      return {0xff};
    bool saturate = overflow == Overflow::Saturate;
    if (magnitude < lowest)
      return {static_cast<uint8_t>(saturate ? 0 : 0xff)};
    constexpr uint64_t one = uint64_t(1) << 52;
    uint64_t carry = rounding == ScaleRounding::Up        ? one - 1
                     : rounding == ScaleRounding::Nearest ? one / 2
                                                          : 0;
    uint64_t scale =
        (magnitude == infinity ? infinity : magnitude + carry) >> 52;
    if (scale > 1023 + 127)
      return {static_cast<uint8_t>(saturate ? 0xfe : 0xff)};
    return {static_cast<uint8_t>(scale - (1023 - 127))};
  }
  static constexpr Float8E8M0 fromFloat(float value,
                                        Overflow overflow = defaultOverflow) {
    return fromDouble(static_cast<double>(value), overflow);
  }

  friend constexpr bool operator==(Float8E8M0 a, Float8E8M0 b) {
    return a.toFloat() == b.toFloat();
  }
};

template <typename T> inline constexpr bool isMiniFloat = false;
template <unsigned E, unsigned M, int B, Specials S>
inline constexpr bool isMiniFloat<MiniFloat<E, M, B, S>> = true;
template <> inline constexpr bool isMiniFloat<Float8E8M0> = true;

} // namespace invar

#endif // INVAR_KERNELS_MINIFLOAT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cast goes through one of five carriers that hold every value of the source exactly:
// float, double, int32_t, int64_t and uint64_t. That makes 25 + 5 * 25 loops instead of
// 25 * 25. Each loop vectorizes, and the carrier of a piece stays in L1.
#include "invar/Kernels/Cast.h"

#include "invar/Kernels/NumberTypes.h"

#include <algorithm>

using namespace invar;
using namespace invar::kernels;

// The bounds are the nearest doubles that are out of range.
int64_t kernels::truncateToInt64(double value) {
  return value >= -0x1p63 && value < 0x1p63 ? static_cast<int64_t>(value)
                                            : INT64_MIN;
}

int32_t kernels::truncateToInt32(double value) {
  return value > -0x1p31 - 1 && value < 0x1p31 ? static_cast<int32_t>(value)
                                               : INT32_MIN;
}

uint64_t kernels::truncateToUInt64(double value) {
  if (value >= 0x1p64)
    return 0;
  if (value >= 0x1p63)
    return static_cast<uint64_t>(value);
  return static_cast<uint64_t>(truncateToInt64(value));
}

template <typename Lane> static auto carrierOf() {
  if constexpr (isMiniFloat<Lane> || std::is_same_v<Lane, float>)
    return float();
  else if constexpr (std::is_same_v<Lane, double>)
    return double();
  else if constexpr (std::is_same_v<Lane, uint64_t>)
    return uint64_t();
  else if constexpr (std::is_same_v<Lane, int64_t> ||
                     std::is_same_v<Lane, uint32_t>)
    return int64_t();
  else
    return int32_t();
}
template <typename Lane> using CarrierOf = decltype(carrierOf<Lane>());

/// An integer as a double that rounds to any narrower float as the integer itself
/// would: bits that a double cannot hold are combined into the lowest bit ("round to
/// odd").
template <typename Int> static double toStickyDouble(Int value) {
  if constexpr (sizeof(Int) <= 4) {
    return static_cast<double>(value);
  } else {
    bool isNegative = value < 0;
    uint64_t magnitude = static_cast<uint64_t>(value);
    magnitude = isNegative ? 0 - magnitude : magnitude;
    if (magnitude >> 53)
      magnitude =
          (magnitude & ~uint64_t(0x7ff)) | ((magnitude & 0x7ff) ? 0x800 : 0);
    double result = static_cast<double>(magnitude);
    return isNegative ? -result : result;
  }
}

template <typename Number, typename Carrier>
static typename Number::Lane convert(Carrier value, Overflow overflow,
                                     ScaleRounding rounding) {
  using Lane = typename Number::Lane;
  if constexpr (Number::isBool) {
    return value != 0;
  } else if constexpr (std::is_same_v<Lane, Float8E8M0>) {
    if constexpr (std::is_integral_v<Carrier>)
      return Lane::fromDouble(toStickyDouble(value), overflow, rounding);
    else
      return Lane::fromDouble(value, overflow, rounding);
  } else if constexpr (isMiniFloat<Lane>) {
    if constexpr (std::is_same_v<Carrier, float>)
      return Lane::fromFloat(value, overflow);
    else if constexpr (std::is_same_v<Carrier, double>)
      return Lane::fromDouble(value, overflow);
    else
      return Lane::fromDouble(toStickyDouble(value), overflow);
  } else if constexpr (Number::isFloat || std::is_integral_v<Carrier>) {
    return Number::wrap(static_cast<Lane>(value));
  } else if constexpr (std::is_same_v<Lane, uint64_t>) {
    return truncateToUInt64(value);
  } else if constexpr (sizeof(Lane) == 8 || std::is_same_v<Lane, uint32_t>) {
    return static_cast<Lane>(truncateToInt64(value));
  } else {
    return Number::wrap(static_cast<Lane>(truncateToInt32(value)));
  }
}

template <typename Number>
static void load(const void *from, void *to, size_t n, CastOptions) {
  using Carrier = CarrierOf<typename Number::Lane>;
  // In memory, any byte except 0 is true.
  using Lane =
      std::conditional_t<Number::isBool, uint8_t, typename Number::Lane>;
  const auto *in = static_cast<const Lane *>(from);
  auto *out = static_cast<Carrier *>(to);
  for (size_t i = 0; i < n; ++i) {
    if constexpr (isMiniFloat<Lane>)
      out[i] = in[i].toFloat();
    else if constexpr (Number::isBool)
      out[i] = in[i] != 0;
    else
      out[i] = static_cast<Carrier>(in[i]);
  }
}

template <typename Number, typename Carrier>
static void store(const void *from, void *to, size_t n, CastOptions options) {
  const auto *in = static_cast<const Carrier *>(from);
  auto *out = static_cast<typename Number::Lane *>(to);
  Overflow overflow = sizeof(typename Number::Lane) == 1 && options.saturate
                          ? Overflow::Saturate
                          : Overflow::Special;
  for (size_t i = 0; i < n; ++i)
    out[i] = convert<Number, Carrier>(in[i], overflow, options.scaleRounding);
}

Cast::Cast(InvarDataType from, InvarDataType to, CastOptions options)
    : options(options) {
  auto setDrain = [&](auto carrier) {
    visitNumberType(to, [&](auto number) {
      drain = store<decltype(number), decltype(carrier)>;
      toSize = sizeof(typename decltype(number)::Lane);
    });
  };
  visitNumberType(from, [&](auto number) {
    using Lane = typename decltype(number)::Lane;
    using Carrier = CarrierOf<Lane>;
    fromSize = sizeof(Lane);
    if constexpr (!std::is_same_v<Lane, Carrier>)
      fill = load<decltype(number)>;
    setDrain(Carrier());
  });
}

void Cast::operator()(const void *from, void *to, size_t n) const {
  if (!fill)
    return drain(from, to, n, options);
  constexpr size_t step = 512;
  alignas(64) std::byte carried[step * sizeof(uint64_t)];
  const auto *in = static_cast<const char *>(from);
  auto *out = static_cast<char *>(to);
  for (size_t begin = 0; begin < n; begin += step) {
    size_t here = std::min(step, n - begin);
    fill(in + begin * fromSize, carried, here, options);
    drain(carried, out + begin * toSize, here, options);
  }
}

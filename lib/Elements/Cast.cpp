// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cast goes through one of five carriers that hold every value of the source exactly:
// float, double, int32_t, int64_t and uint64_t. That makes 25 + 5 * 25 loops instead of
// 25 * 25, each of which vectorizes, and the carrier of a tile's piece stays in L1.
#include "invar/Elements/Cast.h"

#include <cassert>
#include <cstddef>

using namespace invar;

// The bounds are doubles next to the integers that are out of range.
int64_t invar::truncateToInt64(double value) {
  return value >= -0x1p63 && value < 0x1p63 ? static_cast<int64_t>(value)
                                            : INT64_MIN;
}

int32_t invar::truncateToInt32(double value) {
  return value > -0x1p31 - 1 && value < 0x1p31 ? static_cast<int32_t>(value)
                                               : INT32_MIN;
}

uint64_t invar::truncateToUInt64(double value) {
  if (value >= 0x1p64)
    return 0;
  if (value >= 0x1p63)
    return static_cast<uint64_t>(value);
  return static_cast<uint64_t>(truncateToInt64(value));
}

namespace {
enum class CarrierKind { Float, Double, Int32, Int64, UInt64 };

template <typename Lane> constexpr CarrierKind carrierOf() {
  if (isMiniFloat<Lane> || std::is_same_v<Lane, float>)
    return CarrierKind::Float;
  if (std::is_same_v<Lane, double>)
    return CarrierKind::Double;
  if (std::is_same_v<Lane, uint64_t>)
    return CarrierKind::UInt64;
  if (std::is_same_v<Lane, int64_t> || std::is_same_v<Lane, uint32_t>)
    return CarrierKind::Int64;
  return CarrierKind::Int32;
}

template <typename F> decltype(auto) withCarrier(CarrierKind kind, F f) {
  switch (kind) {
  case CarrierKind::Float:
    return f(float());
  case CarrierKind::Double:
    return f(double());
  case CarrierKind::Int32:
    return f(int32_t());
  case CarrierKind::Int64:
    return f(int64_t());
  case CarrierKind::UInt64:
    return f(uint64_t());
  }
  llvm_unreachable("covered switch");
}

/// An integer as a double that rounds to any narrower float as the integer itself would:
/// what a double can't hold is folded into one lowest bit ("round to odd").
template <typename Int> double toStickyDouble(Int value) {
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

template <typename Tag, typename Carrier>
typename Tag::Lane convert(Carrier value, Overflow overflow,
                           ScaleRounding rounding) {
  using Lane = typename Tag::Lane;
  if constexpr (std::is_same_v<Lane, bool>) {
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
  } else if constexpr (std::is_floating_point_v<Lane> ||
                       std::is_integral_v<Carrier>) {
    return wrapLane<Tag::type>(static_cast<Lane>(value));
  } else if constexpr (std::is_same_v<Lane, uint64_t>) {
    return truncateToUInt64(value);
  } else if constexpr (sizeof(Lane) == 8 || std::is_same_v<Lane, uint32_t>) {
    return static_cast<Lane>(truncateToInt64(value));
  } else {
    return wrapLane<Tag::type>(static_cast<Lane>(truncateToInt32(value)));
  }
}

using Loop = void (*)(const void *from, void *to, size_t n,
                      CastOptions options);

template <typename Tag, typename Carrier>
void load(const void *from, void *to, size_t n, CastOptions) {
  const auto *in = static_cast<const typename Tag::Lane *>(from);
  auto *out = static_cast<Carrier *>(to);
  for (size_t i = 0; i < n; ++i) {
    if constexpr (isMiniFloat<typename Tag::Lane>)
      out[i] = in[i].toFloat();
    else
      out[i] = static_cast<Carrier>(in[i]);
  }
}

template <typename Tag, typename Carrier>
void store(const void *from, void *to, size_t n, CastOptions options) {
  const auto *in = static_cast<const Carrier *>(from);
  auto *out = static_cast<typename Tag::Lane *>(to);
  Overflow overflow = sizeof(typename Tag::Lane) == 1 && options.saturate
                          ? Overflow::Saturate
                          : Overflow::Special;
  for (size_t i = 0; i < n; ++i)
    out[i] = convert<Tag, Carrier>(in[i], overflow, options.scaleRounding);
}
} // namespace

static CarrierKind carrierOf(DataType type) {
  return dispatch(
      type, [](auto tag) { return carrierOf<typename decltype(tag)::Lane>(); });
}

/// Whether lanes of `type` are their own carrier.
static bool isCarrier(DataType type) {
  return withCarrier(carrierOf(type), [&](auto carrier) {
    return hasLane<decltype(carrier)>(type);
  });
}

static Loop loadLoop(DataType type) {
  return dispatch(type, [](auto tag) -> Loop {
    using Tag = decltype(tag);
    if constexpr (isNumericTag<Tag>)
      return withCarrier(carrierOf<typename Tag::Lane>(),
                         [](auto carrier) -> Loop {
                           using Carrier = decltype(carrier);
                           // The other four are never asked for.
                           if constexpr (carrierOf<typename Tag::Lane>() ==
                                         carrierOf<Carrier>())
                             return load<Tag, Carrier>;
                           else
                             return nullptr;
                         });
    else
      return nullptr;
  });
}

static Loop storeLoop(CarrierKind kind, DataType type) {
  return dispatch(type, [&](auto tag) -> Loop {
    using Tag = decltype(tag);
    if constexpr (isNumericTag<Tag>)
      return withCarrier(kind, [](auto carrier) -> Loop {
        return store<Tag, decltype(carrier)>;
      });
    else
      return nullptr;
  });
}

ElementwiseFunction invar::makeCast(DataType from, DataType to,
                                    CastOptions options) {
  assert(isNumeric(from) && isNumeric(to));
  CarrierKind carrier = carrierOf(from);
  Loop fill = isCarrier(from) ? nullptr : loadLoop(from);
  Loop drain = storeLoop(carrier, to);
  size_t fromSize = getLaneSize(from);
  size_t toSize = getLaneSize(to);
  auto kernel = [=](llvm::ArrayRef<const void *> operands, void *result,
                    size_t n) {
    if (!fill)
      return drain(operands[0], result, n, options);
    constexpr size_t step = 512;
    alignas(64) std::byte carried[step * sizeof(uint64_t)];
    const auto *in = static_cast<const char *>(operands[0]);
    auto *out = static_cast<char *>(result);
    for (size_t begin = 0; begin < n; begin += step) {
      size_t here = std::min(step, n - begin);
      fill(in + begin * fromSize, carried, here, options);
      drain(carried, out + begin * toSize, here, options);
    }
  };
  uint8_t parameters[] = {options.saturate,
                          static_cast<uint8_t>(options.scaleRounding)};
  return ElementwiseFunction("Cast", to, from, std::move(kernel), parameters);
}

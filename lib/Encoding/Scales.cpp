// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scales.h"

#include "invar-c/Encoding.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace invar;

/// The maximal number of elements of a constant to hold in memory.
static constexpr int64_t mostBlock = int64_t(16) << 20;

std::optional<int8_t> invar::unscale(float number, float scale) {
  float code = std::nearbyint(number / scale);
  // Written such that the condition holds for NaN.
  if (!(code >= -128 && code <= 127))
    return std::nullopt;
  if (invar_scale(int8_t(code), scale) != llvm::bit_cast<uint32_t>(number))
    return std::nullopt;
  return int8_t(code);
}

namespace {
/// Every `step`-th number of a block, from `first` on.
struct Lane {
  llvm::ArrayRef<float> block;
  size_t first, step;

  template <typename Predicate> bool allOf(Predicate predicate) const {
    for (size_t i = first; i < block.size(); i += step)
      if (!predicate(block[i]))
        return false;
    return true;
  }
  bool isScaledBy(float scale) const {
    return allOf([&](float number) { return bool(unscale(number, scale)); });
  }
};
} // namespace

/// Finds the scale of the numbers of a lane. The greatest number is the product of the
/// scale and some byte, so each byte is tried. Scales next to the quotient are tried
/// too, because the product was rounded.
static std::optional<float> findScale(const Lane &lane) {
  float greatest = 0;
  bool areFinite = lane.allOf([&](float number) {
    greatest = std::max(greatest, std::fabs(number));
    return std::isfinite(number);
  });
  if (!areFinite)
    return std::nullopt;
  if (greatest == 0)
    return lane.isScaledBy(1) ? std::optional(1.0f) : std::nullopt;
  for (int byte = 128; byte > 0; --byte) {
    float quotient = greatest / float(byte);
    auto isNear = [&](float number) {
      float code = number / quotient;
      return std::fabs(code - std::nearbyint(code)) < 1e-3f;
    };
    if (!std::isnormal(quotient) || !lane.allOf(isNear))
      continue;
    float less = std::nextafter(quotient, 0.0f);
    float more = std::nextafter(quotient, INFINITY);
    for (float scale : {quotient, less, more, std::nextafter(less, 0.0f),
                        std::nextafter(more, INFINITY)})
      if (lane.isScaledBy(scale))
        return scale;
  }
  return std::nullopt;
}

/// Finds scales for blocks of `lanes` lanes each.
static std::optional<Scales> findScales(const Elements &content, int64_t block,
                                        int64_t lanes,
                                        const EvalOptions &options) {
  int64_t count = content.numElements();
  Scales found{uint64_t(block), uint64_t(lanes), {}};
  std::vector<float> numbers(static_cast<size_t>(block));
  for (int64_t begin = 0; begin < count; begin += block) {
    content.read<float>(begin, llvm::MutableArrayRef<float>(numbers), options);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      std::optional<float> scale =
          findScale({numbers, size_t(lane), size_t(lanes)});
      if (!scale)
        return std::nullopt;
      found.scales.push_back(*scale);
    }
  }
  return found;
}

std::optional<Scales> invar::findScales(const Elements &content,
                                        const EvalOptions &options) {
  llvm::ArrayRef<int64_t> shape = content.getShape();
  int64_t count = content.numElements();
  if (content.getType() != DataType::Float32 || shape.size() < 2)
    return std::nullopt;
  int64_t row = count / shape.front(), last = shape.back();
  // Scales for each row, for each column of each panel, for each column.
  std::pair<int64_t, int64_t> candidates[] = {
      {row, 1}, {row, last}, {count, last}};
  for (auto [block, lanes] : candidates) {
    // A scale takes four bytes, so enough elements must share it.
    if (block > mostBlock || block / lanes < 8)
      continue;
    if (auto found = ::findScales(content, block, lanes, options))
      return found;
  }
  return std::nullopt;
}

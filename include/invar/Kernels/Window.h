// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window that slides over an image or, if transposed, generates an image. Images are
// row-major with any number of axes; a window has an entry for each axis.
#ifndef INVAR_KERNELS_WINDOW_H
#define INVAR_KERNELS_WINDOW_H

#include <algorithm>
#include <cstdint>
#include <span>

namespace invar::kernels {

struct WindowAxis {
  /// The size of the image, of the window in taps, and the number of window positions.
  /// For a transposed window, `image` is the number of positions, and `output` is the
  /// size of the generated image.
  int64_t image, kernel, output;
  int64_t stride, dilation, padBegin, padEnd;

  /// Whether sums and products of a few of these numbers fit into 64 bits, so that the
  /// kernels need not check.
  bool isCountable() const {
    constexpr int64_t limit = int64_t(1) << 60;
    auto isBelow = [](int64_t count, int64_t step) {
      int64_t product;
      return count >= 0 && step >= 1 &&
             !__builtin_mul_overflow(std::max<int64_t>(count, 1), step,
                                     &product) &&
             product < limit;
    };
    auto isShort = [](int64_t pad) { return pad > -limit && pad < limit; };
    return isShort(padBegin) && isShort(padEnd) && isBelow(kernel, dilation) &&
           isBelow(output, stride) && isBelow(image, stride);
  }

  /// The position of a tap if the window is at `place`. Positions outside of the image
  /// are in the padding.
  int64_t locate(int64_t place, int64_t tap) const {
    return place * stride + tap * dilation - padBegin;
  }
  /// The inverse: the place of the window whose tap generates element `place`; -1 if
  /// there is none.
  int64_t locateTransposed(int64_t place, int64_t tap) const {
    int64_t distance = place + padBegin - tap * dilation;
    if (distance < 0 || distance % stride != 0 || distance / stride >= image)
      return -1;
    return distance / stride;
  }

  struct Taps {
    int64_t from, to;
    int64_t count() const { return std::max<int64_t>(to - from, 0); }
  };
  /// The taps in [low, high), in coordinates of the image.
  Taps getTapsBetween(int64_t place, int64_t low, int64_t high) const {
    auto countBelow = [&](int64_t limit) {
      int64_t distance = limit - locate(place, 0);
      return distance <= 0 ? 0
                           : std::min((distance - 1) / dilation + 1, kernel);
    };
    return {countBelow(low), countBelow(high)};
  }
  /// The taps in the image, and those in the image and its padding.
  Taps getTaps(int64_t place) const { return getTapsBetween(place, 0, image); }
  Taps getPaddedTaps(int64_t place) const {
    return getTapsBetween(place, -padBegin, image + padEnd);
  }
};

using Window = std::span<const WindowAxis>;

/// The product of one size over all axes.
inline int64_t countOver(Window window, int64_t WindowAxis::*size) {
  int64_t product = 1;
  for (const WindowAxis &axis : window)
    product *= axis.*size;
  return product;
}

} // namespace invar::kernels

#endif // INVAR_KERNELS_WINDOW_H

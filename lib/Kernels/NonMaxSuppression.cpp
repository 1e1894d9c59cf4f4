// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/NonMaxSuppression.h"

#include "invar/Stop/Sort.h"

#include <algorithm>

namespace {
/// Areas do not depend on the order of the two axes.
template <typename T> struct Box {
  T low[2], high[2];

  Box(const T *numbers, bool isCentered) {
    for (int axis = 0; axis < 2; ++axis) {
      T a = numbers[axis], b = numbers[axis + 2];
      low[axis] = isCentered ? a - b / 2 : std::min(a, b);
      high[axis] = isCentered ? a + b / 2 : std::max(a, b);
    }
  }
  T area() const { return (high[0] - low[0]) * (high[1] - low[1]); }
};
} // namespace

/// Whether the intersection is more than this part of the union. Boxes without an area
/// do not overlap.
template <typename T>
static bool overlaps(const Box<T> &a, const Box<T> &b, T part) {
  T common = 1;
  for (int axis = 0; axis < 2; ++axis) {
    T low = std::max(a.low[axis], b.low[axis]);
    T high = std::min(a.high[axis], b.high[axis]);
    if (!(high > low))
      return false;
    common *= high - low;
  }
  T areaA = a.area(), areaB = b.area(), both = areaA + areaB - common;
  return common > 0 && areaA > 0 && areaB > 0 && both > 0 &&
         common / both > part;
}

template <typename T>
int64_t invar::kernels::chooseBoxes(const T *boxes, const T *scores,
                                    const BoxChoice<T> &choice,
                                    std::span<int64_t> chosen, Stop *stop) {
  size_t candidates = 0;
  for (size_t i = 0; i < chosen.size(); ++i)
    if (!choice.score || scores[i] > *choice.score)
      chosen[candidates++] = int64_t(i);
  // The best first; the first one of equal boxes; NaN last.
  auto isBetter = [&](int64_t i, int64_t j) {
    T a = scores[i], b = scores[j];
    bool isNumberA = a == a, isNumberB = b == b;
    if (isNumberA != isNumberB)
      return isNumberA;
    return isNumberA && a != b ? a > b : i < j;
  };
  if (!sortUnlessStopped(chosen.first(candidates), isBetter, stop))
    return 0;

  // Chosen boxes replace candidates that have already been processed.
  auto boxAt = [&](int64_t i) {
    return Box<T>(boxes + 4 * i, choice.isCentered);
  };
  size_t count = 0;
  for (size_t i = 0; i < candidates && int64_t(count) < choice.most; ++i) {
    if (stop && stop->isDue())
      break;
    Box<T> box = boxAt(chosen[i]);
    bool isFree =
        std::none_of(chosen.begin(), chosen.begin() + std::ptrdiff_t(count),
                     [&](int64_t better) {
                       return overlaps(boxAt(better), box, choice.overlap);
                     });
    if (isFree)
      chosen[count++] = chosen[i];
  }
  return int64_t(count);
}

template int64_t invar::kernels::chooseBoxes(const float *, const float *,
                                             const BoxChoice<float> &,
                                             std::span<int64_t>, invar::Stop *);
template int64_t invar::kernels::chooseBoxes(const double *, const double *,
                                             const BoxChoice<double> &,
                                             std::span<int64_t>, invar::Stop *);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Resample.h"

#include <algorithm>
#include <cmath>

using namespace invar::kernels;

/// The position of an index of the result.
template <typename T> static T locate(const ResizedAxis &axis, int64_t index) {
  T x = T(index), scale = T(axis.scale), from = T(axis.from);
  // Not axis.to, which is an integer.
  T to = scale * from;
  switch (axis.coordinates) {
  case Coordinates::HalfPixel:
    return (x + T(0.5)) / scale - T(0.5);
  case Coordinates::HalfPixelSymmetric: {
    T offset = from / 2 * (1 - T(axis.to) / to);
    return offset + (x + T(0.5)) / scale - T(0.5);
  }
  case Coordinates::PytorchHalfPixel:
    return axis.to > 1 ? (x + T(0.5)) / scale - T(0.5) : T(0);
  case Coordinates::AlignCorners:
    return axis.to > 1 && to != 1 ? x * (from - 1) / (to - 1) : T(0);
  case Coordinates::Asymmetric:
    return x / scale;
  case Coordinates::TfHalfPixelForNN:
    return (x + T(0.5)) / scale;
  case Coordinates::TfCropAndResize: {
    T start = T(axis.cropStart), end = T(axis.cropEnd);
    if (axis.to <= 1)
      return T(0.5) * (start + end) * (from - 1);
    return start * (from - 1) +
           x * (end - start) * (from - 1) / (T(axis.to) - 1);
  }
  }
  return 0;
}

/// Whether a position is outside of the cropped operand. True for NaN.
template <typename T> static bool isOutside(const ResizedAxis &axis, T x) {
  return axis.coordinates == Coordinates::TfCropAndResize &&
         !(x >= 0 && x <= T(axis.from - 1));
}

template <typename T> static T findNearest(T x, Nearest nearest) {
  switch (nearest) {
  case Nearest::HalfDown:
    return std::ceil(x - T(0.5));
  case Nearest::HalfUp:
    return std::floor(x + T(0.5));
  case Nearest::Floor:
    return std::floor(x);
  case Nearest::Ceil:
    return std::ceil(x);
  }
  return x;
}

/// An integral number as an index; NaN is 0.
template <typename T> static int64_t clampIndex(T x, int64_t size) {
  if (!(x > 0))
    return 0;
  return x < T(size - 1) ? static_cast<int64_t>(x) : size - 1;
}

std::vector<int64_t> invar::kernels::findNearest(const ResizedAxis &axis,
                                                 Nearest nearest) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < axis.to; ++i) {
    float x = locate<float>(axis, i);
    places.push_back(isOutside(axis, x)
                         ? -1
                         : clampIndex(::findNearest(x, nearest), axis.from));
  }
  return places;
}

/// The weight of an element at a distance, for a filter that is not widened.
static double weigh(const Filter &filter, double distance) {
  double x = std::abs(distance), a = filter.cubicCoefficient;
  if (filter.interpolation == Interpolation::Linear)
    return std::max(0.0, 1 - x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2)
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

Taps invar::kernels::findTaps(const ResizedAxis &axis, const Filter &filter) {
  Taps taps;
  double shrink = filter.antialias ? std::min(axis.scale, 1.0) : 1.0;
  double reach =
      (filter.interpolation == Interpolation::Linear ? 1 : 2) / shrink;
  // Beyond this distance, all neighbours are the outermost element.
  double farthest = double(axis.from) + 2 * reach;
  for (int64_t i = 0; i < axis.to; ++i) {
    double x = locate<double>(axis, i);
    taps.firsts.push_back(0);
    taps.ends.push_back(static_cast<int64_t>(taps.weights.size()));
    if (isOutside(axis, x))
      continue;
    x = std::clamp(std::isnan(x) ? 0 : x, -farthest, farthest);
    auto first = static_cast<int64_t>(std::floor(x - reach)) + 1;
    auto last = static_cast<int64_t>(std::ceil(x + reach)) - 1;
    int64_t firstInside = clampIndex(double(first), axis.from);
    int64_t lastInside = clampIndex(double(last), axis.from);
    size_t begin = taps.weights.size();
    taps.weights.resize(begin +
                        static_cast<size_t>(lastInside - firstInside + 1));
    double total = 0;
    for (int64_t j = first; j <= last; ++j) {
      int64_t inside = std::clamp(j, firstInside, lastInside);
      if (filter.excludeOutside && inside != j)
        continue;
      double weight = weigh(filter, (double(j) - x) * shrink);
      taps.weights[begin + static_cast<size_t>(inside - firstInside)] += weight;
      total += weight;
    }
    if ((filter.antialias || filter.excludeOutside) && total != 0)
      for (size_t k = begin; k < taps.weights.size(); ++k)
        taps.weights[k] /= total;
    taps.firsts.back() = firstInside;
    taps.ends.back() = static_cast<int64_t>(taps.weights.size());
  }
  return taps;
}

template <typename T>
void invar::kernels::resample(const T *data, int64_t from, int64_t inner,
                              const Taps &taps, T otherwise, int64_t firstRow,
                              int64_t lastRow, T *result) {
  auto to = static_cast<int64_t>(taps.firsts.size());
  for (int64_t row = firstRow; row < lastRow; ++row) {
    auto index = static_cast<size_t>(row % to);
    const T *source = data + (row / to * from + taps.firsts[index]) * inner;
    T *out = result + row * inner;
    int64_t begin = index == 0 ? 0 : taps.ends[index - 1];
    bool isEmpty = begin == taps.ends[index];
    std::fill(out, out + inner, isEmpty ? otherwise : T(0));
    for (int64_t k = begin; k < taps.ends[index]; ++k, source += inner) {
      T weight = T(taps.weights[static_cast<size_t>(k)]);
      if (weight == 0)
        continue; // Infinity and NaN must not contribute with a weight of 0.
      for (int64_t j = 0; j < inner; ++j)
        out[j] += weight * source[j];
    }
  }
}

template void invar::kernels::resample(const float *, int64_t, int64_t,
                                       const Taps &, float, int64_t, int64_t,
                                       float *);
template void invar::kernels::resample(const double *, int64_t, int64_t,
                                       const Taps &, double, int64_t, int64_t,
                                       double *);

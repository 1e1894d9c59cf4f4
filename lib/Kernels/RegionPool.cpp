// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/RegionPool.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace invar::kernels;

//===-- Max -------------------------------------------------------------------===//

/// Rounds a coordinate to the nearest integer, halves away from zero, and clamps it to
/// avoid overflow. NaN becomes 0.
template <typename T> static int64_t roundCorner(T corner, float scale) {
  constexpr T limit = T(1 << 29);
  T scaled = corner * T(scale);
  return scaled == scaled
             ? int64_t(std::round(std::clamp(scaled, -limit, limit)))
             : 0;
}

namespace {
struct Range {
  int64_t from, to;
};
} // namespace

/// The elements of part `i` of `parts` of [begin, end], including those that are only
/// partly in it, within an axis of `size`.
static Range cutPart(int64_t begin, int64_t end, int64_t i, int64_t parts,
                     int64_t size) {
  int64_t length = std::max<int64_t>(end - begin + 1, 1);
  // Split the quotients, because products of all these numbers would overflow.
  int64_t whole = length / parts, rest = length % parts;
  int64_t from = i * whole + i * rest / parts;
  int64_t to = (i + 1) * whole + ((i + 1) * rest + parts - 1) / parts;
  return {std::clamp<int64_t>(begin + from, 0, size),
          std::clamp<int64_t>(begin + to, 0, size)};
}

template <typename T>
void invar::kernels::maxRegionPool(const RegionGrid &grid, TensorRef<const T> x,
                                   const T *boxes, int64_t from, int64_t to,
                                   T *y) {
  int64_t channels = x.size(1), height = x.size(2), width = x.size(3);
  y += from * channels * grid.height * grid.width;
  for (int64_t number = from; number < to; ++number) {
    const T *box = boxes + number * 5;
    int64_t left = roundCorner(box[1], grid.scale);
    int64_t top = roundCorner(box[2], grid.scale);
    int64_t right = roundCorner(box[3], grid.scale);
    int64_t bottom = roundCorner(box[4], grid.scale);
    for (int64_t channel = 0; channel < channels; ++channel) {
      const T *image =
          x.data + (int64_t(box[0]) * channels + channel) * height * width;
      for (int64_t i = 0; i < grid.height; ++i)
        for (int64_t j = 0; j < grid.width; ++j) {
          Range rows = cutPart(top, bottom, i, grid.height, height);
          Range columns = cutPart(left, right, j, grid.width, width);
          bool isEmpty = rows.from >= rows.to || columns.from >= columns.to;
          T best = isEmpty ? T(0) : -T(INFINITY);
          for (int64_t row = rows.from; row < rows.to; ++row)
            for (int64_t column = columns.from; column < columns.to; ++column)
              best = std::max(best, image[row * width + column]);
          *y++ = best;
        }
    }
  }
}

//===-- Interpolated ----------------------------------------------------------===//

namespace {
/// One axis of a box: its begin, the length of a part, and the number of samples of a
/// part.
template <typename T> struct BoxAxis {
  T begin, part, samples;

  BoxAxis(T from, T to, int64_t parts, const RegionGrid &grid,
          const RegionSampling &sampling) {
    T offset = sampling.halfPixel ? T(0.5) : T(0);
    begin = from * T(grid.scale) - offset;
    T length = to * T(grid.scale) - offset - begin;
    // Boxes that are not shifted have a size of at least one.
    if (!sampling.halfPixel)
      length = std::max(length, T(1));
    part = length / T(parts);
    samples = sampling.ratio > 0 ? T(sampling.ratio) : std::ceil(part);
    if (!(samples > 0)) // A box may be inverted or contain NaN.
      samples = 0;
  }
  T locate(int64_t i, int64_t sample) const {
    return begin + T(i) * part + (T(sample) + T(0.5)) * part / samples;
  }
};

/// Two neighbours along an axis, and the weight of the second.
template <typename T> struct Neighbours {
  int64_t low, high;
  T weight;
  bool isInside;

  Neighbours(T at, int64_t size) : low(0), high(0), weight(0) {
    isInside = at >= T(-1) && at <= T(size);
    if (!isInside)
      return;
    at = std::max(at, T(0));
    low = std::min(int64_t(at), size - 1);
    high = std::min(low + 1, size - 1);
    weight = low == high ? T(0) : at - T(low);
  }
};

/// The elements around a sample and their weights.
template <typename T> struct AlignedSample {
  int64_t at[4];
  T weight[4];
};
} // namespace

template <typename T>
static AlignedSample<T> makeSample(const Neighbours<T> &y,
                                   const Neighbours<T> &x, int64_t width) {
  if (!y.isInside || !x.isInside)
    return {};
  return {{y.low * width + x.low, y.low * width + x.high,
           y.high * width + x.low, y.high * width + x.high},
          {(1 - y.weight) * (1 - x.weight), (1 - y.weight) * x.weight,
           y.weight * (1 - x.weight), y.weight * x.weight}};
}

template <typename T>
static std::pair<BoxAxis<T>, BoxAxis<T>>
axesOf(const RegionGrid &grid, const RegionSampling &sampling, const T *box) {
  return {BoxAxis<T>(box[1], box[3], grid.height, grid, sampling),
          BoxAxis<T>(box[0], box[2], grid.width, grid, sampling)};
}

template <typename T>
int64_t invar::kernels::countSamples(const RegionGrid &grid,
                                     const RegionSampling &sampling,
                                     const T *box) {
  auto [rows, columns] = axesOf(grid, sampling, box);
  T count = rows.samples * columns.samples * T(grid.height) * T(grid.width);
  return count < T(0x1p62) ? int64_t(count) : int64_t(1) << 62;
}

/// Adds one sample of a plane to the sum or maximum of a part.
template <typename T>
static void addSample(const AlignedSample<T> &sample, const T *plane,
                      bool takesMax, T &total) {
  for (int corner = 0; corner < 4; ++corner) {
    T value = sample.weight[corner] * plane[sample.at[corner]];
    total = takesMax ? std::max(total, value) : total + value;
  }
}

template <typename T>
void invar::kernels::alignRegions(const RegionGrid &grid,
                                  const RegionSampling &sampling,
                                  TensorRef<const T> x, const T *boxes,
                                  const int64_t *images, int64_t from,
                                  int64_t to, T *y) {
  int64_t channels = x.size(1), height = x.size(2), width = x.size(3);
  int64_t parts = grid.height * grid.width;
  for (int64_t number = from; number < to; ++number) {
    auto [rows, columns] = axesOf(grid, sampling, boxes + number * 4);
    const T *image = x.data + images[number] * channels * height * width;
    T *out = y + number * channels * parts;
    T count = rows.samples * columns.samples;
    // If one number is zero, the other may be out of range.
    int64_t down = count > 0 ? int64_t(rows.samples) : 0;
    int64_t right = count > 0 ? int64_t(columns.samples) : 0;
    std::fill_n(out, channels * parts,
                sampling.takesMax && count > 0 ? -T(INFINITY) : T(0));
    for (int64_t part = 0; part < parts; ++part)
      for (int64_t i = 0; i < down; ++i)
        for (int64_t j = 0; j < right; ++j) {
          AlignedSample<T> sample = makeSample(
              Neighbours<T>(rows.locate(part / grid.width, i), height),
              Neighbours<T>(columns.locate(part % grid.width, j), width),
              width);
          for (int64_t channel = 0; channel < channels; ++channel)
            addSample(sample, image + channel * height * width,
                      sampling.takesMax, out[channel * parts + part]);
        }
    if (!sampling.takesMax)
      for (int64_t i = 0; i < channels * parts; ++i)
        out[i] /= std::max(count, T(1));
  }
}

#define INVAR_REGION_POOL(T)                                                   \
  template void invar::kernels::maxRegionPool(const RegionGrid &,              \
                                              TensorRef<const T>, const T *,   \
                                              int64_t, int64_t, T *);          \
  template int64_t invar::kernels::countSamples(                               \
      const RegionGrid &, const RegionSampling &, const T *);                  \
  template void invar::kernels::alignRegions(                                  \
      const RegionGrid &, const RegionSampling &, TensorRef<const T>,          \
      const T *, const int64_t *, int64_t, int64_t, T *);
INVAR_REGION_POOL(float)
INVAR_REGION_POOL(double)

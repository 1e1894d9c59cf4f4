// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/GridSample.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace invar::kernels;

/// Converts a position in [-1, 1] to pixels.
template <typename T>
static T toPixels(const GridSampling &sampling, T position, int64_t size) {
  if (sampling.alignCorners)
    return (position + 1) / 2 * T(size - 1);
  return ((position + 1) * T(size) - 1) / 2;
}

/// The edge of an image: its first pixel, or half a pixel before it.
template <typename T> static T findEdge(const GridSampling &sampling) {
  return sampling.alignCorners ? T(0) : T(-0.5);
}

/// Mirrors a position at the ends of an axis until it is inside.
template <typename T>
static T reflect(const GridSampling &sampling, T x, int64_t size) {
  T low = findEdge<T>(sampling);
  T high = T(size - 1) - low, range = high - low;
  if (range <= 0)
    return 0;
  if (x >= low && x <= high)
    return x;
  T beyond = x < low ? low - x : x - high;
  T rest = std::fmod(beyond, range);
  bool isEven = std::fmod(std::floor(beyond / range), T(2)) == 0;
  return (x < low) == isEven ? low + rest : high - rest;
}

/// Moves a position into the image, if the padding mode does that.
template <typename T>
static T bringInside(const GridSampling &sampling, T x, int64_t size) {
  switch (sampling.outside) {
  case Outside::Zeros:
    return x;
  case Outside::Border: {
    // Keep positions between the edge and its pixel: cubic weights depend on them.
    T edge = findEdge<T>(sampling);
    if (x >= edge && x <= T(size - 1) - edge)
      return x;
    return std::clamp(x, T(0), T(size - 1));
  }
  case Outside::Reflection:
    return reflect(sampling, x, size);
  }
  return x;
}

/// The pixel for an integral position, -1 if there is none. NaN is the first pixel,
/// unless the outside is zeros.
template <typename T>
static int64_t findPixel(const GridSampling &sampling, T number, int64_t size) {
  T inside = bringInside(sampling, number, size);
  if (sampling.outside == Outside::Zeros &&
      !(inside >= 0 && inside <= T(size - 1)))
    return -1;
  // The last number may be rounded up as a float, past the end.
  if (!(inside > 0))
    return 0;
  return inside < T(size - 1) ? static_cast<int64_t>(inside) : size - 1;
}

template <typename T>
int64_t invar::kernels::findNearestPixel(const GridSampling &sampling,
                                         Sizes image, const T *position) {
  int64_t pixel = 0;
  for (size_t axis = 0; axis < image.size(); ++axis) {
    T x = toPixels(sampling, position[image.size() - 1 - axis], image[axis]);
    int64_t index = findPixel(sampling, std::nearbyint(x), image[axis]);
    if (index < 0)
      return -1;
    pixel = pixel * image[axis] + index;
  }
  return pixel;
}

template <typename T> static void weighCubic(T x, T *weights) {
  constexpr T a = T(-0.75);
  auto near = [](T d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  auto far = [](T d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  weights[0] = far(x + 1);
  weights[1] = near(x);
  weights[2] = near(1 - x);
  weights[3] = far(2 - x);
}

namespace {
/// The pixels near a position, for each axis: 2 or 4, with their offsets in memory and
/// weights.
template <typename T> struct Neighbours {
  int64_t offsets[maxImageRank][4];
  T weights[maxImageRank][4];
};

/// The pixels of all combinations of neighbours, without those outside.
template <typename T> struct Stencil {
  std::vector<int64_t> offsets;
  std::vector<T> weights;

  void add(const Neighbours<T> &near, size_t rank, int taps, size_t axis,
           int64_t offset, T weight) {
    if (axis == rank) {
      offsets.push_back(offset);
      weights.push_back(weight);
      return;
    }
    for (int k = 0; k < taps; ++k)
      if (near.offsets[axis][k] >= 0)
        add(near, rank, taps, axis + 1, offset + near.offsets[axis][k],
            weight * near.weights[axis][k]);
  }
};
} // namespace

template <typename T>
void invar::kernels::sampleGrid(const GridSampling &sampling, Sizes image,
                                int64_t channels, const T *data,
                                const T *positions, int64_t count,
                                int64_t resultStride, T *result) {
  size_t rank = image.size();
  int taps = sampling.isCubic ? 4 : 2;
  int64_t pixels = 1;
  for (int64_t size : image)
    pixels *= size;
  Stencil<T> stencil;
  for (int64_t i = 0; i < count; ++i) {
    Neighbours<T> near;
    int64_t stride = pixels;
    for (size_t axis = 0; axis < rank; ++axis) {
      stride /= image[axis];
      T position = positions[i * static_cast<int64_t>(rank) +
                             static_cast<int64_t>(rank - 1 - axis)];
      T x = bringInside(sampling, toPixels(sampling, position, image[axis]),
                        image[axis]);
      T base = std::floor(x), rest = x - base;
      if (sampling.isCubic) {
        weighCubic(rest, near.weights[axis]);
      } else {
        near.weights[axis][0] = 1 - rest;
        near.weights[axis][1] = rest;
      }
      for (int k = 0; k < taps; ++k) {
        int64_t pixel =
            findPixel(sampling, base + T(k - (taps / 2 - 1)), image[axis]);
        near.offsets[axis][k] = pixel < 0 ? -1 : pixel * stride;
      }
    }
    stencil.offsets.clear();
    stencil.weights.clear();
    stencil.add(near, rank, taps, 0, 0, T(1));
    for (int64_t channel = 0; channel < channels; ++channel) {
      const T *source = data + channel * pixels;
      T sum = 0;
      for (size_t k = 0; k < stencil.offsets.size(); ++k)
        sum += stencil.weights[k] * source[stencil.offsets[k]];
      result[channel * resultStride + i] = sum;
    }
  }
}

template int64_t invar::kernels::findNearestPixel(const GridSampling &, Sizes,
                                                  const float *);
template int64_t invar::kernels::findNearestPixel(const GridSampling &, Sizes,
                                                  const double *);
template void invar::kernels::sampleGrid(const GridSampling &, Sizes, int64_t,
                                         const float *, const float *, int64_t,
                                         int64_t, float *);
template void invar::kernels::sampleGrid(const GridSampling &, Sizes, int64_t,
                                         const double *, const double *,
                                         int64_t, int64_t, double *);

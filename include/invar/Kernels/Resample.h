// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resizes one axis; an image is resized one axis after the other. Each index of the
// result has a position between the elements of the operand. It is computed from the
// elements near that position: from one element, or as a weighted sum.
//
// Example: 2 elements a b become 4 ("half_pixel"). Index 1 is at (1 + 0.5) / 2 - 0.5 =
// 0.25, so it is a for nearest, and 0.75 a + 0.25 b for linear interpolation.
#ifndef INVAR_KERNELS_RESAMPLE_H
#define INVAR_KERNELS_RESAMPLE_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace invar::kernels {

/// How an index of the result is mapped to a position. The names are the standard's
/// modes.
enum class Coordinates : uint8_t {
  HalfPixel,
  HalfPixelSymmetric,
  PytorchHalfPixel,
  AlignCorners,
  Asymmetric,
  TfCropAndResize,
  TfHalfPixelForNN,
};

enum class Nearest : uint8_t { HalfDown, HalfUp, Floor, Ceil };

enum class Interpolation : uint8_t { Linear, Cubic };

struct ResizedAxis {
  int64_t from, to; ///< Sizes; neither is 0.
  double scale;     ///< About to / from: the requested scale.
  Coordinates coordinates;
  double cropStart, cropEnd; ///< For TfCropAndResize: the part to resize.

  /// The positions of an axis are stored in a table, so its size is limited.
  static constexpr int64_t mostPlaces = int64_t(1) << 26;

  bool isUnchanged() const {
    return scale == 1 && from == to && cropStart == 0 && cropEnd == 1 &&
           coordinates != Coordinates::TfHalfPixelForNN;
  }
};

/// The scale that makes `to` of `from`.
inline double getScale(int64_t from, int64_t to) {
  return from ? double(to) / double(from) : 1;
}

/// Whether axes are scaled each by itself, or all by the least or greatest scale.
enum class Aspect : uint8_t { Stretch, Least, Greatest };

template <typename Scales> void keepAspect(Aspect aspect, Scales &scales) {
  if (aspect == Aspect::Stretch || scales.empty())
    return;
  auto [least, greatest] = std::minmax_element(scales.begin(), scales.end());
  double common = aspect == Aspect::Least ? *least : *greatest;
  std::fill(scales.begin(), scales.end(), common);
}

/// The element for each index, -1 for a position outside of the cropped operand.
/// Positions are computed as floats, as runtimes do; this matters halfway between two
/// elements.
std::vector<int64_t> findNearest(const ResizedAxis &axis, Nearest nearest);

/// The weighted sum of each index: elements [first, first + n) of the operand and their
/// weights. A position outside of the cropped operand has no weights.
struct Taps {
  std::vector<int64_t> firsts;
  std::vector<int64_t> ends; ///< The end of the weights of each index.
  std::vector<double> weights;
};

struct Filter {
  Interpolation interpolation;
  double cubicCoefficient;
  /// Widen the filter if the axis shrinks, so that all elements count.
  bool antialias;
  /// Elements outside have no weight; otherwise they are equal to the outermost ones.
  bool excludeOutside;
};

Taps findTaps(const ResizedAxis &axis, const Filter &filter);

/// Computes rows [firstRow, lastRow) of the result, which is outer x axis x inner; a
/// row has `inner` elements. Indices without weights become `otherwise`.
template <typename T>
void resample(const T *data, int64_t from, int64_t inner, const Taps &taps,
              T otherwise, int64_t firstRow, int64_t lastRow, T *result);

} // namespace invar::kernels

#endif // INVAR_KERNELS_RESAMPLE_H

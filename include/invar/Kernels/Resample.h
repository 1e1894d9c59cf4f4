// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resizing of one axis; an image is resized one axis after the other. Each index of the
// result lies at a position between the elements of the operand, and is made of those near
// to it: one, or a sum by weight.
//
// Worked example: 2 elements a b become 4 ("half_pixel"). Index 1 is at (1 + 0.5) / 2 - 0.5
// = 0.25, so it is a if the nearest is taken, and 0.75 a + 0.25 b if between them is a line.
#ifndef INVAR_KERNELS_RESAMPLE_H
#define INVAR_KERNELS_RESAMPLE_H

#include <cstdint>
#include <vector>

namespace invar::kernels {

/// How an index of the result becomes a position; named after the standard's modes.
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
  double scale;     ///< About to / from: what was asked for.
  Coordinates coordinates;
  double cropStart, cropEnd; ///< Of TfCropAndResize: the part that is resized.
};

/// The element that each index takes, -1 for one that lies outside of what is cropped from.
/// Positions are computed as floats: runtimes do so, and it shows half-way between two.
std::vector<int64_t> findNearest(const ResizedAxis &axis, Nearest nearest);

/// What each index is a sum of: elements [first, first + n) of the operand, by weight. One
/// that lies outside of what is cropped from has no weights.
struct Taps {
  std::vector<int64_t> firsts;
  std::vector<int64_t> ends; ///< Of the weights of each index.
  std::vector<double> weights;
};

struct Filter {
  Interpolation interpolation;
  double cubicCoefficient;
  /// Widened where the axis shrinks, so that all elements count.
  bool antialias;
  /// Elements outside have no weight; else the outermost stand for them.
  bool excludeOutside;
};

Taps findTaps(const ResizedAxis &axis, const Filter &filter);

/// Rows [firstRow, lastRow) of the result, which is outer x axis x inner: a row is all of
/// `inner`. Indices without weights become `otherwise`.
template <typename T>
void resample(const T *data, int64_t from, int64_t inner, const Taps &taps,
              T otherwise, int64_t firstRow, int64_t lastRow, T *result);

} // namespace invar::kernels

#endif // INVAR_KERNELS_RESAMPLE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples images at given positions. Positions along an axis are in [-1, 1], from one
// end of the image to the other. Outside of the image there are zeros, the nearest end,
// or the image mirrored at its ends.
#ifndef INVAR_KERNELS_GRIDSAMPLE_H
#define INVAR_KERNELS_GRIDSAMPLE_H

#include "invar/Kernels/Tensor.h"

namespace invar::kernels {

enum class Outside : uint8_t { Zeros, Border, Reflection };

struct GridSampling {
  /// Whether -1 and 1 are the centers of the outermost pixels, or their outer edges.
  bool alignCorners;
  Outside outside;
  bool isCubic; ///< Otherwise linear.
};

/// The number of the pixel nearest to a position, in row-major order; -1 if there is
/// none. The sizes of the image are at least 1. Positions begin with the last axis.
/// Computed in T, because rounding matters halfway between two pixels.
template <typename T>
int64_t findNearestPixel(const GridSampling &sampling, Sizes image,
                         const T *position);

/// The maximal rank of an image: each axis multiplies the number of pixels by 2 or 4.
inline constexpr int64_t maxImageRank = 8;

/// Samples `channels` images at `count` positions. The result is channels x count.
template <typename T>
void sampleGrid(const GridSampling &sampling, Sizes image, int64_t channels,
                const T *data, const T *positions, int64_t count,
                int64_t resultStride, T *result);

} // namespace invar::kernels

#endif // INVAR_KERNELS_GRIDSAMPLE_H

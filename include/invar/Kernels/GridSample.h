// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images sampled at given positions. Positions along an axis are in [-1, 1], from one end of
// the image to the other; what lies outside is empty, or the nearest end, or the image
// mirrored at its ends.
#ifndef INVAR_KERNELS_GRIDSAMPLE_H
#define INVAR_KERNELS_GRIDSAMPLE_H

#include "invar/Kernels/Tensor.h"

namespace invar::kernels {

enum class Outside : uint8_t { Zeros, Border, Reflection };

struct GridSampling {
  /// Whether -1 and 1 are the centers of the outermost pixels, or their outer edges.
  bool alignCorners;
  Outside outside;
  bool isCubic; ///< Else linear.
};

/// The pixel of an image of these sizes, at least 1 each, that is nearest to a position: its
/// number in row-major order, -1 for none. Positions begin with the last axis.
/// Computed in T, since rounding shows half-way between two.
template <typename T>
int64_t findNearestPixel(const GridSampling &sampling, Sizes image,
                         const T *position);

/// The most axes that an image can have: each makes 2 or 4 times as many pixels count.
inline constexpr int64_t maxImageRank = 8;

/// Samples `channels` images of these sizes at `count` positions: result is channels x count.
template <typename T>
void sampleGrid(const GridSampling &sampling, Sizes image, int64_t channels,
                const T *data, const T *positions, int64_t count,
                int64_t resultStride, T *result);

} // namespace invar::kernels

#endif // INVAR_KERNELS_GRIDSAMPLE_H

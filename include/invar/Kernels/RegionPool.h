// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling over boxes of images N x C x H x W. Boxes are rows of numbers.
#ifndef INVAR_KERNELS_REGIONPOOL_H
#define INVAR_KERNELS_REGIONPOOL_H

#include "invar/Kernels/Tensor.h"

namespace invar::kernels {

/// Boxes are divided into `height` x `width` parts each, after their corners are
/// multiplied by `scale`.
struct RegionGrid {
  int64_t height, width;
  float scale;
};

/// The greatest element of each part of boxes [from, to), 0 if a part is empty. A box
/// is [image, x1, y1, x2, y2]; its corners are rounded and belong to it. The caller has
/// checked that the images exist in `x`. For K boxes, `y` is K x C x height x width.
template <typename T>
void maxRegionPool(const RegionGrid &grid, TensorRef<const T> x, const T *boxes,
                   int64_t from, int64_t to, T *y);

struct RegionSampling {
  /// Samples of a part along each axis; 0 for as many as it has elements.
  int64_t ratio;
  /// Whether the centers of elements are at halves, so that boxes are shifted by one
  /// half.
  bool halfPixel;
  /// Whether to use the greatest product of an element and its weight instead of the
  /// mean.
  bool takesMax;
};

/// The number of samples of all parts of a box [x1, y1, x2, y2], at most 2^62.
template <typename T>
int64_t countSamples(const RegionGrid &grid, const RegionSampling &sampling,
                     const T *box);

/// Interpolated samples of the parts of boxes [from, to). `images` has the image of
/// each box, which the caller has checked.
template <typename T>
void alignRegions(const RegionGrid &grid, const RegionSampling &sampling,
                  TensorRef<const T> x, const T *boxes, const int64_t *images,
                  int64_t from, int64_t to, T *y);

} // namespace invar::kernels

#endif // INVAR_KERNELS_REGIONPOOL_H

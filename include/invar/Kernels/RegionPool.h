// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools over boxes of images N x C x H x W, given in rows of numbers.
#ifndef INVAR_KERNELS_REGIONPOOL_H
#define INVAR_KERNELS_REGIONPOOL_H

#include "invar/Kernels/Tensor.h"

namespace invar::kernels {

/// How boxes are cut, `height` x `width` parts each, after their corners were multiplied by
/// `scale`.
struct RegionGrid {
  int64_t height, width;
  float scale;
};

/// The greatest element of each part of boxes [from, to), 0 where there is none. A box is
/// [image, x1, y1, x2, y2]; its corners are rounded and belong to it. The images have been
/// checked to be those of `x`. Of K boxes, `y` is K x C x height x width.
template <typename T>
void maxRegionPool(const RegionGrid &grid, TensorRef<const T> x, const T *boxes,
                   int64_t from, int64_t to, T *y);

struct RegionSampling {
  /// Samples of a part along each axis; 0 for as many as it has elements.
  int64_t ratio;
  /// Whether elements have their centers at halves, so that boxes are moved by one.
  bool halfPixel;
  /// The greatest product of an element and its weight instead of the mean.
  bool takesMax;
};

/// How many samples all parts of a box [x1, y1, x2, y2] take together; more than 2^62
/// count as that.
template <typename T>
int64_t countSamples(const RegionGrid &grid, const RegionSampling &sampling,
                     const T *box);

/// Samples of the parts of boxes [from, to), interpolated; `images` says which image each
/// box is of, and has been checked.
template <typename T>
void alignRegions(const RegionGrid &grid, const RegionSampling &sampling,
                  TensorRef<const T> x, const T *boxes, const int64_t *images,
                  int64_t from, int64_t to, T *y);

} // namespace invar::kernels

#endif // INVAR_KERNELS_REGIONPOOL_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_DEFORMCONV_H
#define INVAR_KERNELS_DEFORMCONV_H

#include "invar/Kernels/Convolution.h"

namespace invar::kernels {

/// A convolution over two axes with displaced taps. `offsets`, N x offsetGroups x taps
/// x 2 (down, right) x positions, are the displacements. `masks`, N x offsetGroups x
/// taps x positions, are the weights of the taps; null means 1. Values between elements
/// are interpolated; outside of the image there are zeros.
template <typename T> struct DeformedTaps {
  int64_t offsetGroups;
  const T *offsets, *masks;
};

/// Computes blocks [from, to) of countConvolutionBlocks(), like convolve(). For T and
/// Result float and double; sums are computed in double.
template <typename T, typename Result>
void convolveDeformed(const Convolution &convolution,
                      const DeformedTaps<T> &taps, const T *x, const T *w,
                      const T *bias, int64_t from, int64_t to, Result *y);

} // namespace invar::kernels

#endif // INVAR_KERNELS_DEFORMCONV_H

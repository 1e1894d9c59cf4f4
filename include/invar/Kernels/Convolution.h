// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and transposed convolutions of any number of axes. They are matrix products
// whose right side is never made: weights (features x taps and channels) times the elements
// under the window (taps and channels x places), which are gathered block by block when they
// are packed for multiplication.
#ifndef INVAR_KERNELS_CONVOLUTION_H
#define INVAR_KERNELS_CONVOLUTION_H

#include "invar/Kernels/Window.h"

namespace invar::kernels {

struct Convolution {
  Window window;
  int64_t batch, groups;
  /// Of each group: channels of the input, features of the result.
  int64_t channels, features;
  /// Whether elements are spread by the window instead of gathered. The weights are then
  /// channels x features x taps, and else features x channels x taps.
  bool transposed = false;
};

/// In how many independent parts the result can be computed.
int64_t countConvolutionBlocks(const Convolution &convolution);

/// Computes blocks [from, to) of y, which is N x features x places, from x and weights w;
/// `bias` has an element for each feature of each group, or is null. Sums of floats are made
/// in double and rounded once, integers wrap. For T and Result as matMul() has them.
template <typename T, typename Result>
void convolve(const Convolution &convolution, const T *x, const T *w,
              const T *bias, int64_t from, int64_t to, Result *y);

} // namespace invar::kernels

#endif // INVAR_KERNELS_CONVOLUTION_H

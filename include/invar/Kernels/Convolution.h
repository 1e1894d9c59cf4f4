// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and transposed convolutions of any number of axes. They are matrix
// products whose right operand is never materialized: weights (features x taps and
// channels) times the elements under the window (taps and channels x positions). The
// elements are gathered block by block when they are packed for multiplication.
#ifndef INVAR_KERNELS_CONVOLUTION_H
#define INVAR_KERNELS_CONVOLUTION_H

#include "invar/Kernels/Window.h"

namespace invar::kernels {

struct Convolution {
  Window window;
  int64_t batch, groups;
  /// For each group: channels of the input, features of the result.
  int64_t channels, features;
  /// Whether the window scatters elements instead of gathering them. Then the weights
  /// are channels x features x taps; otherwise features x channels x taps.
  bool transposed = false;
};

/// The number of independent parts in which the result can be computed.
int64_t countConvolutionBlocks(const Convolution &convolution);

/// Computes blocks [from, to) of y, which is N x features x positions, from x and
/// weights w. `bias` has one element for each feature of each group, or is null. Sums
/// of floats are computed in double and rounded once; integers wrap. T and Result are
/// as in matMul().
template <typename T, typename Result>
void convolve(const Convolution &convolution, const T *x, const T *w,
              const T *bias, int64_t from, int64_t to, Result *y);

} // namespace invar::kernels

#endif // INVAR_KERNELS_CONVOLUTION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is made of the elements under a moving window. Each function computes planes
// [from, to) of a result from as many planes, one for each channel of each image.
#ifndef INVAR_KERNELS_POOL_H
#define INVAR_KERNELS_POOL_H

#include "invar/Kernels/Tensor.h"
#include "invar/Kernels/Window.h"

namespace invar::kernels {

/// The mean, in which places of the padding count as zeros if so said.
template <typename T>
void averagePool(Window window, bool countPadding, const T *x, int64_t from,
                 int64_t to, T *y);

/// The p-norm.
template <typename T>
void normPool(Window window, int64_t p, const T *x, int64_t from, int64_t to,
              T *y);

/// The greatest element, or NaN if one is.
template <typename T>
void maxPool(Window window, const T *x, int64_t from, int64_t to, T *y);

/// Where that is, counted over all planes of x, each row by row or, with `byColumns`, with
/// the first axis running fastest; of equal ones the first. -1 for a window in the padding.
template <typename T>
void locateMax(Window window, bool byColumns, const T *x, int64_t from,
               int64_t to, int64_t *places);

} // namespace invar::kernels

#endif // INVAR_KERNELS_POOL_H

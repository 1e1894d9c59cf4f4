// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling: functions of the elements under a moving window. Each function computes
// planes [from, to) of a result from the same planes of x, one for each channel of each
// image.
#ifndef INVAR_KERNELS_POOL_H
#define INVAR_KERNELS_POOL_H

#include "invar/Kernels/Tensor.h"
#include "invar/Kernels/Window.h"

namespace invar::kernels {

/// The mean. If `countPadding` is true, positions in the padding count as zeros.
template <typename T>
void averagePool(Window window, bool countPadding, const T *x, int64_t from,
                 int64_t to, T *y);

/// The p-norm.
template <typename T>
void normPool(Window window, int64_t p, const T *x, int64_t from, int64_t to,
              T *y);

/// The greatest element, or NaN if there is a NaN.
template <typename T>
void maxPool(Window window, const T *x, int64_t from, int64_t to, T *y);

/// The index of the greatest element, counted over all planes of x. Within a plane the
/// last axis varies fastest or, with `byColumns`, the first axis. Among equal elements,
/// the first one. -1 for a window that is completely in the padding.
template <typename T>
void locateMax(Window window, bool byColumns, const T *x, int64_t from,
               int64_t to, int64_t *places);

} // namespace invar::kernels

#endif // INVAR_KERNELS_POOL_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_COL2IM_H
#define INVAR_KERNELS_COL2IM_H

#include "invar/Kernels/Window.h"

namespace invar::kernels {

/// Adds up the blocks of images [from, to). `columns` has, for each image, the taps of
/// the window times its positions. `images` have the sizes of the window. For float,
/// double, int64_t and uint64_t; integers wrap.
template <typename T>
void addBlocks(Window window, const T *columns, int64_t from, int64_t to,
               T *images);

} // namespace invar::kernels

#endif // INVAR_KERNELS_COL2IM_H

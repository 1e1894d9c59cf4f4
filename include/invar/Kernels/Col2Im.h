// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_COL2IM_H
#define INVAR_KERNELS_COL2IM_H

#include "invar/Kernels/Window.h"

namespace invar::kernels {

/// Adds the blocks of images [from, to) together: `columns` has for each image the taps of
/// the window times the places where it stands, and `images` are as the window has them.
/// For float, double, int64_t and uint64_t, which wraps.
template <typename T>
void addBlocks(Window window, const T *columns, int64_t from, int64_t to,
               T *images);

} // namespace invar::kernels

#endif // INVAR_KERNELS_COL2IM_H

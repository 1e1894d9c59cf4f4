// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window of a pool or convolution, which the compiler has computed from the
// operator's attributes: an operand of int64 with a row for each spatial axis, which has
// the members of kernels::WindowAxis in their order.
#ifndef INVAR_RUNTIME_CALLS_WINDOW_H
#define INVAR_RUNTIME_CALLS_WINDOW_H

#include "../CallContext.h"
#include "invar/Kernels/Window.h"

#include <vector>

namespace invar::runtime {

using WindowAxes = std::vector<kernels::WindowAxis>;

/// Reads a window over an image with these spatial sizes. Fails if it is for another
/// image, or if its sizes are invalid or too large to count with.
Status readWindow(const CallContext &call, size_t operand, Sizes image,
                  WindowAxes &window);

/// The same for any image.
Status readWindow(const CallContext &call, size_t operand, WindowAxes &window);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_WINDOW_H

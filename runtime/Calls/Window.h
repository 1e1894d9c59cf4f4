// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the window of a pool or convolution from its attributes and resolves the
// optional ones: strides and dilations default to 1, pads to 0, and `auto_pad` becomes
// pads.
#ifndef INVAR_RUNTIME_CALLS_WINDOW_H
#define INVAR_RUNTIME_CALLS_WINDOW_H

#include "../CallContext.h"
#include "invar/Kernels/Window.h"

#include <vector>

namespace invar::runtime {

using WindowAxes = std::vector<kernels::WindowAxis>;

/// How to treat a window that extends beyond the padded image.
enum class Overhang {
  /// Convolutions: an error if it is the only window, otherwise left out.
  None,
  /// Pools: left out too, but the count is a quotient rounded towards zero. So a window
  /// that overhangs by less than a stride counts if it is the only one.
  Truncated,
  /// Pools with `ceil_mode`: it counts unless it begins in the padding after the image.
  Counted,
};

/// Computes a window that slides over `image`, the sizes of the spatial axes. Fails if
/// it does not fit, or if its sizes are invalid or too large to count with.
Status slideOver(const CallContext &call, Sizes image, Sizes kernel,
                 Overhang overhang, WindowAxes &window);

/// The inverse: computes the image sizes from the number of window positions.
Status spreadOver(const CallContext &call, Sizes places, Sizes kernel,
                  WindowAxes &window);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_WINDOW_H

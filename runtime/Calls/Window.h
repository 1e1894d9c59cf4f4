// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window of a pool or convolution as its attributes have it. What they may leave open
// is settled here: strides and dilations are 1 and pads 0 unless given, and `auto_pad`
// becomes pads.
#ifndef INVAR_RUNTIME_CALLS_WINDOW_H
#define INVAR_RUNTIME_CALLS_WINDOW_H

#include "../CallContext.h"
#include "invar/Kernels/Window.h"

#include <vector>

namespace invar::runtime {

using WindowAxes = std::vector<kernels::WindowAxis>;

/// What becomes of a window that does not lie within the padded image.
enum class Overhang {
  /// An error if it is the only one, else left out: convolutions.
  None,
  /// Left out too, but the count is a quotient rounded towards zero: one that overhangs by
  /// less than a stride stands if it is the only one. Pools.
  Truncated,
  /// It counts unless it begins in the padding after the image. Pools with `ceil_mode`.
  Counted,
};

/// A window that slides over `image`, the sizes of the spatial axes. Fails where it does not
/// fit, or its sizes are no sizes or too many to count with.
Status slideOver(const CallContext &call, Sizes image, Sizes kernel,
                 Overhang overhang, WindowAxes &window);

/// The inverse: what images are made of so many places of a window.
Status spreadOver(const CallContext &call, Sizes places, Sizes kernel,
                  WindowAxes &window);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_WINDOW_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_LIB_LAYOUT_PANELS_H
#define INVAR_LIB_LAYOUT_PANELS_H

#include <cstdint>

namespace invar {

/// The width of the panels of a factor with few columns: `panel`, halved as long as half
/// of it holds all columns, but not below `narrowest`. So there is little padding.
inline int64_t fitPanel(int64_t panel, int64_t narrowest, int64_t columns) {
  while (panel > narrowest && panel / 2 >= columns)
    panel /= 2;
  return panel;
}

} // namespace invar

#endif // INVAR_LIB_LAYOUT_PANELS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long simple loops that can be stopped. Use these where one loop over a tensor, or the
// first touch of its memory, takes longer than a stop may take.
#ifndef INVAR_STOP_PIECES_H
#define INVAR_STOP_PIECES_H

#include "invar/Stop/Scope.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace invar {

/// A loop over this many elements takes much less than a millisecond.
inline constexpr size_t pieceSize = 1 << 14;

/// Calls `run(first, last)` for pieces of [0, count). If it is stopped, returns false
/// and leaves out the rest.
template <typename Run> bool forPieces(size_t count, Run run) {
  for (size_t first = 0; first < count; first += pieceSize) {
    if (StopScope::isDue())
      return false;
    run(first, std::min(first + pieceSize, count));
  }
  return true;
}

/// Gives a vector `count` elements, the new ones zero. If it is stopped, returns false
/// and leaves fewer. The system provides memory at the first touch, which takes longer
/// than filling it.
template <typename T, typename Allocator>
bool resizeUnlessStopped(std::vector<T, Allocator> &items, size_t count) {
  items.reserve(count);
  if (items.size() > count)
    items.resize(count);
  size_t before = items.size();
  return forPieces(count - before,
                   [&](size_t, size_t last) { items.resize(before + last); });
}

} // namespace invar

#endif // INVAR_STOP_PIECES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting that can be stopped.
#ifndef INVAR_STOP_SORT_H
#define INVAR_STOP_SORT_H

#include "invar/Stop/Stop.h"

#include <span>
#include <utility>
#include <vector>

namespace invar {

/// Sorts by `isBefore`, by which no two items are equal. False, with the items in any order
/// and perhaps not all of them, where it is stopped. `stop` may be null.
template <typename T, typename IsBefore>
bool sortUnlessStopped(std::span<T> items, IsBefore isBefore, Stop *stop) {
  // So many take less than a millisecond.
  constexpr size_t piece = 4096;
  size_t size = items.size();
  if (!stop || size <= piece) {
    std::sort(items.begin(), items.end(), isBefore);
    return true;
  }
  for (size_t i = 0; i < size; i += piece) {
    if (stop->isDue())
      return false;
    auto run = items.subspan(i, std::min(piece, size - i));
    std::sort(run.begin(), run.end(), isBefore);
  }
  // Runs of one length after the other are merged by twos.
  std::vector<T> others(size);
  T *from = items.data(), *to = others.data();
  for (size_t length = piece; length < size; length *= 2) {
    for (size_t i = 0; i < size; i += 2 * length) {
      T *a = from + i, *aEnd = from + std::min(i + length, size);
      T *b = aEnd, *bEnd = from + std::min(i + 2 * length, size);
      T *out = to + i;
      while (a != aEnd && b != bEnd) {
        if (stop->isDue())
          return false;
        for (size_t left = piece; left && a != aEnd && b != bEnd; --left)
          *out++ = isBefore(*b, *a) ? *b++ : *a++;
      }
      std::copy(b, bEnd, std::copy(a, aEnd, out));
    }
    std::swap(from, to);
  }
  if (from != items.data())
    std::copy(from, from + size, items.data());
  return true;
}

} // namespace invar

#endif // INVAR_STOP_SORT_H

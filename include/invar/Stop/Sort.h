// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting and selection that can be stopped.
#ifndef INVAR_STOP_SORT_H
#define INVAR_STOP_SORT_H

#include "invar/Stop/Stop.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace invar {

/// Copies a range. If it is stopped, returns false and leaves out the rest.
template <typename T>
bool copyUnlessStopped(const T *from, const T *end, T *to, Stop *stop) {
  constexpr ptrdiff_t piece = 16384;
  for (; end - from > piece; from += piece, to += piece) {
    if (stop->isDue())
      return false;
    std::copy_n(from, piece, to);
  }
  std::copy(from, end, to);
  return true;
}

/// Sorts by `isBefore`, which must order any two items. If it is stopped, returns false
/// and leaves the items in any order, possibly with some missing. `stop` may be null.
template <typename T, typename IsBefore>
bool sortUnlessStopped(std::span<T> items, IsBefore isBefore, Stop *stop) {
  // Sorting this many items takes less than a millisecond.
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
  // Merge pairs of runs, with twice the length in each pass.
  std::vector<T> others;
  others.reserve(size);
  for (size_t made = 0; made < size; made = others.size()) {
    if (stop->isDue())
      return false;
    others.resize(std::min(made + piece, size));
  }
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
      if (!copyUnlessStopped(a, aEnd, out, stop) ||
          !copyUnlessStopped(b, bEnd, out + (aEnd - a), stop))
        return false;
    }
    std::swap(from, to);
  }
  return from == items.data() ||
         copyUnlessStopped(from, from + size, items.data(), stop);
}

/// Moves the `count` items that come before all others to the front, in any order. If
/// it is stopped, as above.
template <typename T, typename IsBefore>
bool selectUnlessStopped(std::span<T> items, size_t count, IsBefore isBefore,
                         Stop *stop) {
  constexpr size_t piece = 4096;
  // Items before `low` belong to the front and items from `high` on do not.
  size_t low = 0, high = items.size();
  uint64_t random = 0x9e3779b97f4a7c15;
  int rounds = 4 * int(std::bit_width(items.size()));
  while (stop && high - low > piece) {
    // The pivots can be predicted. An order made for them removes one item in each round.
    if (rounds-- == 0)
      return sortUnlessStopped(items.subspan(low, high - low), isBefore, stop);
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    std::swap(items[low + random % (high - low)], items[high - 1]);
    size_t middle = low;
    for (size_t i = low; i + 1 < high; ++i) {
      if (i % piece == 0 && stop->isDue())
        return false;
      if (isBefore(items[i], items[high - 1]))
        std::swap(items[i], items[middle++]);
    }
    std::swap(items[middle], items[high - 1]);
    if (middle == count)
      return true;
    (middle < count ? low : high) = middle < count ? middle + 1 : middle;
  }
  if (count < high && count >= low)
    std::nth_element(items.begin() + low, items.begin() + count,
                     items.begin() + high, isBefore);
  return true;
}

} // namespace invar

#endif // INVAR_STOP_SORT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Unique.h"

#include "invar/Stop/Sort.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <type_traits>

/// -1, 0 or 1 if `a` is less than, equal to or greater than `b`.
template <typename T> static int compare(const T &a, const T &b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a || b != b)
      return int(a != a) - int(b != b);
  return a < b ? -1 : int(b < a);
}

template <typename T>
static int compareRows(const T *a, const T *b, int64_t length) {
  for (int64_t i = 0; i < length; ++i)
    if (int order = compare(a[i], b[i]))
      return order;
  return 0;
}

template <typename T>
int64_t invar::kernels::findDistinct(const T *rows, int64_t length,
                                     bool ascending, const Distinct &result,
                                     Stop *stop) {
  auto [firsts, counts, inverses, order] = result;
  auto compareAt = [&](int64_t i, int64_t j) {
    return compareRows(rows + i * length, rows + j * length, length);
  };
  std::iota(order.begin(), order.end(), 0);
  auto isBefore = [&](int64_t i, int64_t j) {
    int rank = compareAt(i, j);
    return rank != 0 ? rank < 0 : i < j;
  };
  if (!sortUnlessStopped(order, isBefore, stop))
    return 0;

  // Equal rows are adjacent now, ordered by position. The first one represents the
  // others.
  size_t distinct = 0;
  int64_t first = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || compareAt(first, order[i]) != 0)
      firsts[distinct++] = first = order[i];
    inverses[size_t(order[i])] = first;
  }
  if (!ascending)
    std::sort(firsts.begin(), firsts.begin() + std::ptrdiff_t(distinct));

  // Number the representatives, then all rows.
  std::span<int64_t> numbers = order;
  for (size_t i = 0; i < distinct; ++i) {
    numbers[size_t(firsts[i])] = int64_t(i);
    counts[i] = 0;
  }
  for (int64_t &inverse : inverses) {
    inverse = numbers[size_t(inverse)];
    ++counts[size_t(inverse)];
  }
  return int64_t(distinct);
}

#define INVAR_FIND_DISTINCT(T)                                                 \
  template int64_t invar::kernels::findDistinct(const T *, int64_t, bool,      \
                                                const Distinct &, Stop *);
INVAR_FIND_DISTINCT(float)
INVAR_FIND_DISTINCT(double)
INVAR_FIND_DISTINCT(int64_t)
INVAR_FIND_DISTINCT(uint64_t)
INVAR_FIND_DISTINCT(std::string_view)
#undef INVAR_FIND_DISTINCT

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Unique.h"

#include "invar/Stop/Pieces.h"
#include "invar/Stop/Sort.h"

#include <functional>
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
                                     bool ascending, const Distinct &result) {
  Stop *stop = StopScope::get();
  auto [firsts, counts, inverses, order] = result;
  auto compareAt = [&](int64_t i, int64_t j) {
    return compareRows(rows + i * length, rows + j * length, length);
  };
  auto overRows = [&](auto step) {
    return forPieces(order.size(), [&](size_t i, size_t last) {
      for (; i < last; ++i)
        step(i);
    });
  };
  auto isBefore = [&](int64_t i, int64_t j) {
    int rank = compareAt(i, j);
    return rank != 0 ? rank < 0 : i < j;
  };
  if (!overRows([&](size_t i) { order[i] = int64_t(i); }) ||
      !sortUnlessStopped(order, isBefore, stop))
    return 0;

  // Equal rows are adjacent now, ordered by position. The first one represents the
  // others.
  size_t distinct = 0;
  int64_t first = 0;
  auto findFirsts = [&](size_t i) {
    if (i == 0 || compareAt(first, order[i]) != 0)
      firsts[distinct++] = first = order[i];
    inverses[size_t(order[i])] = first;
  };
  if (!overRows(findFirsts))
    return 0;
  firsts = firsts.first(distinct);
  if (!ascending && !sortUnlessStopped(firsts, std::less<int64_t>(), stop))
    return 0;

  // Number the representatives, then all rows.
  std::span<int64_t> numbers = order;
  auto numberFirsts = [&](size_t i, size_t last) {
    for (; i < last; ++i) {
      numbers[size_t(firsts[i])] = int64_t(i);
      counts[i] = 0;
    }
  };
  auto numberRow = [&](size_t i) {
    inverses[i] = numbers[size_t(inverses[i])];
    ++counts[size_t(inverses[i])];
  };
  return forPieces(distinct, numberFirsts) && overRows(numberRow)
             ? int64_t(distinct)
             : 0;
}

#define INVAR_FIND_DISTINCT(T)                                                 \
  template int64_t invar::kernels::findDistinct(const T *, int64_t, bool,      \
                                                const Distinct &);
INVAR_FIND_DISTINCT(float)
INVAR_FIND_DISTINCT(double)
INVAR_FIND_DISTINCT(int64_t)
INVAR_FIND_DISTINCT(uint64_t)
INVAR_FIND_DISTINCT(std::string_view)
#undef INVAR_FIND_DISTINCT

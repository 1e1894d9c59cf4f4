// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the lines of a tensor along one axis: cumulative sums and products, and
// the best elements.
#ifndef INVAR_KERNELS_LINES_H
#define INVAR_KERNELS_LINES_H

#include "invar/Stop/Pieces.h"
#include "invar/Stop/Sort.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace invar::kernels {

/// A tensor seen from one of its axes: `outer` times `size` pieces of `inner` elements.
/// It has outer * inner lines, which are numbered in this order.
struct LineView {
  int64_t outer, size, inner;

  int64_t count() const { return outer * inner; }
  /// The first element of a line, and of a line in a tensor whose axis has another size.
  int64_t begin(int64_t line) const { return begin(line, size); }
  int64_t begin(int64_t line, int64_t otherSize) const {
    return line / inner * otherSize * inner + line % inner;
  }
};

struct Sum {
  static constexpr int neutral = 0;
  template <typename T> T operator()(T a, T b) const { return a + b; }
};
struct Product {
  static constexpr int neutral = 1;
  template <typename T> T operator()(T a, T b) const { return a * b; }
};

struct Cumulation {
  bool isExclusive, isReverse;
};

/// Combines each element with those before it, or after it, for the lines [first, last).
/// Floats are combined in double. Unsigned integers wrap; signed ones must be compiled
/// to wrap. x and y may be the same tensor. Ends early if it is stopped.
template <typename T, typename Combine>
void accumulateLines(const LineView &view, Cumulation order, Combine combine,
                     const T *x, T *y, int64_t first, int64_t last) {
  using Total = std::conditional_t<std::is_same_v<T, float>, double, T>;
  // Processes several adjacent lines at once, to use whole cache lines.
  constexpr int64_t atOnce = 64;
  Total totals[atOnce];
  while (first < last) {
    int64_t column = first % view.inner;
    int64_t count = std::min({atOnce, view.inner - column, last - first});
    std::fill_n(totals, count, Total(Combine::neutral));
    int64_t begin = view.begin(first);
    for (int64_t i = 0; i < view.size; ++i) {
      if (i % 4096 == 4095 && StopScope::isDue())
        return;
      int64_t at =
          begin + (order.isReverse ? view.size - 1 - i : i) * view.inner;
      for (int64_t k = 0; k < count; ++k) {
        Total before = totals[k];
        totals[k] = combine(before, Total(x[at + k]));
        y[at + k] = T(order.isExclusive ? before : totals[k]);
      }
    }
    first += count;
  }
}

/// An element of a line.
template <typename T> struct Candidate {
  T number;
  int64_t place;
};

/// Whether a comes before b: it is better, or equal and first. NaN is greater than all
/// numbers, as in the reference implementation.
template <typename T> struct IsBefore {
  bool isGreatest;

  bool operator()(const Candidate<T> &a, const Candidate<T> &b) const {
    if (bool aIsNaN = a.number != a.number, bIsNaN = b.number != b.number;
        aIsNaN != bIsNaN)
      return aIsNaN == isGreatest;
    if (a.number > b.number)
      return isGreatest;
    if (a.number < b.number)
      return !isGreatest;
    return a.place < b.place;
  }
};

/// Finds the best `k` elements of a line, best first, in the front of `best`. Returns
/// false if it is stopped; `best` may then have fewer.
template <typename T>
bool findBest(const T *line, int64_t stride, int64_t size, int64_t k,
              bool isGreatest, std::vector<Candidate<T>> &best) {
  IsBefore<T> isBefore{isGreatest};
  Stop *stop = StopScope::get();
  best.clear();
  auto take = [&](int64_t count) {
    best.reserve(size_t(count));
    return forPieces(size_t(count), [&](size_t first, size_t last) {
      for (auto i = int64_t(first); i < int64_t(last); ++i)
        best.push_back({line[i * stride], i});
    });
  };
  // Few of many: keep them in a heap with the worst on top.
  constexpr int64_t few = 8;
  if (k < size / few && k > 0) {
    if (!take(k))
      return false;
    std::make_heap(best.begin(), best.end(), isBefore);
    for (int64_t i = k; i < size; ++i) {
      if (stop && i % 16384 == 0 && stop->isDue())
        return false;
      Candidate<T> next = {line[i * stride], i};
      if (!isBefore(next, best.front()))
        continue;
      std::pop_heap(best.begin(), best.end(), isBefore);
      best.back() = next;
      std::push_heap(best.begin(), best.end(), isBefore);
    }
    return sortUnlessStopped(std::span(best), isBefore, stop);
  }
  return take(size) &&
         selectUnlessStopped(std::span(best), size_t(k), isBefore, stop) &&
         sortUnlessStopped(std::span(best).first(size_t(k)), isBefore, stop);
}

/// Finds the best elements of the lines [first, last): their places along the axis, in a
/// tensor whose axis has size `k`.
template <typename T>
void findBestOfLines(const LineView &view, int64_t k, bool isGreatest,
                     const T *x, int64_t first, int64_t last, int64_t *places) {
  std::vector<Candidate<T>> best;
  for (int64_t line = first; line < last; ++line) {
    if (!findBest(x + view.begin(line), view.inner, view.size, k, isGreatest,
                  best))
      return;
    int64_t *to = places + view.begin(line, k);
    forPieces(size_t(k), [&](size_t i, size_t end) {
      for (; i < end; ++i)
        to[int64_t(i) * view.inner] = best[i].place;
    });
  }
}

} // namespace invar::kernels

#endif // INVAR_KERNELS_LINES_H

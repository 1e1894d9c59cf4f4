// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source elements and weights of each position of a resized axis, in the form that
// loops read: a line if there is one, otherwise a table.
//
// Worked example: 3 elements a b c become 6 ("half_pixel", linear). The first of the
// two source elements of index i is (i + 1) floordiv 2 - 1. The weights are first 0 and
// 1, because there is nothing before a, then 3/4 and 1/4, 1/4 and 3/4, and so on.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_RESIZE_RESIZETABLES_H
#define INVAR_LIB_DIALECT_ONNX_OPS_RESIZE_RESIZETABLES_H

#include "invar/Kernels/Resample.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace invar::onnx {

/// Maps index i to position (i + shift) floordiv divisor * step + offset.
struct Line {
  int64_t shift = 0, divisor = 1, step = 1, offset = 0;

  int64_t at(int64_t i) const { return (i + shift) / divisor * step + offset; }
  mlir::AffineExpr at(mlir::AffineExpr i) const {
    return (i + shift).floorDiv(divisor) * step + offset;
  }
};
/// Returns the line on which all positions lie, if there is one. Positions must ascend.
inline std::optional<Line> findLine(llvm::ArrayRef<int64_t> places) {
  if (places.empty())
    return std::nullopt;
  Line line{.offset = places.front()};
  auto isNext = [&](size_t from) {
    return std::find_if(places.begin() + from, places.end(),
                        [&](int64_t place) { return place != places[from]; }) -
           places.begin();
  };
  size_t first = isNext(0);
  if (first < places.size()) {
    // If a step spans several indices, the first step may be shorter.
    size_t second = isNext(first);
    line.divisor =
        int64_t(second < places.size() ? second - first
                                       : std::max(first, second - first));
    line.step = places[first] - places.front();
    line.shift = line.divisor - int64_t(first);
    if (line.shift < 0)
      return std::nullopt;
  } else {
    line.step = 0;
  }
  for (auto [i, place] : llvm::enumerate(places))
    if (line.at(int64_t(i)) != place)
      return std::nullopt;
  return line;
}

/// Weights of elements [first(i), first(i) + count) for each index i.
struct WeightTable {
  int64_t count = 0;
  std::vector<int64_t> firsts;
  std::optional<Line> line;
  /// Ordered by tap, then by index.
  std::vector<double> weights;
  bool hasOutside = false;

  explicit WeightTable(const kernels::Taps &taps);
  /// Finds a line such that all elements with weights lie within `count` elements from
  /// it.
  void findLine(const kernels::Taps &taps, const kernels::ResizedAxis &axis);
  void setFirst(const kernels::Taps &taps, size_t i, int64_t first);
  static int64_t countOf(const kernels::Taps &taps, size_t i) {
    return taps.ends[i] - (i == 0 ? 0 : taps.ends[i - 1]);
  }
};

inline WeightTable::WeightTable(const kernels::Taps &taps) {
  for (size_t i = 0; i < taps.firsts.size(); ++i) {
    count = std::max(count, countOf(taps, i));
    hasOutside |= countOf(taps, i) == 0;
  }
  firsts.resize(taps.firsts.size());
  weights.resize(size_t(count) * firsts.size());
  for (size_t i = 0; i < firsts.size(); ++i)
    setFirst(taps, i, taps.firsts[i]);
}

inline void WeightTable::setFirst(const kernels::Taps &taps, size_t i,
                                  int64_t first) {
  int64_t own = countOf(taps, i), shift = taps.firsts[i] - first;
  for (int64_t k = 0; k < count; ++k)
    weights[size_t(k) * firsts.size() + i] =
        k >= shift && k - shift < own
            ? taps.weights[size_t(taps.ends[i] - own + k - shift)]
            : 0;
  firsts[i] = first;
}

inline void WeightTable::findLine(const kernels::Taps &taps,
                                  const kernels::ResizedAxis &axis) {
  constexpr int64_t mostTimes = 16;
  if (axis.to % axis.from != 0 || axis.to / axis.from > mostTimes)
    return;
  int64_t times = axis.to / axis.from;
  auto holds = [&](const Line &candidate) {
    for (size_t i = 0; i < firsts.size(); ++i) {
      int64_t first = candidate.at(int64_t(i));
      if (taps.firsts[i] < first ||
          taps.firsts[i] + countOf(taps, i) > first + count)
        return false;
    }
    return true;
  };
  for (int64_t shift = 0; shift < times; ++shift)
    for (int64_t offset = -count; offset <= 0; ++offset)
      if (Line candidate{shift, times, 1, offset}; holds(candidate)) {
        line = candidate;
        for (size_t i = 0; i < firsts.size(); ++i)
          setFirst(taps, i, candidate.at(int64_t(i)));
        return;
      }
}

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_RESIZE_RESIZETABLES_H

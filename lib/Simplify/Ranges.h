// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a Slice takes of an axis, as numbers. They are as they are written: negative ones
// count from the end, of an axis whose size may not be known, and all are limited to it.
#ifndef INVAR_LIB_SIMPLIFY_RANGES_H
#define INVAR_LIB_SIMPLIFY_RANGES_H

#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Simplify/Rule.h"

namespace invar {

/// Each `step`-th element from `start` on, up to `end`; steps are at least one.
struct Range {
  int64_t start, end, step = 1;

  /// As an end: that of the axis, whatever its size.
  static constexpr int64_t all = std::numeric_limits<int64_t>::max();

  bool operator==(const Range &) const = default;
};

/// The ranges that a Slice lists, by axis; none where one is not known or goes backwards.
using Ranges = llvm::SmallVector<std::optional<Range>>;
std::optional<Ranges> getRanges(onnx::SliceOp op, const Rewriting &rewriting);
/// The range of a Slice that cuts this axis, and no other.
std::optional<Range> getOnlyRange(onnx::SliceOp op, int64_t axis,
                                  const Rewriting &rewriting);

/// Numbers counted from the front, which takes the size of the axis where they are not.
std::optional<Range> countFromFront(Range range, int64_t size);
/// Of what `first` takes of `size` elements, `between` elements, what `second` takes; none
/// where that is not known.
std::optional<Range> compose(Range first, Range second, int64_t size,
                             int64_t between);
/// What two take together, if the second begins where the first ends.
std::optional<Range> join(Range first, Range second);
/// Whether nothing of an axis of this size, or of any, is left out.
bool coversAxis(Range range, int64_t size);
/// The index of the one element that a range takes, if it takes one.
std::optional<int64_t> getOnlyIndex(Range range, int64_t size);

/// A Slice of one axis, or of those that have a range.
mlir::Value makeSlice(mlir::Value data, int64_t axis, Range range,
                      Rewriting &rewriting);
mlir::Value makeSlice(mlir::Value data, const Ranges &ranges,
                      Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_RANGES_H

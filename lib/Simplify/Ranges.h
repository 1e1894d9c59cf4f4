// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The range that a Slice takes from an axis, for rules that calculate with it.
//
// The meaning of a bound in ONNX depends on its sign: -1 counts from the back, and
// bounds outside of the axis are clamped. Arithmetic that changes the sign changes the
// meaning: 1 - 2 is a position from the back, and an end of 0 - 1 makes an empty slice
// long. So rules never see these numbers. They see cuts; each cut states the side that
// it is counted from, and keeps it:
//
//   number   axis of 4          axis of open size
//   2        2 from the front   2 from the front
//   -1       3 from the front   1 from the back
//   9        4 from the front   9 from the front
//   max      4 from the front   0 from the back
//
// On an axis of known size, all cuts are counted from the front and lie on the axis.
// Only getRanges() reads numbers, and only makeSlice() writes them.
#ifndef INVAR_LIB_SIMPLIFY_RANGES_H
#define INVAR_LIB_SIMPLIFY_RANGES_H

#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Simplify/Rule.h"

namespace invar {

/// A position between two elements of an axis, or at one of its ends. A distance
/// greater than the size means the other end.
class Cut {
public:
  /// Distances must not be negative.
  static Cut fromFront(int64_t distance) { return {distance, false}; }
  static Cut fromBack(int64_t distance) { return {distance, true}; }
  static Cut front() { return fromFront(0); }
  static Cut back() { return fromBack(0); }
  /// The meaning of a number in a Slice with a positive step, for an axis whose size
  /// may be open.
  static Cut read(int64_t number, int64_t size);
  /// The number for this cut in a Slice.
  int64_t write() const;

  bool isFromBack() const { return isBack; }
  int64_t getDistance() const { return distance; }

  /// Moves the cut by `count` elements to the side that it is counted from; none if the
  /// distance is smaller than that.
  std::optional<Cut> moveNearer(int64_t count) const;

  /// Whether a cut is at or before another one for every size of the axis.
  bool isKnownUpTo(Cut other) const;

  bool operator==(const Cut &) const = default;

private:
  Cut(int64_t distance, bool isBack) : distance(distance), isBack(isBack) {}

  int64_t distance;
  bool isBack;
};

/// Every `step`-th element from `start` up to `end`; `step` is at least 1. An end that
/// is known to be before the start is set to the start: an empty range.
struct Range {
  Range(Cut start, Cut end, int64_t step = 1)
      : start(start), end(end.isKnownUpTo(start) ? start : end), step(step) {}

  Cut start, end;
  int64_t step;

  bool operator==(const Range &) const = default;
};

/// The ranges of a Slice by axis; none if a range is unknown or goes backwards.
using Ranges = llvm::SmallVector<std::optional<Range>>;
std::optional<Ranges> getRanges(onnx::SliceOp op, const Rewriting &rewriting);
/// The range of a Slice that cuts only this axis.
std::optional<Range> getOnlyRange(onnx::SliceOp op, int64_t axis,
                                  const Rewriting &rewriting);

/// The elements that `second` takes from those of `first`; none if the range cannot be
/// determined.
std::optional<Range> compose(Range first, Range second);
/// The elements of both ranges together, if the second begins where the first ends.
std::optional<Range> join(Range first, Range second);
/// Whether a range takes all elements of an axis of this size, which may be dynamic.
bool coversAxis(Range range, int64_t size);
/// The index of the element, if a range takes exactly one. As in Gather, a negative
/// index counts from the back.
std::optional<int64_t> getOnlyIndex(Range range, int64_t size);

/// Creates a Slice of one axis, or of all axes that have a range.
mlir::Value makeSlice(mlir::Value data, int64_t axis, Range range,
                      Rewriting &rewriting);
mlir::Value makeSlice(mlir::Value data, const Ranges &ranges,
                      Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_RANGES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a Slice takes of an axis, for rules that calculate with it.
//
// ONNX writes bounds as numbers whose meaning depends on their sign: -1 counts from the back,
// and what lies outside of the axis is limited to it. Arithmetic on such numbers changes their
// meaning where it changes their sign: 1 - 2 is a place from the back, and an end of 0 - 1
// makes an empty slice long. So rules never see them. They see cuts, each of which states the
// side that it is counted from and keeps it:
//
//   number   axis of 4          axis of open size
//   2        2 from the front   2 from the front
//   -1       3 from the front   1 from the back
//   9        4 from the front   9 from the front
//   max      4 from the front   0 from the back
//
// On an axis of known size all cuts are counted from the front and lie on the axis. Numbers
// are read by getRanges() and written by makeSlice(), and nowhere else.
#ifndef INVAR_LIB_SIMPLIFY_RANGES_H
#define INVAR_LIB_SIMPLIFY_RANGES_H

#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Simplify/Rule.h"

namespace invar {

/// A place between two elements of an axis, or at one of its ends. A distance beyond the
/// axis means its other end.
class Cut {
public:
  /// Distances are at least 0.
  static Cut fromFront(int64_t distance) { return {distance, false}; }
  static Cut fromBack(int64_t distance) { return {distance, true}; }
  static Cut front() { return fromFront(0); }
  static Cut back() { return fromBack(0); }
  /// The meaning of a number in a Slice that goes forwards, of an axis whose size may be open.
  static Cut read(int64_t number, int64_t size);
  /// A number that has this meaning.
  int64_t write() const;

  bool isFromBack() const { return isBack; }
  int64_t getDistance() const { return distance; }

  /// The cut that is so many elements nearer to the side that it is counted from; none where
  /// there are not so many.
  std::optional<Cut> moveNearer(int64_t count) const;

  /// Whether a cut is at or before another on every axis, whatever its size.
  bool isKnownUpTo(Cut other) const;

  bool operator==(const Cut &) const = default;

private:
  Cut(int64_t distance, bool isBack) : distance(distance), isBack(isBack) {}

  int64_t distance;
  bool isBack;
};

/// Each `step`-th element from `start` on, up to `end`; steps are at least one. An end that
/// is known to be before the start is at the start: an empty range.
struct Range {
  Range(Cut start, Cut end, int64_t step = 1)
      : start(start), end(end.isKnownUpTo(start) ? start : end), step(step) {}

  Cut start, end;
  int64_t step;

  bool operator==(const Range &) const = default;
};

/// The ranges that a Slice lists, by axis; none where one is not known or goes backwards.
using Ranges = llvm::SmallVector<std::optional<Range>>;
std::optional<Ranges> getRanges(onnx::SliceOp op, const Rewriting &rewriting);
/// The range of a Slice that cuts this axis, and no other.
std::optional<Range> getOnlyRange(onnx::SliceOp op, int64_t axis,
                                  const Rewriting &rewriting);

/// What `second` takes of the elements that `first` takes; none where that is not known.
std::optional<Range> compose(Range first, Range second);
/// What two take together, if the second begins where the first ends.
std::optional<Range> join(Range first, Range second);
/// Whether nothing of an axis of this size, or of any, is left out.
bool coversAxis(Range range, int64_t size);
/// The index of the one element that a range takes, if it takes one. As in a Gather, an index
/// below 0 counts from the back.
std::optional<int64_t> getOnlyIndex(Range range, int64_t size);

/// A Slice of one axis, or of those that have a range.
mlir::Value makeSlice(mlir::Value data, int64_t axis, Range range,
                      Rewriting &rewriting);
mlir::Value makeSlice(mlir::Value data, const Ranges &ranges,
                      Rewriting &rewriting);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_RANGES_H

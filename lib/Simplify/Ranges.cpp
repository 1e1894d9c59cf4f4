// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ranges.h"

#include "Rules.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

std::optional<Ranges> invar::getRanges(SliceOp op, const Rewriting &rewriting) {
  std::optional<int64_t> rank = getRank(op.getData());
  auto starts = rewriting.getInts(op.getStarts());
  auto ends = rewriting.getInts(op.getEnds());
  if (!rank || !starts || !ends || starts->size() != ends->size())
    return std::nullopt;
  std::optional<SmallVector<int64_t>> axes, steps;
  axes = op.getAxes() ? getAxes(op.getAxes(), *rank, rewriting)
                      : llvm::to_vector(llvm::seq<int64_t>(starts->size()));
  steps = op.getSteps() ? rewriting.getInts(op.getSteps())
                        : SmallVector<int64_t>(starts->size(), 1);
  if (!axes || !steps || axes->size() != starts->size() ||
      steps->size() != starts->size())
    return std::nullopt;
  Ranges ranges(*rank);
  for (auto [axis, start, end, step] :
       llvm::zip_equal(*axes, *starts, *ends, *steps)) {
    if (axis >= *rank || ranges[axis] || step < 1)
      return std::nullopt;
    // So many elements no axis has.
    constexpr int64_t much = std::numeric_limits<int32_t>::max();
    ranges[axis] = {start, end >= much ? Range::all : end, step};
  }
  return ranges;
}

std::optional<Range> invar::getOnlyRange(SliceOp op, int64_t axis,
                                         const Rewriting &rewriting) {
  std::optional<Ranges> ranges = getRanges(op, rewriting);
  if (!ranges || axis >= int64_t(ranges->size()) || !(*ranges)[axis])
    return std::nullopt;
  for (auto [other, range] : llvm::enumerate(*ranges))
    if (range && int64_t(other) != axis)
      return std::nullopt;
  return (*ranges)[axis];
}

std::optional<Range> invar::countFromFront(Range range, int64_t size) {
  for (int64_t *place : {&range.start, &range.end}) {
    if (*place >= 0)
      continue;
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    *place = *place < -size ? 0 : *place + size;
  }
  return range;
}

std::optional<Range> invar::compose(Range first, Range second, int64_t size,
                                    int64_t between) {
  auto outer = countFromFront(first, size);
  auto inner = countFromFront(second, between);
  if (!outer || !inner)
    return std::nullopt;
  auto place = [&](int64_t i) { // Where element i of what `first` takes is.
    int64_t offset;
    if (llvm::MulOverflow(i, outer->step, offset) ||
        llvm::AddOverflow(offset, outer->start, offset))
      return Range::all;
    return offset;
  };
  int64_t step;
  if (llvm::MulOverflow(outer->step, inner->step, step))
    return std::nullopt;
  return Range{place(inner->start), std::min(outer->end, place(inner->end)),
               step};
}

/// Whether one place is not behind another on every axis, whatever its size.
static bool isNotBehind(int64_t a, int64_t b) {
  return a == 0 || b == Range::all || ((a < 0) == (b < 0) && a <= b);
}

std::optional<Range> invar::join(Range first, Range second) {
  // Both are limited to an axis in the same way, so that it does not matter where it ends.
  if (first.step != 1 || second.step != 1 || first.end != second.start ||
      !isNotBehind(first.start, first.end) ||
      !isNotBehind(second.start, second.end))
    return std::nullopt;
  return Range{first.start, second.end};
}

bool invar::coversAxis(Range range, int64_t size) {
  if (range.step != 1)
    return false;
  if (ShapedType::isDynamic(size))
    return range.start == 0 && range.end == Range::all;
  Range front = *countFromFront(range, size);
  return front.start == 0 && front.end >= size;
}

std::optional<int64_t> invar::getOnlyIndex(Range range, int64_t size) {
  if (!ShapedType::isDynamic(size)) {
    Range front = *countFromFront(range, size);
    int64_t end = std::min(front.end, size);
    bool isOne = front.start < end && front.step >= end - front.start;
    return isOne ? std::optional(front.start) : std::nullopt;
  }
  // Of two places counted from one side both are there, or none is.
  bool isLast = range.start == -1 && range.end == Range::all;
  bool isNext = range.start != -1 && range.start != Range::all &&
                range.end == range.start + 1;
  return isLast || isNext ? std::optional(range.start) : std::nullopt;
}

Value invar::makeSlice(Value data, int64_t axis, Range range,
                       Rewriting &rewriting) {
  Ranges ranges(axis + 1);
  ranges[axis] = range;
  return makeSlice(data, ranges, rewriting);
}

Value invar::makeSlice(Value data, const Ranges &ranges, Rewriting &rewriting) {
  SmallVector<int64_t> starts, ends, axes, steps;
  for (auto [axis, range] : llvm::enumerate(ranges))
    if (range) {
      starts.push_back(range->start);
      ends.push_back(range->end);
      axes.push_back(int64_t(axis));
      steps.push_back(range->step);
    }
  // Steps of one go without saying, and older forms could not say any.
  bool isDense = llvm::all_of(steps, [](int64_t step) { return step == 1; });
  return rewriting.make<SliceOp>(
      data, rewriting.makeInts(starts), rewriting.makeInts(ends),
      rewriting.makeInts(axes), isDense ? Value() : rewriting.makeInts(steps));
}

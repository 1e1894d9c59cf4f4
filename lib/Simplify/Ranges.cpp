// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ranges.h"

#include "Rules.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Cuts ------------------------------------------------------------------===//

Cut Cut::read(int64_t number, int64_t size) {
  // From this number on, exporters mean the end of the axis, whatever its size.
  constexpr int64_t much = std::numeric_limits<int32_t>::max();
  bool isOpen = ShapedType::isDynamic(size);
  if (number >= 0)
    return isOpen ? (number >= much ? back() : fromFront(number))
                  : fromFront(std::min(number, size));
  int64_t distance = -std::max(number, -std::numeric_limits<int64_t>::max());
  return isOpen ? fromBack(distance)
                : fromFront(size - std::min(distance, size));
}

int64_t Cut::write() const {
  // There is no -0, so the back is written as a number that no axis reaches.
  if (isBack)
    return distance ? -distance : std::numeric_limits<int64_t>::max();
  return distance;
}

std::optional<Cut> Cut::moveNearer(int64_t count) const {
  int64_t left;
  if (llvm::SubOverflow(distance, count, left) || left < 0)
    return std::nullopt;
  return Cut(left, isBack);
}

bool Cut::isKnownUpTo(Cut other) const {
  if (*this == front() || other == back())
    return true;
  return isBack == other.isBack &&
         (isBack ? distance >= other.distance : distance <= other.distance);
}

//===-- Ranges ----------------------------------------------------------------===//

std::optional<Ranges> invar::getRanges(SliceOp op, const Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  auto starts = rewriting.getInts(op.getStarts());
  auto ends = rewriting.getInts(op.getEnds());
  if (!type || !starts || !ends || starts->size() != ends->size())
    return std::nullopt;
  std::optional<SmallVector<int64_t>> axes, steps;
  axes = op.getAxes() ? getAxes(op.getAxes(), type.getRank(), rewriting)
                      : llvm::to_vector(llvm::seq<int64_t>(starts->size()));
  steps = op.getSteps() ? rewriting.getInts(op.getSteps())
                        : SmallVector<int64_t>(starts->size(), 1);
  if (!axes || !steps || axes->size() != starts->size() ||
      steps->size() != starts->size())
    return std::nullopt;
  Ranges ranges(type.getRank());
  for (auto [axis, start, end, step] :
       llvm::zip_equal(*axes, *starts, *ends, *steps)) {
    if (axis >= type.getRank() || ranges[axis] || step < 1)
      return std::nullopt;
    int64_t size = type.getDimSize(axis);
    ranges[axis] = Range(Cut::read(start, size), Cut::read(end, size), step);
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

std::optional<Range> invar::compose(Range first, Range second) {
  // A start from the back is a different element if the axis is shorter than its
  // distance.
  if (first.start.isFromBack() || second.start.isFromBack())
    return std::nullopt;
  auto find = [&](Cut inner) { // The same cut on the whole axis.
    int64_t distance;
    if (llvm::MulOverflow(inner.getDistance(), first.step, distance) ||
        llvm::AddOverflow(distance, first.start.getDistance(), distance))
      return Cut::back();
    return Cut::fromFront(distance);
  };
  auto findEnd = [&]() -> std::optional<Cut> {
    if (second.end == Cut::back())
      return first.end;
    if (second.end.isFromBack())
      return std::nullopt;
    Cut end = find(second.end);
    return end.isKnownUpTo(first.end)   ? std::optional(end)
           : first.end.isKnownUpTo(end) ? std::optional(first.end)
                                        : std::nullopt;
  };
  std::optional<Cut> end = findEnd();
  int64_t step;
  if (!end || llvm::MulOverflow(first.step, second.step, step))
    return std::nullopt;
  return Range(find(second.start), *end, step);
}

std::optional<Range> invar::join(Range first, Range second) {
  // Both ranges are clamped to the axis in the same way, so its size does not matter.
  if (first.step != 1 || second.step != 1 || first.end != second.start ||
      !first.start.isKnownUpTo(first.end) ||
      !second.start.isKnownUpTo(second.end))
    return std::nullopt;
  return Range(first.start, second.end);
}

bool invar::coversAxis(Range range, int64_t size) {
  if (range.step != 1 || range.start != Cut::front())
    return false;
  return range.end == Cut::back() ||
         (!ShapedType::isDynamic(size) && !range.end.isFromBack() &&
          range.end.getDistance() >= size);
}

std::optional<int64_t> invar::getOnlyIndex(Range range, int64_t size) {
  int64_t start = range.start.getDistance(), end = range.end.getDistance();
  if (!ShapedType::isDynamic(size))
    return start < end && range.step >= end - start ? std::optional(start)
                                                    : std::nullopt;
  // The distance between two cuts is only known if both count from the same side.
  if (range.start.isFromBack() != range.end.isFromBack())
    return std::nullopt;
  if (range.start.isFromBack())
    return start - end == 1 ? std::optional(-start) : std::nullopt;
  return end - start == 1 ? std::optional(start) : std::nullopt;
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
      starts.push_back(range->start.write());
      ends.push_back(range->end.write());
      axes.push_back(int64_t(axis));
      steps.push_back(range->step);
    }
  // Omit steps of one: older opsets have no steps.
  bool isDense = llvm::all_of(steps, [](int64_t step) { return step == 1; });
  return rewriting.make<SliceOp>(
      data, rewriting.makeInts(starts), rewriting.makeInts(ends),
      rewriting.makeInts(axes), isDense ? Value() : rewriting.makeInts(steps));
}

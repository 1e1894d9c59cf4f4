// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of tensors, by ranges and by indices: two selections in a row become one, and a
// selection from a Concat or a Pad is moved up to the operand that it reads.
#include "Ranges.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Slice -----------------------------------------------------------------===//

static constexpr StringLiteral mergeSlicesPattern =
    "Slice(Slice(x, r), s) -> Slice(x, r*s) [a slice of a slice less]";
static LogicalResult mergeSlices(SliceOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<SliceOp>();
  if (!inner || !op.getData().hasOneUse())
    return failure();
  auto first = getRanges(inner, rewriting), second = getRanges(op, rewriting);
  if (!first || !second || first->size() != second->size())
    return failure();
  Ranges both(first->size());
  for (size_t axis = 0; axis < both.size(); ++axis) {
    std::optional<Range> a = (*first)[axis], b = (*second)[axis];
    both[axis] = a && b ? compose(*a, *b) : a ? a : b;
    if ((a || b) && !both[axis])
      return failure();
  }
  return rewriting.tryReplace(op, makeSlice(inner.getData(), both, rewriting));
}

namespace {
/// A part of a Concat, and the number of elements before it, on the side that positions
/// are counted from.
struct Place {
  Value part;
  int64_t offset;
};
} // namespace

/// The part of a Concat that contains a range, if that is known.
static std::optional<Place> findPart(ConcatOp op, int64_t axis, Range range) {
  bool isFromBack = range.start.isFromBack();
  if (isFromBack != range.end.isFromBack())
    return std::nullopt;
  SmallVector<Value> parts(op.getInputs());
  int64_t near = range.start.getDistance(), far = range.end.getDistance();
  if (isFromBack) {
    std::reverse(parts.begin(), parts.end());
    std::swap(near, far);
  }
  int64_t offset = 0;
  for (Value part : parts) {
    auto type = dyn_cast<RankedTensorType>(part.getType());
    int64_t next;
    if (!type || axis >= type.getRank() || type.isDynamicDim(axis) ||
        near < offset || llvm::AddOverflow(offset, type.getDimSize(axis), next))
      return std::nullopt;
    if (far <= next)
      return Place{part, offset};
    offset = next;
  }
  return std::nullopt;
}

/// Moves a range by `count` elements to the side that it is counted from.
static std::optional<Range> moveNearer(Range range, int64_t count) {
  auto start = range.start.moveNearer(count), end = range.end.moveNearer(count);
  return start && end ? std::optional(Range(*start, *end, range.step))
                      : std::nullopt;
}

/// The axis of a Concat, counted from the front.
static std::optional<int64_t> getAxis(ConcatOp op) {
  std::optional<int64_t> rank = getRank(op.getConcatResult());
  return rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
}

static constexpr StringLiteral sliceConcatPattern =
    "Slice(Concat(x, y), r) -> Slice(y, s) [r in one part; the slice goes up]";
static LogicalResult sliceConcat(SliceOp op, Rewriting &rewriting) {
  auto concat = op.getData().getDefiningOp<ConcatOp>();
  auto axis = concat ? getAxis(concat) : std::nullopt;
  auto ranges = axis ? getRanges(op, rewriting) : std::nullopt;
  if (!ranges || !(*ranges)[*axis])
    return failure();
  std::optional<Range> &range = (*ranges)[*axis];
  std::optional<Place> place = findPart(concat, *axis, *range);
  range = place ? moveNearer(*range, place->offset) : std::nullopt;
  if (!range)
    return failure();
  return rewriting.tryReplace(op, makeSlice(place->part, *ranges, rewriting));
}

static constexpr StringLiteral slicePadPattern =
    "Slice(Pad(x, p), r) -> Slice(x, r-p) [r beside what is padded; the slice "
    "goes up]";
static LogicalResult slicePad(SliceOp op, Rewriting &rewriting) {
  auto pad = op.getData().getDefiningOp<PadOp>();
  auto ranges = pad ? getRanges(op, rewriting) : std::nullopt;
  auto type = pad ? dyn_cast<RankedTensorType>(pad.getData().getType())
                  : RankedTensorType();
  auto pads = pad ? rewriting.getInts(pad.getPads()) : std::nullopt;
  if (!ranges || !type || !pads)
    return failure();
  auto axes = pad.getAxes() ? getAxes(pad.getAxes(), type.getRank(), rewriting)
                            : llvm::to_vector(llvm::seq(type.getRank()));
  if (!axes || pads->size() != 2 * axes->size())
    return failure();
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    int64_t begin = (*pads)[i], end = (*pads)[axes->size() + i];
    if (begin == 0 && end == 0)
      continue;
    std::optional<Range> &range = (*ranges)[axis];
    int64_t padded = cast<ShapedType>(op.getData().getType()).getDimSize(axis);
    if (!range || begin < 0 || end < 0 || ShapedType::isDynamic(padded) ||
        range->end.getDistance() > padded - end)
      return failure();
    range = moveNearer(*range, begin);
    if (!range)
      return failure();
  }
  return rewriting.tryReplace(op, makeSlice(pad.getData(), *ranges, rewriting));
}

//===-- Gather ----------------------------------------------------------------===//

static std::optional<int64_t> getAxis(GatherOp op) {
  std::optional<int64_t> rank = getRank(op.getData());
  return rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
}

static Value makeGather(Value data, Value indices, int64_t axis,
                        Rewriting &rewriting) {
  return rewriting.make<GatherOp>(
      data, indices, rewriting.getBuilder().getI64IntegerAttr(axis));
}

/// A constant index. Before opset 11, indices must count from the front.
static Value makeIndex(int64_t index, int64_t size, Rewriting &rewriting) {
  if (index < 0 && !ShapedType::isDynamic(size))
    index += size;
  if (index < 0 && rewriting.getOpset() < 11)
    return {};
  return rewriting.makeConstant(llvm::cantFail(
      ElementsBuilder().splat(DataType::Int64, {}, WideNum::ofInt(index))));
}

static constexpr StringLiteral gatherOnePattern =
    "Squeeze(Slice(x, i, i+1)) -> Gather(x, i) [an operator less]";
static LogicalResult gatherOne(SqueezeOp op, Rewriting &rewriting) {
  auto slice = op.getData().getDefiningOp<SliceOp>();
  std::optional<int64_t> rank = getRank(op.getData());
  if (!slice || !rank || !op.getAxes() || !op.getData().hasOneUse())
    return failure();
  auto axes = getAxes(op.getAxes(), *rank, rewriting);
  if (!axes || axes->size() != 1)
    return failure();
  int64_t axis = axes->front();
  auto range = getOnlyRange(slice, axis, rewriting);
  int64_t size = cast<ShapedType>(slice.getData().getType()).getDimSize(axis);
  auto index = range ? getOnlyIndex(*range, size) : std::nullopt;
  Value constant = index ? makeIndex(*index, size, rewriting) : Value();
  if (!constant)
    return failure();
  return rewriting.tryReplace(
      op, makeGather(slice.getData(), constant, axis, rewriting));
}

static constexpr StringLiteral keepGatheredPattern =
    "Unsqueeze(Gather(x, i)) -> Gather(x, [i]) [i a constant; an operator "
    "less]";
static LogicalResult keepGathered(UnsqueezeOp op, Rewriting &rewriting) {
  auto gather = op.getData().getDefiningOp<GatherOp>();
  std::optional<int64_t> rank = getRank(op.getExpanded());
  auto axis = gather ? getAxis(gather) : std::nullopt;
  auto axes = rank ? getAxes(op.getAxes(), *rank, rewriting) : std::nullopt;
  if (!axis || !axes || axes->size() != 1 || axes->front() != *axis ||
      !op.getData().hasOneUse())
    return failure();
  const Elements *index = rewriting.getConstant(gather.getIndices());
  if (!index || index->getRank() != 0)
    return failure();
  Value list = rewriting.make<ReshapeOp>(gather.getIndices(),
                                         rewriting.makeInts(1), IntegerAttr());
  if (!list)
    return failure();
  return rewriting.tryReplace(
      op, makeGather(gather.getData(), list, *axis, rewriting));
}

static constexpr StringLiteral mergeGathersPattern =
    "Gather(Gather(x, i), j) -> Gather(x, i[j]) [constants; a gather of a "
    "gather less]";
static LogicalResult mergeGathers(GatherOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<GatherOp>();
  auto axis = getAxis(op);
  auto innerAxis = inner ? getAxis(inner) : std::nullopt;
  if (!axis || !innerAxis)
    return failure();
  const Elements *first = rewriting.getConstant(inner.getIndices());
  const Elements *second = rewriting.getConstant(op.getIndices());
  // The axes of the indices replace the gathered axis.
  if (!first || !second || *axis < *innerAxis ||
      *axis >= *innerAxis + first->getRank())
    return failure();
  Value indices = makeGather(inner.getIndices(), op.getIndices(),
                             *axis - *innerAxis, rewriting);
  const Elements *both = rewriting.getConstant(indices);
  if (!both || both->numElements() >
                   std::max(first->numElements(), second->numElements()))
    return failure();
  return rewriting.tryReplace(
      op, makeGather(inner.getData(), indices, *innerAxis, rewriting));
}

static constexpr StringLiteral gatherConcatPattern =
    "Gather(Concat(x, y), i) -> Gather(y, j) [i in one part; the gather goes "
    "up]";
static LogicalResult gatherConcat(GatherOp op, Rewriting &rewriting) {
  auto concat = op.getData().getDefiningOp<ConcatOp>();
  auto axis = concat ? getAxis(concat) : std::nullopt;
  auto indices = axis && axis == getAxis(op)
                     ? rewriting.getInts(op.getIndices())
                     : std::nullopt;
  if (!indices || indices->empty())
    return failure();
  auto [least, most] = std::minmax_element(indices->begin(), indices->end());
  constexpr int64_t limit = std::numeric_limits<int64_t>::max();
  bool isFromBack = *most < 0;
  if ((*least < 0) != isFromBack || *least < -limit || *most == limit)
    return failure();
  Range range = isFromBack
                    ? Range(Cut::fromBack(-*least), Cut::fromBack(-*most - 1))
                    : Range(Cut::fromFront(*least), Cut::fromFront(*most + 1));
  std::optional<Place> place = findPart(concat, *axis, range);
  if (!place)
    return failure();
  Value moved = op.getIndices();
  if (place->offset) {
    Value offset = rewriting.makeConstant(llvm::cantFail(
        ElementsBuilder().splat(rewriting.getConstant(moved)->getType(), {},
                                WideNum::ofInt(place->offset))));
    moved = isFromBack ? rewriting.make<AddOp>(moved, offset)
                       : rewriting.make<SubOp>(moved, offset);
  }
  if (!moved)
    return failure();
  return rewriting.tryReplace(op,
                              makeGather(place->part, moved, *axis, rewriting));
}

void invar::addSliceRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(
      RuleFor<mergeSlices>::get("merge-slices", Exact, mergeSlicesPattern));
  rules.push_back(
      RuleFor<sliceConcat>::get("slice-concat", Exact, sliceConcatPattern));
  rules.push_back(RuleFor<slicePad>::get("slice-pad", Exact, slicePadPattern));
  rules.push_back(
      RuleFor<gatherOne>::get("gather-one", Exact, gatherOnePattern));
  rules.push_back(
      RuleFor<keepGathered>::get("keep-gathered", Exact, keepGatheredPattern));
  rules.push_back(
      RuleFor<mergeGathers>::get("merge-gathers", Exact, mergeGathersPattern));
  rules.push_back(
      RuleFor<gatherConcat>::get("gather-concat", Exact, gatherConcatPattern));
}

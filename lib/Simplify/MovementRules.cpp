// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that only move elements: one that moves nothing vanishes, and two in a row
// become one. Sizes that are known by name only count as known where both names are one.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- What moves nothing ----------------------------------------------------===//

/// Whether an operator whose result has its operand's type gives that back.
static bool keepsOrder(Operation *op, Rewriting &rewriting) {
  auto isAll = [&](Value list, auto predicate) {
    std::optional<SmallVector<int64_t>> numbers = rewriting.getInts(list);
    return numbers && llvm::all_of(*numbers, predicate);
  };
  if (auto slice = dyn_cast<SliceOp>(op))
    return !slice.getSteps() ||
           isAll(slice.getSteps(), [](int64_t step) { return step > 0; });
  if (auto pad = dyn_cast<PadOp>(op))
    return isAll(pad.getPads(), [](int64_t size) { return size == 0; });
  return true;
}

// Pattern: Reshape(x) -> x [to its own shape; an operator less]
static LogicalResult dropUnmoved(Operation *op, Rewriting &rewriting) {
  Value x = op->getOperand(0);
  if (op->getNumResults() != 1 || !haveSameType(x, op->getResult(0)) ||
      !keepsOrder(op, rewriting))
    return failure();
  rewriting.replace(op, x);
  return success();
}

// Pattern: Concat(x) -> x [an operator less]
static LogicalResult dropConcatOfOne(ConcatOp op, Rewriting &rewriting) {
  if (op.getInputs().size() != 1)
    return failure();
  rewriting.replace(op, op.getInputs().front());
  return success();
}

//===-- Transpose -------------------------------------------------------------===//

// Pattern: Transpose(x) -> x [axes in their order; an operator less]
static LogicalResult dropTranspose(TransposeOp op, Rewriting &rewriting) {
  std::optional<int64_t> rank = getRank(op.getData());
  if (!rank || !llvm::equal(op.getPermutation(*rank), llvm::seq(*rank)))
    return failure();
  rewriting.replace(op, op.getData());
  return success();
}

// Pattern: Transpose(Transpose(x)) -> Transpose(x) [a transpose of a transpose less]
static LogicalResult mergeTransposes(TransposeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<TransposeOp>();
  std::optional<int64_t> rank = getRank(op.getData());
  if (!inner || !rank)
    return failure();
  SmallVector<int64_t> first = inner.getPermutation(*rank), both;
  for (int64_t axis : op.getPermutation(*rank))
    both.push_back(first[axis]);
  return rewriting.tryReplace(
      op,
      rewriting.make<TransposeOp>(
          inner.getData(), rewriting.getBuilder().getDenseI64ArrayAttr(both)));
}

//===-- Slice -----------------------------------------------------------------===//

namespace {
/// What is taken of an axis, as it is written: negative numbers count from the end.
struct Range {
  int64_t start, end, step;
};
} // namespace

/// The ranges that a Slice lists, by axis; none where one is not known or goes backwards.
static std::optional<SmallVector<std::optional<Range>>>
getRanges(SliceOp op, Rewriting &rewriting) {
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
  SmallVector<std::optional<Range>> ranges(*rank);
  for (auto [axis, start, end, step] :
       llvm::zip_equal(*axes, *starts, *ends, *steps)) {
    if (axis >= *rank || ranges[axis] || step < 1)
      return std::nullopt;
    ranges[axis] = {start, end, step};
  }
  return ranges;
}

/// Numbers counted from the front, which takes the size of the axis where they are not.
static std::optional<Range> countFromFront(Range range, int64_t size) {
  for (int64_t *place : {&range.start, &range.end}) {
    // This much means the end of the axis.
    if (*place >= std::numeric_limits<int32_t>::max())
      *place = std::numeric_limits<int64_t>::max();
    if (*place >= 0)
      continue;
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    *place = std::max<int64_t>(*place < -size ? 0 : *place + size, 0);
  }
  return range;
}

/// Of what `first` takes, what `second` takes; none where that is not known.
static std::optional<Range> compose(Range first, Range second, int64_t size,
                                    int64_t sizeBetween) {
  auto outer = countFromFront(first, size);
  auto inner = countFromFront(second, sizeBetween);
  if (!outer || !inner)
    return std::nullopt;
  auto place = [&](int64_t i) { // Where element i of what `first` takes is.
    int64_t offset;
    if (llvm::MulOverflow(i, outer->step, offset) ||
        llvm::AddOverflow(offset, outer->start, offset))
      return std::numeric_limits<int64_t>::max();
    return offset;
  };
  int64_t step;
  if (llvm::MulOverflow(outer->step, inner->step, step))
    return std::nullopt;
  return Range{place(inner->start), std::min(outer->end, place(inner->end)),
               step};
}

// Pattern: Slice(Slice(x, r), s) -> Slice(x, r*s) [a slice of a slice less]
static LogicalResult mergeSlices(SliceOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<SliceOp>();
  if (!inner || !op.getData().hasOneUse())
    return failure();
  auto first = getRanges(inner, rewriting), second = getRanges(op, rewriting);
  if (!first || !second || first->size() != second->size())
    return failure();
  auto shape = cast<ShapedType>(inner.getData().getType()).getShape();
  auto between = cast<ShapedType>(op.getData().getType()).getShape();
  SmallVector<int64_t> starts, ends, axes, steps;
  for (size_t axis = 0; axis < first->size(); ++axis) {
    std::optional<Range> a = (*first)[axis], b = (*second)[axis];
    if (!a && !b)
      continue;
    std::optional<Range> both =
        a && b ? compose(*a, *b, shape[axis], between[axis])
        : a    ? a
               : b;
    if (!both)
      return failure();
    starts.push_back(both->start);
    ends.push_back(both->end);
    axes.push_back(int64_t(axis));
    steps.push_back(both->step);
  }
  // Steps of one go without saying, and older forms could not say any.
  bool isDense = llvm::all_of(steps, [](int64_t step) { return step == 1; });
  return rewriting.tryReplace(
      op, rewriting.make<SliceOp>(
              inner.getData(), rewriting.makeInts(starts),
              rewriting.makeInts(ends), rewriting.makeInts(axes),
              isDense ? Value() : rewriting.makeInts(steps)));
}

//===-- Concat ----------------------------------------------------------------===//

static bool haveSameAxis(ConcatOp a, ConcatOp b) {
  std::optional<int64_t> rank = getRank(a.getConcatResult());
  return a.getAxis() == b.getAxis() ||
         (rank && normalizeAxis(a.getAxis(), *rank) ==
                      normalizeAxis(b.getAxis(), *rank));
}

// Pattern: Concat(x, Concat(y, z)) -> Concat(x, y, z) [along one axis; an operator less]
static LogicalResult flattenConcat(ConcatOp op, Rewriting &rewriting) {
  SmallVector<Value> parts;
  for (Value part : op.getInputs()) {
    auto inner = part.getDefiningOp<ConcatOp>();
    if (inner && part.hasOneUse() && !rewriting.isConstant(part) &&
        haveSameAxis(op, inner))
      llvm::append_range(parts, inner.getInputs());
    else
      parts.push_back(part);
  }
  if (parts.size() == op.getInputs().size())
    return failure();
  return rewriting.tryReplace(op, rewriting.makeLike(op, parts));
}

// Pattern: Concat(x, c, d) -> Concat(x, Concat(c, d)) [an operand less]
static LogicalResult mergeParts(ConcatOp op, Rewriting &rewriting) {
  static constexpr int64_t mostElements = 1024;
  auto isSmall = [&](Value part) {
    const Elements *content = rewriting.getConstant(part);
    return content && content->numElements() <= mostElements;
  };
  SmallVector<Value> parts(op.getInputs());
  for (size_t begin = 0; begin + 1 < parts.size(); ++begin) {
    size_t end = begin;
    while (end < parts.size() && isSmall(parts[end]))
      ++end;
    if (end - begin < 2)
      continue;
    Value merged = rewriting.make<ConcatOp>(
        ArrayRef(parts).slice(begin, end - begin), op.getAxisAttr());
    if (!merged || !rewriting.isConstant(merged))
      return failure();
    parts[begin] = merged;
    parts.erase(parts.begin() + begin + 1, parts.begin() + end);
    return rewriting.tryReplace(op, rewriting.makeLike(op, parts));
  }
  return failure();
}

void invar::addMovementRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(makeRuleFor<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp,
                              ExpandOp, TileOp, SliceOp, PadOp, SplitOp>(
      "drop-unmoved", Exact,
      "Reshape(x) -> x [to its own shape; an operator less]", dropUnmoved));
  rules.push_back(RuleFor<dropConcatOfOne>::get(
      "drop-concat", Exact, "Concat(x) -> x [an operator less]"));
  rules.push_back(RuleFor<dropTranspose>::get(
      "drop-transpose", Exact,
      "Transpose(x) -> x [axes in their order; an operator less]"));
  rules.push_back(
      RuleFor<mergeTransposes>::get("merge-transposes", Exact,
                                    "Transpose(Transpose(x)) -> Transpose(x) "
                                    "[a transpose of a transpose less]"));
  rules.push_back(RuleFor<mergeSlices>::get(
      "merge-slices", Exact,
      "Slice(Slice(x, r), s) -> Slice(x, r*s) [a slice of a slice less]"));
  rules.push_back(
      RuleFor<flattenConcat>::get("flatten-concat", Exact,
                                  "Concat(x, Concat(y, z)) -> Concat(x, y, z) "
                                  "[along one axis; an operator less]"));
  rules.push_back(RuleFor<mergeParts>::get(
      "merge-parts", Exact,
      "Concat(x, c, d) -> Concat(x, Concat(c, d)) [an operand less]"));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduces the parts of a Concat, or restores the tensor that they were cut from.
#include "Ranges.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Concat.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr StringLiteral dropConcatPattern =
    "Concat(x) -> x [an operator less]";
static LogicalResult dropConcatOfOne(ConcatOp op, Rewriting &rewriting) {
  if (op.getInputs().size() != 1)
    return failure();
  rewriting.replace(op, op.getInputs().front());
  return success();
}

static std::optional<int64_t> getAxis(ConcatOp op) {
  std::optional<int64_t> rank = getRank(op.getInputs().front());
  return rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
}

static bool haveSameAxis(ConcatOp a, ConcatOp b) {
  if (a.getAxis() == b.getAxis())
    return true;
  std::optional<int64_t> axis = getAxis(a);
  return axis && axis == getAxis(b);
}

static constexpr StringLiteral flattenConcatPattern =
    "Concat(x, Concat(y, z)) -> Concat(x, y, z) [along one axis; an operator "
    "less]";
static LogicalResult flattenConcat(ConcatOp op, Rewriting &rewriting) {
  SmallVector<Value> parts;
  for (Value part : op.getInputs()) {
    auto inner = part.getDefiningOp<ConcatOp>();
    if (inner && part.hasOneUse() && !rewriting.isConstant(part) &&
        haveSameAxis(op, inner) && inner.getInputs().size() <= mostFlattened)
      llvm::append_range(parts, inner.getInputs());
    else
      parts.push_back(part);
  }
  if (parts.size() == op.getInputs().size())
    return failure();
  return rewriting.tryReplace(op, rewriting.makeLike(op, parts));
}

static constexpr StringLiteral dropEmptyPartsPattern =
    "Concat(x, empty) -> Concat(x) [an operand less]";
static LogicalResult dropEmptyParts(ConcatOp op, Rewriting &rewriting) {
  std::optional<int64_t> axis = getAxis(op);
  if (!axis)
    return failure();
  auto isEmpty = [&](Value part) {
    auto type = dyn_cast<RankedTensorType>(part.getType());
    return type && *axis < type.getRank() && type.getDimSize(*axis) == 0;
  };
  SmallVector<Value> parts(op.getInputs());
  llvm::erase_if(parts, isEmpty);
  // If all parts are empty, one stays for the other sizes.
  if (parts.empty())
    parts.push_back(op.getInputs().front());
  if (parts.size() == op.getInputs().size())
    return failure();
  return rewriting.tryReplace(op, rewriting.makeLike(op, parts));
}

static constexpr StringLiteral mergePartsPattern =
    "Concat(x, c, d) -> Concat(x, Concat(c, d)) [constants; an operand less]";
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

static constexpr StringLiteral joinSplitPattern =
    "Concat(Split(x)) -> x [all parts in order; an operand less]";
static LogicalResult joinSplit(ConcatOp op, Rewriting &rewriting) {
  std::optional<int64_t> axis = getAxis(op);
  SmallVector<Value> parts(op.getInputs());
  for (size_t begin = 0; axis && begin < parts.size(); ++begin) {
    auto split = parts[begin].getDefiningOp<SplitOp>();
    size_t count = split ? split.getNumResults() : 0;
    if (!split || count < 2 || begin + count > parts.size() ||
        normalizeAxis(split.getAxis(), *getRank(op.getInputs().front())) !=
            axis ||
        !llvm::equal(ArrayRef(parts).slice(begin, count), split.getOutputs()))
      continue;
    parts[begin] = split.getInput();
    parts.erase(parts.begin() + begin + 1, parts.begin() + begin + count);
    return rewriting.tryReplace(op, rewriting.makeLike(op, parts));
  }
  return failure();
}

namespace {
/// Adjacent slices of one tensor, joined in their order.
struct Run {
  Value data;
  Range range;
  size_t count = 1;
  /// Whether one of the slices has no other user.
  bool isOwn = false;
};
} // namespace

/// The longest run that begins with the first of these parts.
static std::optional<Run> findRun(ArrayRef<Value> parts, int64_t axis,
                                  Rewriting &rewriting) {
  std::optional<Run> run;
  for (Value part : parts) {
    auto slice = part.getDefiningOp<SliceOp>();
    auto range = slice && (!run || slice.getData() == run->data)
                     ? getOnlyRange(slice, axis, rewriting)
                     : std::nullopt;
    if (range && run)
      range = join(run->range, *range);
    if (!range)
      break;
    if (run)
      ++run->count;
    else
      run = Run{slice.getData(), *range};
    run->range = *range;
    run->isOwn |= part.hasOneUse();
  }
  return run;
}

static constexpr StringLiteral joinSlicesPattern =
    "Concat(Slice(x, a, b), Slice(x, b, c)) -> Slice(x, a, c) [an operand "
    "less]";
static LogicalResult joinSlices(ConcatOp op, Rewriting &rewriting) {
  std::optional<int64_t> axis = getAxis(op);
  SmallVector<Value> parts(op.getInputs());
  for (size_t i = 0; axis && i + 1 < parts.size(); ++i) {
    auto run = findRun(ArrayRef(parts).drop_front(i), *axis, rewriting);
    if (!run || run->count == 1)
      continue;
    int64_t size = cast<ShapedType>(run->data.getType()).getDimSize(*axis);
    bool isAll = coversAxis(run->range, size);
    // A new Slice must make at least one old Slice unused.
    if (!isAll && !run->isOwn) {
      i += run->count - 1;
      continue;
    }
    Value joined =
        isAll ? run->data : makeSlice(run->data, *axis, run->range, rewriting);
    if (!joined)
      return failure();
    parts[i] = joined;
    parts.erase(parts.begin() + i + 1, parts.begin() + i + run->count);
    return rewriting.tryReplace(op, rewriting.makeLike(op, parts));
  }
  return failure();
}

void invar::addConcatRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(
      RuleFor<dropConcatOfOne>::get("drop-concat", Exact, dropConcatPattern));
  rules.push_back(RuleFor<flattenConcat>::get("flatten-concat", Exact,
                                              flattenConcatPattern));
  rules.push_back(RuleFor<dropEmptyParts>::get("drop-empty-parts", Exact,
                                               dropEmptyPartsPattern));
  rules.push_back(
      RuleFor<mergeParts>::get("merge-parts", Exact, mergePartsPattern));
  rules.push_back(
      RuleFor<joinSplit>::get("join-split", Exact, joinSplitPattern));
  rules.push_back(
      RuleFor<joinSlices>::get("join-slices", Exact, joinSlicesPattern));
}

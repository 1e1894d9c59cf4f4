// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges operators that only change the shape. Sizes that are known by name only are
// equal if both names are the same.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Reshape ---------------------------------------------------------------===//

namespace {
/// A constant target: numbers, 0 to copy a size of the operand, and at most one -1. A
/// -1 next to a copied size of 0 is undefined, and engines reject it.
struct Target {
  SmallVector<int64_t> sizes;
  std::optional<int64_t> rest;
  /// Whether there is no -1, or no copied size next to it can be 0.
  bool isSafe = true;
};
} // namespace

/// The target that reshapes `x` to the shape of `like`; none if more than one size is
/// neither a number nor equal to the size at the same place in `x`.
static std::optional<Target> findTarget(Value x, Value like,
                                        const Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(like.getType());
  if (!type || !getRank(x))
    return std::nullopt;
  DimsExpr dims = *rewriting.getDims(like);
  Target target;
  bool isPositive = true;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    if (size == 0)
      return std::nullopt;
    if (!ShapedType::isDynamic(size)) {
      target.sizes.push_back(size);
    } else if (haveSameSize(x, axis, like, axis)) {
      target.sizes.push_back(0);
      isPositive &= dims[axis].isAtLeast(1);
    } else {
      if (target.rest)
        return std::nullopt;
      target.sizes.push_back(-1);
      target.rest = axis;
    }
  }
  target.isSafe = !target.rest || isPositive;
  return target;
}

/// Whether the target of a Reshape means the same for `x` as it does for its operand.
static bool fitsTarget(ReshapeOp op, Value x, Rewriting &rewriting) {
  std::optional<SmallVector<int64_t>> target = rewriting.getInts(op.getShape());
  if (!target)
    return false;
  return op.getAllowzero() ||
         llvm::all_of(llvm::enumerate(*target), [&](auto entry) {
           return entry.value() != 0 ||
                  haveSameSize(x, entry.index(), op.getData(), entry.index());
         });
}

/// Whether an operator's own target has -1 in the same place, so that it is undefined
/// whenever this one is.
static bool hasSameRest(Operation *op, const Target &target,
                        const Rewriting &rewriting) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  auto entries = reshape ? rewriting.getEntries(reshape.getShape())
                         : std::optional<DimsExpr>();
  return entries && target.rest && (*entries)[*target.rest].isLiteral(-1);
}

/// Reshapes `x` in the same way as a chain of operators that ends in `op`.
static Value reshapeAs(Operation *op, Value x, Rewriting &rewriting) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (reshape && fitsTarget(reshape, x, rewriting))
    return rewriting.make<ReshapeOp>(x, reshape.getShape(),
                                     reshape.getAllowzeroAttr());
  auto target = findTarget(x, op->getResult(0), rewriting);
  if (!target || !(target->isSafe || hasSameRest(op, *target, rewriting)))
    return Value();
  return rewriting.make<ReshapeOp>(x, rewriting.makeInts(target->sizes),
                                   IntegerAttr());
}

static constexpr StringLiteral mergeReshapesPattern =
    "Reshape(Flatten(x)) -> Reshape(x) [a reshape of a reshape less]";
static LogicalResult mergeReshapes(Operation *op, Rewriting &rewriting) {
  Operation *inner = op->getOperand(0).getDefiningOp();
  bool isMerged =
      isa<ReshapeOp, FlattenOp>(op)
          ? isa_and_nonnull<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp>(inner)
          : isa_and_nonnull<ReshapeOp, FlattenOp>(inner);
  if (!isMerged)
    return failure();
  return rewriting.tryReplace(op,
                              reshapeAs(op, inner->getOperand(0), rewriting));
}

static constexpr StringLiteral fixReshapePattern =
    "Reshape(x, Concat(Shape(x), ...)) -> Reshape(x, [0, 0, 64]) [a variable "
    "less]";
static LogicalResult fixTarget(ReshapeOp op, Rewriting &rewriting) {
  if (rewriting.isConstant(op.getShape()))
    return failure();
  return rewriting.tryReplace(op, reshapeAs(op, op.getData(), rewriting));
}

/// The axes of size 1 to insert into the shape of `from` to get the shape of `to`.
static std::optional<SmallVector<int64_t>> findOnes(Value from, Value to) {
  std::optional<int64_t> rank = getRank(from), newRank = getRank(to);
  if (!rank || !newRank || *rank >= *newRank)
    return std::nullopt;
  auto shape = cast<ShapedType>(to.getType()).getShape();
  SmallVector<int64_t> ones;
  int64_t next = 0;
  for (int64_t axis = 0; axis < *newRank; ++axis) {
    if (next < *rank && haveSameSize(from, next, to, axis))
      ++next;
    else if (shape[axis] == 1)
      ones.push_back(axis);
    else
      return std::nullopt;
  }
  if (next != *rank)
    return std::nullopt;
  return ones;
}

static constexpr StringLiteral reshapeByOnesPattern =
    "Reshape(x, [n, 1, m]) -> Unsqueeze(x, [1]) or Squeeze(x) [a variable "
    "less]";
static LogicalResult reshapeByOnes(ReshapeOp op, Rewriting &rewriting) {
  Value x = op.getData();
  if (rewriting.isConstant(op.getShape()))
    return failure();
  if (auto put = findOnes(x, op.getReshaped()))
    return rewriting.tryReplace(
        op, rewriting.make<UnsqueezeOp>(x, rewriting.makeInts(*put)));
  if (auto taken = findOnes(op.getReshaped(), x))
    return rewriting.tryReplace(
        op, rewriting.make<SqueezeOp>(x, rewriting.makeInts(*taken)));
  return failure();
}

static constexpr StringLiteral fixReshapeOfSomePattern =
    "Reshape(x, [n, 64, h*w]) -> Reshape(x, [0, 64, -1]) [n not 0; a variable "
    "less]";
static LogicalResult fixTargetOfSome(ReshapeOp op, Rewriting &rewriting) {
  if (rewriting.isConstant(op.getShape()))
    return failure();
  auto target = findTarget(op.getData(), op.getReshaped(), rewriting);
  if (!target)
    return failure();
  return rewriting.tryReplace(
      op, rewriting.make<ReshapeOp>(
              op.getData(), rewriting.makeInts(target->sizes), IntegerAttr()));
}

//===-- Squeeze and Unsqueeze -------------------------------------------------===//

/// Marks the listed ones of `rank` axes; none if the list is unknown or has an axis
/// twice.
static std::optional<llvm::SmallBitVector> markAxes(Value list, int64_t rank,
                                                    Rewriting &rewriting) {
  auto axes = getAxes(list, rank, rewriting);
  if (!axes)
    return std::nullopt;
  llvm::SmallBitVector marks(rank);
  for (int64_t axis : *axes) {
    if (marks[axis])
      return std::nullopt;
    marks.set(axis);
  }
  return marks;
}

static Value makeAxes(const llvm::SmallBitVector &marks, Rewriting &rewriting) {
  return rewriting.makeInts(SmallVector<int64_t>(marks.set_bits()));
}

/// Converts marks of the places outside of `gaps` to marks of all places.
static llvm::SmallBitVector spread(const llvm::SmallBitVector &marks,
                                   const llvm::SmallBitVector &gaps) {
  llvm::SmallBitVector all(gaps.size());
  unsigned next = 0;
  for (unsigned place = 0; place < gaps.size(); ++place)
    if (!gaps[place])
      all[place] = marks[next++];
  return all;
}

/// The inverse: the marks of the places outside of `gaps`.
static llvm::SmallBitVector gather(const llvm::SmallBitVector &marks,
                                   const llvm::SmallBitVector &gaps) {
  llvm::SmallBitVector open;
  for (unsigned place = 0; place < gaps.size(); ++place)
    if (!gaps[place]) {
      open.resize(open.size() + 1);
      open[open.size() - 1] = marks[place];
    }
  return open;
}

static constexpr StringLiteral mergeSqueezesPattern =
    "Squeeze(Squeeze(x, a), b) -> Squeeze(x, a+b) [a squeeze of a squeeze "
    "less]";
static LogicalResult mergeSqueezes(SqueezeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<SqueezeOp>();
  std::optional<int64_t> rank = inner ? getRank(inner.getData()) : std::nullopt;
  if (!rank)
    return failure();
  auto first = markAxes(inner.getAxes(), *rank, rewriting);
  auto second = first
                    ? markAxes(op.getAxes(), *rank - first->count(), rewriting)
                    : std::nullopt;
  if (!second)
    return failure();
  return rewriting.tryReplace(
      op, rewriting.make<SqueezeOp>(
              inner.getData(),
              makeAxes(spread(*second, *first) |= *first, rewriting)));
}

static constexpr StringLiteral mergeUnsqueezesPattern =
    "Unsqueeze(Unsqueeze(x, a), b) -> Unsqueeze(x, a+b) [one of the other "
    "less]";
static LogicalResult mergeUnsqueezes(UnsqueezeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<UnsqueezeOp>();
  std::optional<int64_t> rank = getRank(op.getExpanded());
  if (!inner || !rank)
    return failure();
  auto second = markAxes(op.getAxes(), *rank, rewriting);
  auto first =
      second ? markAxes(inner.getAxes(), *rank - second->count(), rewriting)
             : std::nullopt;
  if (!first)
    return failure();
  return rewriting.tryReplace(
      op, rewriting.make<UnsqueezeOp>(
              inner.getData(),
              makeAxes(spread(*first, *second) |= *second, rewriting)));
}

static constexpr StringLiteral cancelUnsqueezePattern =
    "Squeeze(Unsqueeze(x, a), b) -> Unsqueeze(x, a-b) or Squeeze(x, b-a) or x "
    "[less]";
static LogicalResult cancelUnsqueeze(SqueezeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<UnsqueezeOp>();
  std::optional<int64_t> rank = getRank(op.getData());
  if (!inner || !rank)
    return failure();
  auto put = markAxes(inner.getAxes(), *rank, rewriting);
  auto taken = markAxes(op.getAxes(), *rank, rewriting);
  if (!put || !taken)
    return failure();
  llvm::SmallBitVector both = *put;
  both &= *taken;
  Value x = inner.getData();
  if (*put == *taken)
    return rewriting.tryReplace(op, x);
  if (both == *taken)
    return rewriting.tryReplace(
        op, rewriting.make<UnsqueezeOp>(
                x, makeAxes(gather(*put, *taken), rewriting)));
  if (both == *put)
    return rewriting.tryReplace(
        op, rewriting.make<SqueezeOp>(
                x, makeAxes(gather(*taken, *put), rewriting)));
  return failure();
}

static constexpr StringLiteral cancelSqueezePattern =
    "Unsqueeze(Squeeze(x, a), a) -> x [two operators less]";
static LogicalResult cancelSqueeze(UnsqueezeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<SqueezeOp>();
  // Axes of size one may be removed at one place and inserted at another: the order in
  // memory does not change.
  if (!inner || !haveSameType(inner.getData(), op.getExpanded()))
    return failure();
  return rewriting.tryReplace(op, inner.getData());
}

void invar::addReshapeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<cancelSqueeze>::get("cancel-squeeze", Exact,
                                              cancelSqueezePattern));
  rules.push_back(RuleFor<mergeSqueezes>::get("merge-squeezes", Exact,
                                              mergeSqueezesPattern));
  rules.push_back(RuleFor<mergeUnsqueezes>::get("merge-unsqueezes", Exact,
                                                mergeUnsqueezesPattern));
  rules.push_back(RuleFor<cancelUnsqueeze>::get("cancel-unsqueeze", Exact,
                                                cancelUnsqueezePattern));
  rules.push_back(makeRuleFor<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp>(
      "merge-reshapes", Exact, mergeReshapesPattern, mergeReshapes));
  rules.push_back(
      RuleFor<fixTarget>::get("fix-reshape", Exact, fixReshapePattern));
  rules.push_back(RuleFor<reshapeByOnes>::get("reshape-by-ones", Exact,
                                              reshapeByOnesPattern));
  // An engine may reject a -1 next to a size of 0, so this rule is not exact. The lowering
  // computes all sizes, and -1 would lose information.
  rules.push_back(RuleFor<fixTargetOfSome>::get("fix-reshape-of-some", Fuse,
                                                fixReshapeOfSomePattern)
                      .forLowering(false));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that only say another shape of the same elements: two in a row become one.
// Sizes that are known by name only count as known where both names are one.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Reshape ---------------------------------------------------------------===//

/// A target that reshapes `x` to the shape of `like`: numbers, 0 where the size of x is
/// meant, and -1 for one other. A -1 stands only among numbers, since beside an axis that
/// turns out to be empty it means nothing.
static std::optional<SmallVector<int64_t>> findTarget(Value x, Value like) {
  auto type = dyn_cast<RankedTensorType>(like.getType());
  if (!type)
    return std::nullopt;
  SmallVector<int64_t> target;
  unsigned rests = 0, copies = 0;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    if (size == 0)
      return std::nullopt;
    bool isKnown = !ShapedType::isDynamic(size);
    bool isCopied = !isKnown && haveSameSize(x, axis, like, axis);
    target.push_back(isKnown ? size : isCopied ? 0 : -1);
    copies += isCopied;
    rests += !isKnown && !isCopied;
  }
  if (rests > 1 || (rests && copies))
    return std::nullopt;
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

/// Reshapes `x` as a chain that ends in `op` does.
static Value reshapeAs(Operation *op, Value x, Rewriting &rewriting) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (reshape && fitsTarget(reshape, x, rewriting))
    return rewriting.make<ReshapeOp>(x, reshape.getShape(),
                                     reshape.getAllowzeroAttr());
  auto target = findTarget(x, op->getResult(0));
  return target ? rewriting.make<ReshapeOp>(x, rewriting.makeInts(*target),
                                            IntegerAttr())
                : Value();
}

// Pattern: Reshape(Flatten(x)) -> Reshape(x) [a reshape of a reshape less]
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

// Pattern: Reshape(x, Concat(Shape(x), ...)) -> Reshape(x, [0, 0, 64]) [a variable less]
static LogicalResult fixTarget(ReshapeOp op, Rewriting &rewriting) {
  if (rewriting.isConstant(op.getShape()))
    return failure();
  return rewriting.tryReplace(op, reshapeAs(op, op.getData(), rewriting));
}

//===-- Squeeze and Unsqueeze -------------------------------------------------===//

/// Which of `rank` axes are listed; none where that is not known or one is twice.
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

/// Marks of axes, each of the places that `gaps` leaves open, as marks of all places.
static llvm::SmallBitVector spread(const llvm::SmallBitVector &marks,
                                   const llvm::SmallBitVector &gaps) {
  llvm::SmallBitVector all(gaps.size());
  unsigned next = 0;
  for (unsigned place = 0; place < gaps.size(); ++place)
    if (!gaps[place])
      all[place] = marks[next++];
  return all;
}

/// The inverse: marks of the places that `gaps` leaves open.
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

// Pattern: Squeeze(Squeeze(x, a), b) -> Squeeze(x, a+b) [a squeeze of a squeeze less]
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

// Pattern: Unsqueeze(Unsqueeze(x, a), b) -> Unsqueeze(x, a+b) [one of the other less]
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

// Pattern: Squeeze(Unsqueeze(x, a), b) -> Unsqueeze(x, a-b) or Squeeze(x, b-a) or x [less]
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

// Pattern: Unsqueeze(Squeeze(x, a), a) -> x [two operators less]
static LogicalResult cancelSqueeze(UnsqueezeOp op, Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<SqueezeOp>();
  // Ones can be taken away at one place and put in at another: what is between them in
  // memory stays.
  if (!inner || !haveSameType(inner.getData(), op.getExpanded()))
    return failure();
  return rewriting.tryReplace(op, inner.getData());
}

void invar::addReshapeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<cancelSqueeze>::get(
      "cancel-squeeze", Exact,
      "Unsqueeze(Squeeze(x, a), a) -> x [two operators less]"));
  rules.push_back(
      RuleFor<mergeSqueezes>::get("merge-squeezes", Exact,
                                  "Squeeze(Squeeze(x, a), b) -> Squeeze(x, "
                                  "a+b) [a squeeze of a squeeze less]"));
  rules.push_back(RuleFor<mergeUnsqueezes>::get(
      "merge-unsqueezes", Exact,
      "Unsqueeze(Unsqueeze(x, a), b) -> Unsqueeze(x, a+b) [one of the other "
      "less]"));
  rules.push_back(RuleFor<cancelUnsqueeze>::get(
      "cancel-unsqueeze", Exact,
      "Squeeze(Unsqueeze(x, a), b) -> Unsqueeze(x, a-b) or Squeeze(x, b-a) or "
      "x [less]"));
  rules.push_back(makeRuleFor<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp>(
      "merge-reshapes", Exact,
      "Reshape(Flatten(x)) -> Reshape(x) [a reshape of a reshape less]",
      mergeReshapes));
  rules.push_back(
      RuleFor<fixTarget>::get("fix-reshape", Exact,
                              "Reshape(x, Concat(Shape(x), ...)) -> Reshape(x, "
                              "[0, 0, 64]) [a variable less]"));
}

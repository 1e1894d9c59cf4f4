// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops sequences and optionals that are unpacked right after they were constructed:
// their elements need no container.
#include "Ranges.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Sequence.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The number of a constant of one element.
static std::optional<int64_t> getInt(Value value, Rewriting &rewriting) {
  auto numbers = rewriting.getInts(value);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front())
                                         : std::nullopt;
}

static constexpr StringLiteral takeElementPattern =
    "SequenceAt(SequenceConstruct(x, y), 1) -> y [an operator less]";
static LogicalResult takeElement(SequenceAtOp op, Rewriting &rewriting) {
  auto inner = op.getInputSequence().getDefiningOp<SequenceConstructOp>();
  auto position = inner ? getInt(op.getPosition(), rewriting) : std::nullopt;
  auto number =
      position ? normalizeAxis(*position, int64_t(inner.getInputs().size()))
               : std::nullopt;
  if (!number)
    return failure();
  rewriting.replace(op, inner.getInputs()[*number]);
  return success();
}

/// The axis that a tensor is split along, counted from the front.
static std::optional<int64_t> getAxis(SplitToSequenceOp op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  return rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
}

/// The range of the axis that a part covers; none if it is unknown.
static std::optional<Range> getRange(SplitToSequenceOp op, int64_t position,
                                     Rewriting &rewriting) {
  std::optional<int64_t> rank = getRank(op.getSplit());
  auto sizes = rewriting.getInts(op.getSplit());
  if (!rank || !sizes)
    return std::nullopt;
  if (*rank == 1) {
    auto number = normalizeAxis(position, int64_t(sizes->size()));
    if (!number)
      return std::nullopt;
    int64_t start = 0;
    for (int64_t size : ArrayRef(*sizes).take_front(*number)) {
      auto sum = llvm::checkedAdd(start, size);
      if (!sum || size < 0)
        return std::nullopt;
      start = *sum;
    }
    auto end = llvm::checkedAdd(start, (*sizes)[*number]);
    if (!end || *end < start)
      return std::nullopt;
    return Range(Cut::fromFront(start), Cut::fromFront(*end));
  }
  // All parts have one size, except the last. Runtimes differ in which parts lose the
  // axis without keepdims.
  auto start = llvm::checkedMul(position, sizes->front());
  auto end = start ? llvm::checkedAdd(*start, sizes->front()) : std::nullopt;
  if (!end || position < 0 || sizes->front() < 1 || !op.getKeepdims())
    return std::nullopt;
  return Range(Cut::fromFront(*start), Cut::fromFront(*end));
}

static constexpr StringLiteral takePartPattern =
    "SequenceAt(SplitToSequence(x), i) -> Gather(x, i) [an element of a "
    "sequence less]";
static LogicalResult takePart(SequenceAtOp op, Rewriting &rewriting) {
  auto inner = op.getInputSequence().getDefiningOp<SplitToSequenceOp>();
  auto axis = inner ? getAxis(inner) : std::nullopt;
  if (!axis)
    return failure();
  auto position = getInt(op.getPosition(), rewriting);
  if (inner.getSplit()) {
    auto range =
        position ? getRange(inner, *position, rewriting) : std::nullopt;
    return range ? rewriting.tryReplace(op, makeSlice(inner.getInput(), *axis,
                                                      *range, rewriting))
                 : failure();
  }
  // A part of size one equals a Gather with an index. An index vector keeps the
  // axis.
  Value index = op.getPosition();
  if (!position && (inner.getKeepdims() || getRank(index) != 0))
    return failure();
  SmallVector<int64_t> shape(inner.getKeepdims() ? 1 : 0, 1);
  if (position)
    index = rewriting.make<ReshapeOp>(index, rewriting.makeInts(shape),
                                      IntegerAttr());
  if (!index)
    return failure();
  return rewriting.tryReplace(
      op, rewriting.make<GatherOp>(
              inner.getInput(), index,
              rewriting.getBuilder().getI64IntegerAttr(*axis)));
}

static constexpr StringLiteral joinElementsPattern =
    "ConcatFromSequence(SequenceConstruct(x, y)) -> Concat(x, y) [an operator "
    "less]";
static LogicalResult joinElements(ConcatFromSequenceOp op,
                                  Rewriting &rewriting) {
  auto inner = op.getInputSequence().getDefiningOp<SequenceConstructOp>();
  if (!inner)
    return failure();
  if (!op.getNewAxis())
    return rewriting.tryReplace(
        op, rewriting.make<ConcatOp>(inner.getInputs(), op.getAxisAttr()));
  if (inner.getInputs().size() != 1)
    return failure();
  return rewriting.tryReplace(
      op, rewriting.make<UnsqueezeOp>(inner.getInputs().front(),
                                      rewriting.makeInts(op.getAxis())));
}

static constexpr StringLiteral joinPartsPattern =
    "ConcatFromSequence(SplitToSequence(x)) -> x [along one axis; an operator "
    "less]";
static LogicalResult joinParts(ConcatFromSequenceOp op, Rewriting &rewriting) {
  auto inner = op.getInputSequence().getDefiningOp<SplitToSequenceOp>();
  auto axis = inner ? getAxis(inner) : std::nullopt;
  if (!axis)
    return failure();
  // With a scalar split, parts may lose the axis or not: runtimes differ.
  bool isClear = !inner.getSplit() || getRank(inner.getSplit()) == 1 ||
                 inner.getKeepdims();
  bool losesAxis = !inner.getSplit() && !inner.getKeepdims();
  if (!isClear || bool(op.getNewAxis()) != losesAxis ||
      normalizeAxis(op.getAxis(), *getRank(inner.getInput())) != axis)
    return failure();
  rewriting.replace(op, inner.getInput());
  return success();
}

static constexpr StringLiteral unwrapOptionalPattern =
    "OptionalGetElement(Optional(x)) -> x [an operator less]";
static LogicalResult unwrap(OptionalGetElementOp op, Rewriting &rewriting) {
  auto inner = op.getInput().getDefiningOp<OptionalOp>();
  if (!inner || !inner.getInput())
    return failure();
  rewriting.replace(op, inner.getInput());
  return success();
}

void invar::addSequenceRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(
      RuleFor<takeElement>::get("take-element", Exact, takeElementPattern));
  rules.push_back(RuleFor<takePart>::get("take-part", Exact, takePartPattern));
  rules.push_back(
      RuleFor<joinElements>::get("join-elements", Exact, joinElementsPattern));
  rules.push_back(
      RuleFor<joinParts>::get("join-parts", Exact, joinPartsPattern));
  rules.push_back(
      RuleFor<unwrap>::get("unwrap-optional", Exact, unwrapOptionalPattern));
}

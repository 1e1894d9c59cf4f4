// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves factors and summands of a normalization's result into its scale and its shift,
// if they apply to the same axes.
#include "ReadFormula.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// A normalization, and the axes of its result that its scale applies to.
struct Scaled {
  Operation *op;
  Value scale, shift;
  int64_t firstAxis, rank;
  bool takesShift;
};
} // namespace

/// The normalization that computes `value`, if `value` has one use.
static std::optional<Scaled> findNormalization(Value value) {
  Operation *op = value.getDefiningOp();
  std::optional<int64_t> rank = getRank(value);
  if (!isa_and_nonnull<LayerNormalizationOp, RMSNormalizationOp,
                       InstanceNormalizationOp, GroupNormalizationOp>(op) ||
      !value.hasOneUse() || op->getNumResults() != 1 || !rank)
    return std::nullopt;
  Scaled scaled{op, op->getOperand(1), {}, 1, *rank, true};
  if (op->getNumOperands() > 2)
    scaled.shift = op->getOperand(2);
  std::optional<int64_t> rankOfScale = getRank(scaled.scale);
  if (!rankOfScale)
    return std::nullopt;
  if (isa<LayerNormalizationOp, RMSNormalizationOp>(op)) {
    scaled.firstAxis = *rank - *rankOfScale;
    scaled.takesShift = isa<LayerNormalizationOp>(op);
  }
  return scaled;
}

/// `value` in the shape of a normalization's scale; null if it varies along other axes,
/// or cannot have that shape.
static Value alignWithScale(Value value, const Scaled &scaled,
                            Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto scale = cast<RankedTensorType>(scaled.scale.getType());
  if (!type || !type.hasStaticShape() || !scale.hasStaticShape() ||
      type.getRank() > scaled.rank ||
      type.getElementType() != scale.getElementType())
    return {};
  if (type == scale && scaled.firstAxis + scale.getRank() == scaled.rank)
    return value;
  // A value that must be reshaped or broadcast must be a constant.
  if (!rewriting.isConstant(value))
    return {};
  SmallVector<int64_t> aligned(scale.getRank(), 1);
  int64_t first = scaled.rank - type.getRank();
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    int64_t axis = int64_t(i) + first - scaled.firstAxis;
    if (size == 1)
      continue;
    if (axis < 0 || axis >= scale.getRank() || size != scale.getDimSize(axis))
      return {};
    aligned[axis] = size;
  }
  Value same = rewriting.make<ReshapeOp>(value, rewriting.makeInts(aligned),
                                         IntegerAttr());
  if (!same || ArrayRef(aligned) == scale.getShape())
    return same;
  Value zeros = makeSplat(value, scale.getShape(), 0, rewriting);
  return zeros ? rewriting.make<SubOp>(same, zeros) : Value();
}

/// Joins two operands into one. If `old` is not neutral, both must be constants, and
/// nothing else may use `old`.
template <typename Op>
static Value join(Value old, double neutral, Value value,
                  Rewriting &rewriting) {
  if (!old || rewriting.getSplat(old) == neutral)
    return value;
  if (!rewriting.isConstant(old) || !rewriting.isConstant(value) ||
      !old.hasOneUse())
    return {};
  Value both = rewriting.make<Op>(old, value);
  if (both)
    rewriting.passName(old, both);
  return both;
}

/// The operand of `op` that is a normalization, and the other operand in the shape of
/// its scale.
template <typename Op>
static std::optional<std::pair<Scaled, Value>>
findScaled(Op op, Rewriting &rewriting) {
  for (auto [value, other] :
       {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())})
    if (auto scaled = findNormalization(value))
      if (Value aligned = alignWithScale(other, *scaled, rewriting))
        return std::pair(*scaled, aligned);
  return std::nullopt;
}

static Value remake(const Scaled &scaled, Value scale, Value shift,
                    Rewriting &rewriting) {
  if (!scale || (scaled.shift && !shift))
    return {};
  SmallVector<Value> operands = {scaled.op->getOperand(0), scale};
  if (shift)
    operands.push_back(shift);
  return rewriting.makeLike(scaled.op, operands);
}

static constexpr StringLiteral fuseNormScalePattern =
    "Mul(LayerNormalization(x, s, b), c) -> LayerNormalization(x, s*c, b*c) "
    "[an operator less]";
static LogicalResult fuseNormalizationScale(MulOp op, Rewriting &rewriting) {
  auto found = findScaled(op, rewriting);
  if (!found)
    return failure();
  auto &[scaled, factor] = *found;
  Value scale = join<MulOp>(scaled.scale, 1, factor, rewriting);
  Value shift = scaled.shift;
  if (shift && rewriting.getSplat(shift) != 0)
    shift = rewriting.isConstant(factor)
                ? join<MulOp>(shift, 1, factor, rewriting)
                : Value();
  return rewriting.tryReplace(op, remake(scaled, scale, shift, rewriting));
}

static constexpr StringLiteral fuseNormShiftPattern =
    "Add(LayerNormalization(x, s, b), c) -> LayerNormalization(x, s, b+c) [an "
    "operator less]";
static LogicalResult fuseNormalizationShift(AddOp op, Rewriting &rewriting) {
  auto found = findScaled(op, rewriting);
  if (!found || !found->first.takesShift)
    return failure();
  auto &[scaled, summand] = *found;
  Value shift = join<AddOp>(scaled.shift, 0, summand, rewriting);
  return shift ? rewriting.tryReplace(
                     op, remake(scaled, scaled.scale, shift, rewriting))
               : failure();
}

static constexpr StringLiteral dropNormCastsPattern =
    "Cast(LayerNormalization(Cast(x), 1)) -> LayerNormalization(x, 1) "
    "[computed in float; two operators less]";
static LogicalResult dropNormalizationCasts(CastOp op, Rewriting &rewriting) {
  auto scaled = findNormalization(op.getInput());
  if (!scaled || !isa<LayerNormalizationOp, RMSNormalizationOp>(scaled->op) ||
      scaled->shift || rewriting.getSplat(scaled->scale) != 1)
    return failure();
  auto widened = scaled->op->getOperand(0).getDefiningOp<CastOp>();
  if (!widened || !getElementTypeOrSelf(op.getInput().getType()).isF32() ||
      !isOfUsualFloats(widened.getInput()) ||
      getElementTypeOrSelf(widened.getInput().getType()) !=
          getElementTypeOrSelf(op.getOutput().getType()))
    return failure();
  auto stash = scaled->op->getAttrOfType<IntegerAttr>("stash_type");
  if (stash && stash.getInt() != int64_t(DataType::Float32))
    return failure();
  Value ones = makeSplat(
      op.getOutput(),
      cast<RankedTensorType>(scaled->scale.getType()).getShape(), 1, rewriting);
  return ones ? rewriting.tryReplace(
                    op,
                    rewriting.makeLike(scaled->op, {widened.getInput(), ones}))
              : failure();
}

void invar::addNormalizationScaleRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<dropNormalizationCasts>::get("drop-norm-casts", Fuse,
                                                       dropNormCastsPattern));
  rules.push_back(RuleFor<fuseNormalizationScale>::get("fuse-norm-scale", Fuse,
                                                       fuseNormScalePattern));
  rules.push_back(RuleFor<fuseNormalizationShift>::get("fuse-norm-shift", Fuse,
                                                       fuseNormShiftPattern));
}

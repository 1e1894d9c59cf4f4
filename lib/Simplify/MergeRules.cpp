// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges operators into others: a clip into a clip, a border into a window with pads,
// and arithmetic with one number, which does not depend on the arrangement of elements
// and so moves up past operators that rearrange them.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Clip ------------------------------------------------------------------===//

namespace {
/// The bounds that an operator limits `x` to; a bound may be null.
struct Limits {
  Value x, least, most;
};
} // namespace

/// The limits of a Clip whose bounds are known.
static std::optional<Limits> getLimits(Operation *op, Rewriting &rewriting) {
  if (auto clip = dyn_cast_or_null<ClipOp>(op)) {
    for (Value bound : {clip.getMin(), clip.getMax()})
      if (bound && !rewriting.getSplat(bound))
        return std::nullopt;
    // If min is greater than max, the order of the two limits matters.
    if (clip.getMin() && clip.getMax() &&
        !(*rewriting.getSplat(clip.getMin()) <=
          *rewriting.getSplat(clip.getMax())))
      return std::nullopt;
    return Limits{clip.getInput(), clip.getMin(), clip.getMax()};
  }
  return std::nullopt;
}

/// The limits of a Relu. The bound gets the type and shape of `like`, a bound of the
/// other clip.
static std::optional<Limits> getLimits(ReluOp op, Value like,
                                       Rewriting &rewriting) {
  if (!op || !like)
    return std::nullopt;
  const Elements &bound = *rewriting.getConstant(like);
  // All kinds of numbers have the same zero.
  Value zero = rewriting.makeConstant(llvm::cantFail(ElementsBuilder().splat(
      bound.getType(), bound.getShape(), WideNum::ofInt(0))));
  return Limits{op.getX(), zero, {}};
}

static constexpr StringLiteral mergeClipsPattern =
    "Clip(Clip(x, a, b), c, d) -> Clip(x, max(a, c), min(b, d)) [one less]";
static LogicalResult mergeClips(Operation *op, Rewriting &rewriting) {
  Operation *inner = op->getOperand(0).getDefiningOp();
  auto first = getLimits(inner, rewriting), second = getLimits(op, rewriting);
  auto anyBound = [](const Limits &limits) {
    return limits.least ? limits.least : limits.most;
  };
  if (second && !first)
    first = getLimits(dyn_cast_or_null<ReluOp>(inner), anyBound(*second),
                      rewriting);
  else if (first && !second)
    second = getLimits(dyn_cast<ReluOp>(op), anyBound(*first), rewriting);
  if (!first || !second)
    return failure();
  // The second clip limits the bounds of the first like any other values. If the first
  // has no bound, the bound of the second applies.
  auto limit = [&](Value bound, Value otherwise) {
    return bound ? rewriting.make<ClipOp>(bound, second->least, second->most)
                 : otherwise;
  };
  Value least = limit(first->least, second->least);
  Value most = limit(first->most, second->most);
  if ((first->least && !least) || (first->most && !most))
    return failure();
  Value merged = rewriting.make<ClipOp>(first->x, least, most);
  return rewriting.tryReplace(op, merged);
}

//===-- Pad -------------------------------------------------------------------===//

/// The pads of a Pad before and after each spatial axis, in the order of a window's
/// pads; none if it pads other axes, crops, or does not pad with the number `border`.
static std::optional<SmallVector<int64_t>>
getSpatialPads(PadOp op, double border, Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  auto pads = rewriting.getInts(op.getPads());
  double value = 0;
  if (op.getConstantValue()) {
    auto splat = rewriting.getSplat(op.getConstantValue());
    if (!splat)
      return std::nullopt;
    value = *splat;
  }
  if (!type || type.getRank() < 3 || !pads || op.getMode() != "constant" ||
      value != border)
    return std::nullopt;
  int64_t rank = type.getRank();
  std::optional<SmallVector<int64_t>> axes =
      op.getAxes() ? getAxes(op.getAxes(), rank, rewriting)
                   : llvm::to_vector(llvm::seq(rank));
  if (!axes || pads->size() != 2 * axes->size())
    return std::nullopt;
  SmallVector<int64_t> spatial(2 * (rank - 2), 0);
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    int64_t begin = (*pads)[i], end = (*pads)[axes->size() + i];
    if (begin < 0 || end < 0 || (axis < 2 && (begin || end)))
      return std::nullopt;
    if (axis < 2)
      continue;
    spatial[axis - 2] = begin;
    spatial[rank - 2 + axis - 2] = end;
  }
  return spatial;
}

/// The pads of a window plus those of a Pad before it; none if the window does not use
/// explicit pads.
template <typename Op>
static std::optional<SmallVector<int64_t>> addPads(Op op, double border,
                                                   Rewriting &rewriting) {
  auto pad = op.getX().template getDefiningOp<PadOp>();
  if (!pad || op.getAutoPad() != "NOTSET")
    return std::nullopt;
  auto pads = getSpatialPads(pad, border, rewriting);
  if (!pads || (op.getPads() && op.getPads()->size() != pads->size()))
    return std::nullopt;
  if (op.getPads())
    for (auto [sum, own] : llvm::zip_equal(*pads, *op.getPads())) {
      auto both = llvm::checkedAdd(sum, own);
      if (!both || own < 0)
        return std::nullopt;
      sum = *both;
    }
  return pads;
}

template <typename Op>
static LogicalResult replacePads(Op op, ArrayRef<int64_t> pads,
                                 SmallVector<NamedAttribute> changed,
                                 Rewriting &rewriting) {
  SmallVector<Value> operands(op->getOperands());
  operands[0] = op.getX().template getDefiningOp<PadOp>().getData();
  changed.push_back(rewriting.getBuilder().getNamedAttr(
      op.getPadsAttrName(), rewriting.getBuilder().getDenseI64ArrayAttr(pads)));
  Value merged = rewriting.makeLike(op, operands, changed);
  return rewriting.tryReplace(op, merged);
}

static constexpr StringLiteral padConvPattern =
    "Conv(Pad(x, p, 0)) -> Conv(x) [pads of p; an operator less]";
static LogicalResult padConv(ConvOp op, Rewriting &rewriting) {
  auto pads = addPads(op, 0, rewriting);
  return pads ? replacePads(op, *pads, {}, rewriting) : failure();
}

/// Whether a pool may have these pads. Every window must contain an element of the
/// image, which is not certain with dilations. Partial windows (ceil_mode) are
/// excluded, since their positions depend on the padding.
template <typename Op> static bool fitsPool(Op op, ArrayRef<int64_t> pads) {
  ArrayRef<int64_t> kernel = op.getKernelShape();
  auto isGap = [](int64_t step) { return step != 1; };
  bool hasGaps = op.getDilations() && llvm::any_of(*op.getDilations(), isGap);
  return !hasGaps && !op.getCeilMode() && pads.size() == 2 * kernel.size() &&
         llvm::all_of(llvm::enumerate(pads), [&](auto pad) {
           return pad.value() < kernel[pad.index() % kernel.size()];
         });
}

static constexpr StringLiteral padMaxpoolPattern =
    "MaxPool(Pad(x, p, -inf)) -> MaxPool(x) [pads of p; an operator less]";
static LogicalResult padMaxPool(MaxPoolOp op, Rewriting &rewriting) {
  if (op->getNumResults() != 1) // Indices refer to the padded image.
    return failure();
  auto pads = addPads(op, -std::numeric_limits<double>::infinity(), rewriting);
  return pads && fitsPool(op, *pads) ? replacePads(op, *pads, {}, rewriting)
                                     : failure();
}

static constexpr StringLiteral padAveragepoolPattern =
    "AveragePool(Pad(x, p, 0)) -> AveragePool(x) [pads of p, counted; one "
    "less]";
static LogicalResult padAveragePool(AveragePoolOp op, Rewriting &rewriting) {
  // The elements of the Pad were counted, so all padding must be counted.
  bool hasOwn = op.getPads() && llvm::any_of(*op.getPads(), [](int64_t pad) {
                  return pad != 0;
                });
  if (hasOwn && !op.getCountIncludePad())
    return failure();
  auto pads = addPads(op, 0, rewriting);
  if (!pads || !fitsPool(op, *pads))
    return failure();
  Builder &builder = rewriting.getBuilder();
  return replacePads(op, *pads,
                     {builder.getNamedAttr(op.getCountIncludePadAttrName(),
                                           builder.getI64IntegerAttr(1))},
                     rewriting);
}

//===-- One number ------------------------------------------------------------===//

static constexpr StringLiteral scalarUpPattern =
    "Mul(Transpose(x), c) -> Transpose(Mul(x, c)) [c of one element; c goes "
    "up]";
static LogicalResult moveScalarUp(Operation *op, Rewriting &rewriting) {
  Value moved = op->getOperand(0), c = op->getOperand(1);
  Operation *movement = moved.getDefiningOp();
  const Elements *content = rewriting.getConstant(c);
  auto type = dyn_cast<RankedTensorType>(moved.getType());
  if (!isa_and_nonnull<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp,
                       TransposeOp, ExpandOp>(movement) ||
      !moved.hasOneUse() || !content || content->numElements() != 1 || !type ||
      content->getRank() > type.getRank())
    return failure();
  // A scalar does not change the shape of the moved operand either.
  Value scalar =
      content->getRank() == 0
          ? c
          : rewriting.make<ReshapeOp>(c, rewriting.makeInts({}), IntegerAttr());
  Value computed =
      scalar ? rewriting.makeLike(op, {movement->getOperand(0), scalar})
             : Value();
  if (!computed)
    return failure();
  SmallVector<Value> operands(movement->getOperands());
  operands[0] = computed;
  Value result = rewriting.makeLike(movement, operands);
  if (!result)
    return failure();
  // Each operator keeps its name.
  rewriting.replace(op->getResult(0), result);
  return success();
}

void invar::addMergeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(makeRuleFor<ClipOp, ReluOp>("merge-clips", Exact,
                                              mergeClipsPattern, mergeClips));
  rules.push_back(RuleFor<padConv>::get("pad-conv", Exact, padConvPattern));
  rules.push_back(
      RuleFor<padMaxPool>::get("pad-maxpool", Exact, padMaxpoolPattern));
  rules.push_back(RuleFor<padAveragePool>::get("pad-averagepool", Exact,
                                               padAveragepoolPattern));
  rules.push_back(makeRuleFor<AddOp, SubOp, MulOp, DivOp>(
      "scalar-up", Exact, scalarUpPattern, moveScalarUp));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recomposes normalizations, which exporters write as means, differences and roots.
// Scales and shifts follow in many forms, or not at all, so this takes two steps.
// First, a division by the deviation becomes a normalization with a scale of ones:
//
//   d = x - ReduceMean(x);  d / Sqrt(ReduceMean(d*d) + e)   ->   LayerNormalization(x, 1)
//
// Then a Mul and an Add with operands for the normalized axes are moved into its
// operands (NormalizationScaleRules.cpp).
#include "ReadFormula.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- What is divided by its deviation ----------------------------------------===//

namespace {
/// A value divided by the root of the mean of its squares.
struct Normalized {
  Value x;
  double epsilon;
  /// The mean is over this number of last axes.
  int64_t numAxes;
  /// How often the formula uses `x`.
  unsigned numUses;
};
} // namespace

/// The number of axes of a ReduceMean, if these are the last ones and stay with size
/// one.
static std::optional<int64_t> getLastAxes(ReduceMeanOp op,
                                          const Rewriting &rewriting) {
  std::optional<int64_t> rank = getRank(op.getData());
  if (!rank || !op.getKeepdims() || !op.getAxes())
    return std::nullopt;
  std::optional<SmallVector<int64_t>> axes =
      getAxes(op.getAxes(), *rank, rewriting);
  if (!axes || axes->empty())
    return std::nullopt;
  llvm::sort(*axes);
  int64_t first = *rank - int64_t(axes->size());
  for (auto [i, axis] : llvm::enumerate(*axes))
    if (axis != first + int64_t(i))
      return std::nullopt;
  return int64_t(axes->size());
}

/// Returns x if `value` is the square of x; otherwise null.
static Value getSquared(Value value, const Rewriting &rewriting) {
  if (auto mul = value.getDefiningOp<MulOp>())
    return mul.getA() == mul.getB() ? mul.getA() : Value();
  auto pow = value.getDefiningOp<PowOp>();
  return pow && getNumber(pow.getY(), pow.getX(), rewriting) == 2 ? pow.getX()
                                                                  : Value();
}

/// Returns x if `value` is the square root of x, or its inverse; otherwise null.
static Value getRadicand(Value value, bool isInverse,
                         const Rewriting &rewriting) {
  if (auto pow = value.getDefiningOp<PowOp>())
    return getNumber(pow.getY(), pow.getX(), rewriting) ==
                   (isInverse ? -0.5 : 0.5)
               ? pow.getX()
               : Value();
  if (isInverse) {
    Value root;
    if (auto reciprocal = value.getDefiningOp<ReciprocalOp>())
      root = reciprocal.getX();
    else if (auto div = value.getDefiningOp<DivOp>();
             div && getNumber(div.getA(), div.getB(), rewriting) == 1)
      root = div.getB();
    return root && root.hasOneUse() ? getRadicand(root, false, rewriting)
                                    : Value();
  }
  auto sqrt = value.getDefiningOp<SqrtOp>();
  return sqrt ? sqrt.getX() : Value();
}

/// Reads the mean of x*x, plus epsilon. Each value on the way must have one use.
static std::optional<Normalized> readMeanSquare(Value value,
                                                const Rewriting &rewriting) {
  auto sum = value ? value.getDefiningOp<AddOp>() : AddOp();
  if (!sum || !value.hasOneUse())
    return std::nullopt;
  Value mean = sum.getA();
  auto epsilon = getNumber(sum.getB(), mean, rewriting);
  if (!epsilon) {
    mean = sum.getB();
    epsilon = getNumber(sum.getA(), mean, rewriting);
  }
  auto reduction = mean.getDefiningOp<ReduceMeanOp>();
  if (!epsilon || !reduction || !mean.hasOneUse())
    return std::nullopt;
  Value square = reduction.getData(), x = getSquared(square, rewriting);
  auto numAxes = getLastAxes(reduction, rewriting);
  if (!x || !square.hasOneUse() || !numAxes || *epsilon < 0)
    return std::nullopt;
  return Normalized{x, *epsilon, *numAxes,
                    square.getDefiningOp<MulOp>() ? 2u : 1u};
}

/// Reads x / Sqrt(mean of x*x, plus epsilon), or a product of x with the inverse of the
/// root.
static std::optional<Normalized> readNormalized(Operation *op,
                                                const Rewriting &rewriting) {
  auto read = [&](Value x, Value root) -> std::optional<Normalized> {
    if (!root.hasOneUse())
      return std::nullopt;
    auto found =
        readMeanSquare(getRadicand(root, isa<MulOp>(op), rewriting), rewriting);
    if (!found || found->x != x)
      return std::nullopt;
    ++found->numUses;
    return found;
  };
  Value a = op->getOperand(0), b = op->getOperand(1);
  if (auto found = read(a, b))
    return found;
  return isa<MulOp>(op) ? read(b, a) : std::nullopt;
}

/// Returns x if `centered` is x minus its mean over the last `numAxes` axes; otherwise
/// null. The mean may have other uses in the formula, `numUsesOfMean` in total.
static Value getUncentered(Value centered, int64_t numAxes,
                           unsigned numUsesOfMean, const Rewriting &rewriting) {
  auto sub = centered.getDefiningOp<SubOp>();
  auto mean = sub ? sub.getB().getDefiningOp<ReduceMeanOp>() : ReduceMeanOp();
  if (!mean || mean.getData() != sub.getA() ||
      !mean.getReduced().hasNUses(numUsesOfMean) ||
      getLastAxes(mean, rewriting) != numAxes)
    return {};
  return sub.getA();
}

/// A normalization of the last axes of `x`, with a scale of ones.
template <typename Op>
static Value makeOverLastAxes(Value x, const Normalized &normalized,
                              Rewriting &rewriting) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(x.getType())
                                .getShape()
                                .take_back(normalized.numAxes);
  // If no scale replaces the ones, they stay in the model, so their number is limited.
  static constexpr int64_t mostOnes = 1 << 14;
  if (llvm::any_of(shape, ShapedType::isDynamic) ||
      ShapedType::getNumElements(shape) > mostOnes)
    return {};
  Value ones = makeSplat(x, shape, 1, rewriting);
  Builder &builder = rewriting.getBuilder();
  auto axis = normalized.numAxes == 1
                  ? IntegerAttr()
                  : builder.getI64IntegerAttr(-normalized.numAxes);
  auto epsilon = builder.getF32FloatAttr(float(normalized.epsilon));
  if (!ones)
    return {};
  if constexpr (std::is_same_v<Op, LayerNormalizationOp>)
    return rewriting.make<Op>(Type(), Type(), x, ones, Value(), axis, epsilon,
                              IntegerAttr());
  else
    return rewriting.make<Op>(x, ones, axis, epsilon, IntegerAttr());
}

/// Whether all axes except the batch and the channels are normalized, as in an image.
static bool isOfImages(Value x, const Normalized &normalized) {
  auto type = cast<RankedTensorType>(x.getType());
  return type.getRank() >= 4 && normalized.numAxes == type.getRank() - 2 &&
         !type.isDynamicDim(1) && type.getElementType().isF32();
}

static Value makeInstanceNormalization(Value x, const Normalized &normalized,
                                       Rewriting &rewriting) {
  int64_t channels = cast<RankedTensorType>(x.getType()).getDimSize(1);
  Value ones = makeSplat(x, channels, 1, rewriting);
  Value zeros = makeSplat(x, channels, 0, rewriting);
  return rewriting.make<InstanceNormalizationOp>(
      x, ones, zeros,
      rewriting.getBuilder().getF32FloatAttr(float(normalized.epsilon)));
}

/// A normalization by mean and deviation; null if the model's opset has none.
static Value makeCenteredNormalization(Value x, const Normalized &normalized,
                                       Rewriting &rewriting) {
  if (isOfImages(x, normalized))
    return makeInstanceNormalization(x, normalized, rewriting);
  if (rewriting.getOpset() < 17)
    return {};
  return makeOverLastAxes<LayerNormalizationOp>(x, normalized, rewriting);
}

static constexpr StringLiteral makeLayerNormPattern =
    "d/Sqrt(ReduceMean(d*d) + e) -> LayerNormalization(x, 1) [opset 17, d = x "
    "- ReduceMean(x); six operators less]";
static LogicalResult makeLayerNormalization(Operation *op,
                                            Rewriting &rewriting) {
  if (!isOfUsualFloats(op->getResult(0)))
    return failure();
  auto normalized = readNormalized(op, rewriting);
  if (!normalized || !normalized->x.hasNUses(normalized->numUses))
    return failure();
  Value x = getUncentered(normalized->x, normalized->numAxes,
                          /*numUsesOfMean=*/1, rewriting);
  if (!x)
    return failure();
  return rewriting.tryReplace(
      op, makeCenteredNormalization(x, *normalized, rewriting));
}

static constexpr StringLiteral makeRmsNormPattern =
    "x/Sqrt(ReduceMean(x*x) + e) -> RMSNormalization(x, 1) [opset 23; four "
    "operators less]";
static LogicalResult makeRMSNormalization(Operation *op, Rewriting &rewriting) {
  if (rewriting.getOpset() < 23 || !isOfUsualFloats(op->getResult(0)))
    return failure();
  auto normalized = readNormalized(op, rewriting);
  if (!normalized)
    return failure();
  return rewriting.tryReplace(op, makeOverLastAxes<RMSNormalizationOp>(
                                      normalized->x, *normalized, rewriting));
}

/// The factor of a product besides `known`; null if `known` is no factor.
static Value getOtherFactor(Value product, Value known) {
  auto mul = product.getDefiningOp<MulOp>();
  if (!mul || !product.hasOneUse())
    return {};
  if (mul.getA() == known)
    return mul.getB();
  return mul.getB() == known ? mul.getA() : Value();
}

/// Reads x*r*s + (b - m*r*s), which is (x - m)*r*s + b, and creates the latter with a
/// normalization. `scaled` is r*s.
static Value distribute(Value product, Value difference, Rewriting &rewriting) {
  auto mul = product.getDefiningOp<MulOp>();
  auto sub = difference.getDefiningOp<SubOp>();
  if (!mul || !sub || !product.hasOneUse() || !difference.hasOneUse())
    return {};
  for (auto [x, scaled] :
       {std::pair(mul.getA(), mul.getB()), std::pair(mul.getB(), mul.getA())}) {
    Value mean = getOtherFactor(sub.getB(), scaled);
    auto inverse = scaled.getDefiningOp<MulOp>();
    if (!mean || !inverse || !scaled.hasNUses(2))
      continue;
    for (auto [root, scale] : {std::pair(inverse.getA(), inverse.getB()),
                               std::pair(inverse.getB(), inverse.getA())}) {
      if (!root.hasOneUse())
        continue;
      auto normalized = readMeanSquare(
          getRadicand(root, /*isInverse=*/true, rewriting), rewriting);
      if (!normalized || !normalized->x.hasNUses(normalized->numUses) ||
          getUncentered(normalized->x, normalized->numAxes,
                        /*numUsesOfMean=*/2, rewriting) != x ||
          normalized->x.getDefiningOp<SubOp>().getB() != mean)
        continue;
      Value center = makeCenteredNormalization(x, *normalized, rewriting);
      Value result = center ? rewriting.make<MulOp>(center, scale) : Value();
      return result ? rewriting.make<AddOp>(result, sub.getA()) : Value();
    }
  }
  return {};
}

static constexpr StringLiteral makeLayerNormOfPartsPattern =
    "x*r*s + (b - m*r*s) -> LayerNormalization(x, 1)*s + b [opset 17, m mean, "
    "r inverse of deviation; nine operators less]";
static LogicalResult makeLayerNormalizationOfParts(AddOp op,
                                                   Rewriting &rewriting) {
  if (!isOfUsualFloats(op.getC()))
    return failure();
  Value result = distribute(op.getA(), op.getB(), rewriting);
  if (!result)
    result = distribute(op.getB(), op.getA(), rewriting);
  return rewriting.tryReplace(op, result);
}

//===-- Groups ------------------------------------------------------------------===//

static constexpr StringLiteral makeGroupNormPattern =
    "Reshape(InstanceNormalization(Reshape(x))) -> GroupNormalization(x) "
    "[opset 21; two operators less]";
static LogicalResult makeGroupNormalization(ReshapeOp op,
                                            Rewriting &rewriting) {
  auto inner = op.getData().getDefiningOp<InstanceNormalizationOp>();
  auto split =
      inner ? inner.getInput().getDefiningOp<ReshapeOp>() : ReshapeOp();
  if (rewriting.getOpset() < 21 || !split || !op.getData().hasOneUse() ||
      !inner.getInput().hasOneUse())
    return failure();
  Value x = split.getData();
  auto type = dyn_cast<RankedTensorType>(x.getType());
  auto groups = dyn_cast<RankedTensorType>(split.getReshaped().getType());
  auto scale = rewriting.getSplat(inner.getScale());
  auto shift = rewriting.getSplat(inner.getB());
  if (!type || !groups || type.getRank() < 3 || type.isDynamicDim(1) ||
      groups.getRank() != 3 || groups.isDynamicDim(1) ||
      !haveSameSize(x, 0, split.getReshaped(), 0) ||
      !haveSameShape(x, op.getReshaped()) || !scale || !shift)
    return failure();
  int64_t channels = type.getDimSize(1), numGroups = groups.getDimSize(1);
  if (numGroups <= 0 || channels % numGroups != 0)
    return failure();
  Value scales = makeSplat(x, channels, *scale, rewriting);
  Value shifts = makeSplat(x, channels, *shift, rewriting);
  if (!scales || !shifts)
    return failure();
  return rewriting.tryReplace(
      op,
      rewriting.make<GroupNormalizationOp>(
          x, scales, shifts, inner.getEpsilonAttr(),
          rewriting.getBuilder().getI64IntegerAttr(numGroups), IntegerAttr()));
}

void invar::addNormalizationRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(makeRuleFor<DivOp, MulOp>("make-layer-norm", Recompose,
                                            makeLayerNormPattern,
                                            makeLayerNormalization));
  rules.push_back(RuleFor<makeLayerNormalizationOfParts>::get(
      "make-layer-norm-of-parts", Recompose, makeLayerNormOfPartsPattern));
  rules.push_back(makeRuleFor<DivOp, MulOp>(
      "make-rms-norm", Recompose, makeRmsNormPattern, makeRMSNormalization));
  rules.push_back(RuleFor<makeGroupNormalization>::get(
      "make-group-norm", Recompose, makeGroupNormPattern));
}
